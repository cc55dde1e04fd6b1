/** Remembers when API keys were last used, without a write for each request. */
import type { ApiKey } from '../../model/credentials.js';
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { ApiKeyStore } from '../../ports/credential-store.js';

const writeEveryMs = 60_000;

/** The stored time is at most a minute behind the last use; newer times are kept here until they are written. */
export class ApiKeyUses {
  /** The times that were written, or are being written. Its size is bounded by the number of keys. */
  readonly #written = new Map<Id, Timestamp>();
  readonly #unwritten = new Map<Id, Timestamp>();

  constructor(private readonly store: ApiKeyStore) {}

  /** @param apiKey - the record as currently stored */
  async note({ id, lastUsedAt }: ApiKey, now: Timestamp): Promise<void> {
    const written = [lastUsedAt, this.#written.get(id)];
    if (written.some((time) => time !== undefined && Date.parse(now) - Date.parse(time) < writeEveryMs)) {
      this.#unwritten.set(id, now);
      return;
    }
    this.#written.set(id, now);
    this.#unwritten.delete(id);
    try {
      await this.store.recordUse(id, now);
    } catch {
      // A failed write is no reason to refuse the request; the next write stores the time.
      this.#written.delete(id);
      this.#unwritten.set(id, now);
    }
  }

  /** Writes the times that are not stored yet. */
  async flush(): Promise<void> {
    const uses = [...this.#unwritten];
    this.#unwritten.clear();
    await Promise.all(uses.map(([id, time]) => this.store.recordUse(id, time)));
  }
}
