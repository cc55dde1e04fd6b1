/** Prometheus metrics of the service, as the table of metrics lists them. */

import type * as prometheusClient from 'prom-client';
import { type MetricRow, metricsTable } from './metrics-table.js';

/** The maximum number of GraphQL operation names, which clients choose. Further names and long ones count as `other`. */
const MOST_NAMES = 100;

/** Early measurements, such as those of filling a store, wait for the first request, which should not wait for the package. */
const MOST_EARLY = 1_000;

type Prometheus = typeof prometheusClient;

type Key = keyof typeof metricsTable;
type KeyOf<Kind extends MetricRow['kind']> = {
  [K in Key]: (typeof metricsTable)[K]['kind'] extends Kind ? K : never;
}[Key];

/** Adds a number to a series: a duration in seconds to a histogram, or a count (1 unless given) to a counter. */
type Measure = (value?: number) => void;

/** A value with the values of its labels. */
type Sample = readonly [value: number, ...labels: readonly string[]];

interface Collectors {
  readonly prometheus: Prometheus;
  readonly registry: prometheusClient.Registry;
  readonly byKey: ReadonlyMap<Key, Collector>;
}

type Collector = prometheusClient.Counter | prometheusClient.Gauge | prometheusClient.Histogram;

/** The measurements of the service. Durations are in seconds. */
export class Metrics {
  /** By metric and labels, because prom-client finds a series by its labels slowly. */
  readonly #measures = new Map<string, Measure>();
  readonly #readers = new Map<Key, () => readonly Sample[]>();
  readonly #names = new Set<string>();
  #inFlight = 0;
  #loading: Promise<Collectors> | undefined;
  #collectors: Collectors | undefined;
  /** The measurements from before the collectors were loaded. */
  #early: (() => void)[] = [];

  constructor() {
    this.read('inFlight', () => [[this.#inFlight]]);
  }

  /** The series of a metric with these labels, which the caller may keep. Texts of clients are never labels. */
  measure(key: KeyOf<'counter' | 'histogram'>, ...labels: readonly string[]): Measure {
    const id = `${key} ${labels.join(' ')}`;
    let measure = this.#measures.get(id);
    if (measure === undefined) this.#measures.set(id, (measure = this.#measureOf(key, labels)));
    return measure;
  }

  /** @param read - called for each answer of `/metrics` */
  read(key: KeyOf<'counter' | 'gauge'>, read: () => readonly Sample[]): void {
    this.#readers.set(key, read);
  }

  requestStarted(): void {
    this.#inFlight += 1;
  }

  /** @param operation - an operationId, or a fixed word for requests without one: never a text of the client */
  requestEnded(operation: string, status: number, seconds: number): void {
    this.#inFlight -= 1;
    this.measure('requests', operation, String(status))(seconds);
    if (this.#collectors === undefined) void this.#load();
  }

  /** @param name - the name that the client chose, if any */
  graphqlEnded(name: string | undefined, type: string, failed: boolean, seconds: number): void {
    this.measure('graphql', this.#bounded(name), type, failed ? 'errors' : 'ok')(seconds);
  }

  /** All metrics in the text format of Prometheus. */
  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    const { prometheus, registry } = await this.#load();
    const all = prometheus.Registry.merge([processMetrics(prometheus), registry]);
    return { contentType: all.contentType, text: await all.metrics() };
  }

  #measureOf(key: Key, labels: readonly string[]): Measure {
    let add: ((value: number) => void) | undefined;
    const measure = (value = 1): void => {
      if (add !== undefined) add(value);
      else if (this.#collectors === undefined) {
        this.#early.push(() => measure(value));
        if (this.#early.length >= MOST_EARLY) void this.#load();
      } else {
        const series = this.#collectors.byKey.get(key)?.labels(...labels);
        if (series === undefined) return;
        add = 'observe' in series ? series.observe.bind(series) : series.inc.bind(series);
        add(value);
      }
    };
    // A counter that appears with its first step hides this step from `rate`.
    if (metricsTable[key].kind === 'counter') measure(0);
    return measure;
  }

  /** Loads prom-client, which has eighty files, when the first answer is over: that answer needs none of them. */
  #load(): Promise<Collectors> {
    return (this.#loading ??= import('prom-client').then((prometheus) => {
      this.#collectors = collectorsOf(prometheus, this.#readers);
      for (const observe of this.#early) observe();
      this.#early = [];
      return this.#collectors;
    }));
  }

  #bounded(name = 'anonymous'): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= MOST_NAMES || name.length > longestOperationName) return 'other';
    this.#names.add(name);
    return name;
  }
}

function collectorsOf(
  prometheus: Prometheus,
  readers: ReadonlyMap<Key, () => readonly Sample[]>,
): Collectors {
  const registry = new prometheus.Registry();
  const byKey = new Map<Key, Collector>();
  for (const [key, { kind, name, help, labels, ...row }] of Object.entries(metricsTable) as [
    Key,
    MetricRow,
  ][]) {
    const options = { name, help, labelNames: [...labels], registers: [registry] };
    const fill = (collector: prometheusClient.Counter | prometheusClient.Gauge): void => {
      const read = readers.get(key);
      if (read === undefined) return;
      collector.reset();
      for (const [value, ...values] of read()) collector.labels(...values).inc(value);
    };
    const make: Readonly<Record<MetricRow['kind'], () => Collector>> = {
      counter: () => {
        const made: prometheusClient.Counter = new prometheus.Counter({
          ...options,
          collect: () => fill(made),
        });
        return made;
      },
      gauge: () => {
        const made: prometheusClient.Gauge = new prometheus.Gauge({ ...options, collect: () => fill(made) });
        return made;
      },
      histogram: () => new prometheus.Histogram({ ...options, buckets: [...(row.buckets ?? [])] }),
    };
    byKey.set(key, make[kind]());
  }
  return { prometheus, registry, byKey };
}

let ofProcess: prometheusClient.Registry | undefined;

/** The metrics of the process, which all services in it share. */
function processMetrics({ Registry, collectDefaultMetrics }: Prometheus): prometheusClient.Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
    // Gauges with the suffix of counters, which Prometheus' own check refuses; the same numbers are there by type without it.
    for (const kind of ['handles', 'requests', 'resources'])
      ofProcess.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  return ofProcess;
}

/** The maximum length of GraphQL operation names in logs, traces and metrics, because clients choose them. */
const longestOperationName = 100;

/** The name for a log or a trace. */
export function shortened(operationName: string): string {
  return operationName.slice(0, longestOperationName);
}
