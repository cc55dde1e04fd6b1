/** What a service measures of its requests, with prom-client: their number in flight, and how long they take by operation and status. */

import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const registry = new Registry();
collectDefaultMetrics({ register: registry });

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its answer',
  labelNames: ['operation', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});
const series = new Map();
let inFlight = 0;
const gauge = new Gauge({
  name: 'http_requests_in_flight',
  help: 'Requests that are not answered yet',
  registers: [registry],
  collect: () => gauge.set(inFlight),
});

export function requestStarted() {
  inFlight += 1;
}

export function requestEnded(operation, status, seconds) {
  inFlight -= 1;
  const key = `${operation} ${status}`;
  let observer = series.get(key);
  // Looked up once, because labels are a slow way to a number.
  if (observer === undefined) series.set(key, (observer = requests.labels(operation, String(status))));
  observer.observe(seconds);
}

/** Everything, in the text format of Prometheus. */
export const render = () => registry.metrics();
