/** A broker of events between the instances that fails, hangs, and delivers late, twice, in another order, or not at all. */

import { type Events, ServiceError } from '@concordat/core';
import { memoryEvents } from '@concordat/core/events/memory';
import type { Random } from '../random.js';
import { type Neighbour, forEver } from './neighbour.js';

type Listener = Parameters<Events['subscribe']>[1];

export class EventBus implements Neighbour {
  readonly #events = memoryEvents();
  readonly #listeners = new Set<Listener>();
  #mood: 'well' | 'fails' | 'hangs' | 'late' | 'twice' | 'loses' = 'well';

  change(random: Random): void {
    const mood = random.pick(['well', 'fails', 'hangs', 'late', 'twice', 'loses'] as const);
    if (mood === 'well') this.heal();
    else this.#mood = mood;
  }

  /** Listeners learn that they may have missed something, as the port requires. */
  heal(): void {
    if (this.#mood === 'well') return;
    this.#mood = 'well';
    for (const listener of this.#listeners) listener.interrupted('');
  }

  events(): Events {
    const answer = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.#mood === 'hangs') await forEver;
      if (this.#mood === 'fails') throw new ServiceError('unavailable', 'The broker does not answer');
      return work();
    };
    return {
      ping: () => answer(() => this.#events.ping()),
      close: () => Promise.resolve(),
      publish: (topic, id) =>
        answer(async () => {
          if (this.#mood === 'loses') return;
          if (this.#mood === 'late') {
            setTimeout(() => void this.#events.publish(topic, id), 700 - (Number(id) % 7) * 100).unref();
            return;
          }
          await this.#events.publish(topic, id);
          if (this.#mood === 'twice') await this.#events.publish(topic, id);
        }),
      subscribe: (topic, listener) =>
        answer(async () => {
          this.#listeners.add(listener);
          const end = await this.#events.subscribe(topic, listener);
          return () => {
            this.#listeners.delete(listener);
            end();
          };
        }),
    };
  }
}
