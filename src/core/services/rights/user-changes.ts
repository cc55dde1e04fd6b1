/**
 * Announces changes of users to every process, and remembers which users have not changed since they were read: the rights of a
 * subscriber need not be read again for each event.
 */
import type { Id } from '../../model/id.js';
import type { EventListener, Events } from '../../ports/events.js';

/** The time for which a user is known not to have changed. A change ends it at once. */
export interface Lease {
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

const topic = 'USER_CHANGED';

/** In place of an id: any user may have changed. No user has it. */
const anyone = '0';

/** A change that no process announces, such as one in SQL, ends rights after this time. */
const longestMs = 10_000;

export class UserChanges implements EventListener {
  readonly #leases = new Map<Id, { until: number }>();
  #subscription: Promise<unknown> | undefined;
  /** Whether all changes were received when the broker was last asked. */
  #isTrusted = false;
  #isAsked = false;
  #sweptAt = 0;

  /** @param events - without them, changes in other processes are not known, and there are no leases */
  constructor(
    private readonly events: Events | undefined,
    private readonly report: ((error: unknown) => void) | undefined,
  ) {}

  /** Announces a stored change. Never rejects, because the change is already stored. */
  async announce(id: Id): Promise<void> {
    this.received(id);
    try {
      await this.events?.publish(topic, id);
    } catch (error) {
      this.report?.(error);
      // An adapter publishes only the last failed event again, when it has reconnected.
      await this.events?.publish(topic, anyone).catch(() => undefined);
    }
  }

  /** Call it before the user is read: a change during the read ends the lease. @returns a lease that has ended if changes may be missed */
  leaseOf(id: Id): Lease {
    this.#isAsked = true;
    const now = performance.now();
    const known = this.#leases.get(id);
    if (known !== undefined && known.until > now) return known;
    const lease = { until: this.#isTrusted ? now + longestMs : 0 };
    if (this.#isTrusted) this.#leases.set(id, lease);
    return lease;
  }

  /**
   * Resolves when every change is known here that was announced before this call. If the broker does not answer, all leases end. Never
   * rejects.
   */
  async settle(): Promise<void> {
    const events = this.events;
    if (events === undefined || !(this.#isAsked || this.#leases.size > 0)) return;
    this.#isAsked = false;
    try {
      await (this.#subscription ??= events.subscribe(topic, this));
      await events.ping();
      this.#isTrusted = true;
    } catch {
      this.#isTrusted = false;
      this.#subscription?.catch(() => (this.#subscription = undefined));
      this.interrupted();
    }
    const now = performance.now();
    if (now - this.#sweptAt < longestMs) return;
    this.#sweptAt = now;
    for (const [each, { until }] of this.#leases) if (until <= now) this.#leases.delete(each);
  }

  received(id: Id): void {
    if (id === anyone) this.interrupted();
    const lease = this.#leases.get(id);
    if (lease === undefined) return;
    lease.until = 0;
    this.#leases.delete(id);
  }

  interrupted(): void {
    for (const lease of this.#leases.values()) lease.until = 0;
    this.#leases.clear();
  }
}
