/** Prometheus metrics of the service, by operationId and by GraphQL operation name. */

import type * as prometheusClient from 'prom-client';

/** From the time of a point read to longer than any client waits, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The maximum number of GraphQL operation names, which clients choose. Further names and long ones count as `other`. */
const MOST_NAMES = 100;

type Prometheus = typeof prometheusClient;

type Series = ReturnType<prometheusClient.Histogram['labels']>;

interface Collectors {
  readonly prometheus: Prometheus;
  readonly registry: prometheusClient.Registry;
  readonly requests: prometheusClient.Histogram;
  readonly graphql: prometheusClient.Histogram;
}

/** The measurements of the service. Durations are in seconds. */
export class Metrics {
  readonly #series = new Map<string, Series>();
  readonly #names = new Set<string>();
  #inFlight = 0;
  #loading: Promise<Collectors> | undefined;
  #collectors: Collectors | undefined;
  /** The measurements from before the collectors were loaded. */
  #early: ((collectors: Collectors) => void)[] = [];

  requestStarted(): void {
    this.#inFlight += 1;
  }

  /** @param operation - an operationId, or a fixed word for requests without one: never a text of the client */
  requestEnded(operation: string, status: number, seconds: number): void {
    this.#inFlight -= 1;
    if (this.#collectors !== undefined) {
      this.#seriesOf(this.#collectors, operation, status).observe(seconds);
    } else {
      this.#later((collectors) => {
        this.#seriesOf(collectors, operation, status).observe(seconds);
      });
    }
  }

  /** @param name - the name that the client chose, if any */
  graphqlEnded(name: string | undefined, type: string, failed: boolean, seconds: number): void {
    const labels = { operation: this.#bounded(name), type, outcome: failed ? 'errors' : 'ok' };
    if (this.#collectors !== undefined) this.#collectors.graphql.observe(labels, seconds);
    else this.#later(({ graphql }) => graphql.observe(labels, seconds));
  }

  /** All metrics in the text format of Prometheus. */
  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    const { prometheus, registry } = await this.#load();
    const all = prometheus.Registry.merge([processMetrics(prometheus), registry]);
    return { contentType: all.contentType, text: await all.metrics() };
  }

  #later(observe: (collectors: Collectors) => void): void {
    this.#early.push(observe);
    void this.#load();
  }

  /** Loads prom-client, which has eighty files, when the first answer is over: that answer needs none of them. */
  #load(): Promise<Collectors> {
    return (this.#loading ??= import('prom-client').then((prometheus) => {
      const collectors = collectorsOf(prometheus, () => this.#inFlight);
      for (const observe of this.#early) observe(collectors);
      this.#early = [];
      this.#collectors = collectors;
      return collectors;
    }));
  }

  /** The series of an operation and a status. It is cached, because prom-client finds a series by its labels slowly. */
  #seriesOf({ requests }: Collectors, operation: string, status: number): Series {
    const key = `${operation} ${String(status)}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = requests.labels(operation, String(status));
      this.#series.set(key, series);
    }
    return series;
  }

  #bounded(name = 'anonymous'): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= MOST_NAMES || name.length > longestOperationName) return 'other';
    this.#names.add(name);
    return name;
  }
}

function collectorsOf(prometheus: Prometheus, inFlight: () => number): Collectors {
  const registry = new prometheus.Registry();
  const registers = [registry];
  const requests = new prometheus.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const graphql = new prometheus.Histogram({
    name: 'graphql_operation_duration_seconds',
    help: 'Duration of a GraphQL operation, over any transport',
    labelNames: ['operation', 'type', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  const gauge = new prometheus.Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that are not answered yet',
    registers,
    collect: () => {
      gauge.set(inFlight());
    },
  });
  return { prometheus, registry, requests, graphql };
}

let ofProcess: prometheusClient.Registry | undefined;

/** The metrics of the process, which all services in it share. */
function processMetrics({ Registry, collectDefaultMetrics }: Prometheus): prometheusClient.Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** The maximum length of GraphQL operation names in logs, traces and metrics, because clients choose them. */
export const longestOperationName = 100;

/** The name for a log or a trace. */
export function shortened(operationName: string): string {
  return operationName.slice(0, longestOperationName);
}
