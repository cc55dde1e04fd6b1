/** Remembers when API keys were last used, without a write for each request. */
import type { ApiKey } from '../model/api-key.js';
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';
import type { ApiKeyStore } from '../ports/api-key-store.js';

const writeEveryMs = 60_000;

/** What is stored is at most a minute old; what is newer than that is kept here until it is written. */
export class ApiKeyUses {
  readonly #store: ApiKeyStore;
  /** The times that were written, or are just being written. There are as many as keys. */
  readonly #written = new Map<Id, Timestamp>();
  readonly #unwritten = new Map<Id, Timestamp>();

  constructor(store: ApiKeyStore) {
    this.#store = store;
  }

  /** @param apiKey as it is stored now */
  async note({ id, lastUsedAt }: ApiKey, now: Timestamp): Promise<void> {
    const written = [lastUsedAt, this.#written.get(id)];
    if (written.some((time) => time !== undefined && Date.parse(now) - Date.parse(time) < writeEveryMs)) {
      this.#unwritten.set(id, now);
      return;
    }
    this.#written.set(id, now);
    this.#unwritten.delete(id);
    try {
      await this.#store.recordUse(id, now);
    } catch {
      // No reason to refuse whoever uses the key; the next write makes it good.
      this.#written.delete(id);
      this.#unwritten.set(id, now);
    }
  }

  /** Writes what is not written. */
  async flush(): Promise<void> {
    const uses = [...this.#unwritten];
    this.#unwritten.clear();
    await Promise.all(uses.map(([id, time]) => this.#store.recordUse(id, time)));
  }
}
