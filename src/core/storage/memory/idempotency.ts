/** The idempotency keys of the memory storage. */
import type {
  EarlierCreation,
  IdempotencyKey,
  IdempotencyStore,
  KeyedRequest,
} from '../../ports/idempotency-store.js';
import { type Journal, JournalMap } from './journal.js';
import { type AtOnce, oldestExpired } from './tables.js';

export function memoryIdempotency(journal: Journal): AtOnce<IdempotencyStore> {
  const rows = new JournalMap<string, EarlierCreation & KeyedRequest>(journal);

  const methods: AtOnce<IdempotencyStore> = {
    find(key, now) {
      const row = rows.get(textOf(key));
      if (row === undefined || row.expiresAt <= now) return undefined;
      return { requestHash: row.requestHash, recordId: row.recordId };
    },

    claim(request, now) {
      const earlier = methods.find(request, now);
      if (earlier === undefined) rows.set(textOf(request), { ...request, recordId: '' });
      return earlier;
    },

    keep(key, recordId) {
      const row = rows.get(textOf(key));
      if (row === undefined || recordId === undefined) rows.delete(textOf(key));
      else rows.set(textOf(key), { ...row, recordId });
    },

    deleteExpired(now, limit) {
      const expired = oldestExpired(rows.values(), ({ expiresAt }) => expiresAt <= now, limit);
      for (const row of expired) rows.delete(textOf(row));
      return expired.length;
    },
  };
  return methods;
}

/** A text that is unique to the pair of caller and key. */
function textOf({ caller, keyHash }: IdempotencyKey): string {
  return JSON.stringify([caller, keyHash]);
}
