/** Events within one process, for a deployment with a single process. */
import { ServiceError } from '../model/error.js';
import type { Events } from '../ports/events.js';
import { TopicListeners } from './broker-events.js';

/**
 * Makes events that stay within this process; listeners receive them before `publish` resolves.
 *
 * @typeParam More the application's own topics
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), events: memoryEvents(), policy: openPolicy });
 * ```
 */
export function memoryEvents<More extends string = never>(): Events<More> {
  const listeners = new TopicListeners();
  let closed = false;

  async function whileOpen<T>(work: () => T): Promise<T> {
    if (closed) throw new ServiceError('unavailable', 'The events are closed');
    return await Promise.resolve(work());
  }

  return {
    publish: (topic, id) => whileOpen(() => listeners.received(topic, id)),
    subscribe: (topic, listener) => whileOpen(() => listeners.add(topic, listener)),
    ping: () => whileOpen(() => undefined),
    close: () => {
      closed = true;
      listeners.clear();
      return Promise.resolve();
    },
  };
}
