/** The listeners of one process: each event from the broker is passed to all of them. */
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { EventListener, Topic } from '../../ports/events.js';

export class TopicListeners {
  readonly #byTopic = new Map<string, Set<{ readonly listener: EventListener }>>();

  /** The same listener may be added more than once. @returns removes it again */
  add(topic: Topic, listener: EventListener): () => void {
    const subscription = { listener };
    const subscriptions = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, subscriptions.add(subscription));
    return () => subscriptions.delete(subscription);
  }

  /** @param topic as the broker names it; one without listeners is ignored */
  received(topic: string, id: Id): void {
    for (const { listener } of this.#of(topic)) listener.received(id);
  }

  interrupted(since: Timestamp): void {
    for (const topic of this.#byTopic.keys()) {
      for (const { listener } of this.#of(topic)) listener.interrupted(since);
    }
  }

  clear(): void {
    this.#byTopic.clear();
  }

  /** A copy, because listeners may be added or removed while others are called. */
  #of(topic: string): readonly { readonly listener: EventListener }[] {
    return [...(this.#byTopic.get(topic) ?? [])];
  }
}
