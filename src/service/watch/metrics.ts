/** Prometheus metrics of the service, by operationId and by GraphQL operation name. */

import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { longestOperationName } from './operation-name.js';

/** From what a point read takes to what nobody waits for, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Clients choose the names of GraphQL operations; beyond these many, and this length, the rest counts as one. */
const MOST_NAMES = 100;

/** What is measured. Durations are in seconds. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #graphql = new Histogram({
    name: 'graphql_operation_duration_seconds',
    help: 'Time that a GraphQL operation takes, over whatever it came',
    labelNames: ['operation', 'type', 'outcome'],
    buckets: BUCKETS,
    registers: [this.#registry],
  });
  readonly #observers = new Map<string, (seconds: number) => void>();
  readonly #names = new Set<string>();
  #inFlight = 0;

  constructor() {
    const inFlight = new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests that are not answered yet',
      registers: [this.#registry],
      collect: () => {
        inFlight.set(this.#inFlight);
      },
    });
  }

  requestStarted(): void {
    this.#inFlight += 1;
  }

  /** @param operation - an operationId, or a word for what has none: never what a client wrote */
  requestEnded(operation: string, status: number, seconds: number): void {
    this.#inFlight -= 1;
    const key = `${operation} ${String(status)}`;
    let observe = this.#observers.get(key);
    if (observe === undefined) {
      // Looked up once: the labels of a metric are a slow way to a number.
      const series = this.#requests.labels(operation, String(status));
      observe = (value) => {
        series.observe(value);
      };
      this.#observers.set(key, observe);
    }
    observe(seconds);
  }

  /** @param name - as the client wrote it */
  graphqlEnded(name: string | undefined, type: string, failed: boolean, seconds: number): void {
    this.#graphql.observe(
      { operation: this.#bounded(name), type, outcome: failed ? 'errors' : 'ok' },
      seconds,
    );
  }

  /** The state of everything, in the text format of Prometheus. */
  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    const all = Registry.merge([processMetrics(), this.#registry]);
    return { contentType: all.contentType, text: await all.metrics() };
  }

  #bounded(name = 'anonymous'): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= MOST_NAMES || name.length > longestOperationName) return 'other';
    this.#names.add(name);
    return name;
  }
}

let ofProcess: Registry | undefined;

/** A process has them once, however many services run in it. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}
