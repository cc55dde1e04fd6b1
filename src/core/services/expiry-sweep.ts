/** Deletes a few expired records along with other work, so that no timer is needed. */
import { timestampOf, type Timestamp } from '../model/timestamp.js';

const everyMs = 60_000;
const atOnce = 500;

/** A store whose records expire. */
interface ExpiringStore {
  deleteExpired(now: Timestamp, limit: number): Promise<number>;
}

export class ExpirySweep {
  readonly #store: ExpiringStore;
  #sweptAt = 0;

  constructor(store: ExpiringStore) {
    this.#store = store;
  }

  /** Sweeps, unless it did so within the last minute. */
  async run(moment: Timestamp): Promise<void> {
    const now = Date.parse(moment);
    if (now - this.#sweptAt < everyMs) return;
    this.#sweptAt = now;
    const deleted = await this.#store.deleteExpired(timestampOf(now), atOnce);
    // There may be more: the next call continues.
    if (deleted === atOnce) this.#sweptAt = 0;
  }
}
