/** Events of any adapter, whose calls end in time: a write does not wait for a broker that hangs. */
import { ServiceError } from '../../model/error.js';
import { within } from '../../pacing/pacing.js';
import type { Events } from '../../ports/events.js';

/** Our own adapters give up as early. */
const patienceMs = 5_000;

const inTime = <T>(answer: Promise<T>): Promise<T> =>
  within(patienceMs, answer, {
    fault: 'the events did not answer',
    errorOf: (detail) => new ServiceError('unavailable', 'The events do not answer', { detail }),
  });

/** @returns the same events, whose calls reject with `unavailable` when they do not end in time */
export function patientEvents(events: Events): Events {
  return {
    publish: (topic, id) => inTime(events.publish(topic, id)),
    subscribe: (topic, listener) => inTime(events.subscribe(topic, listener)),
    ping: () => inTime(events.ping()),
    close: () => events.close(),
  };
}
