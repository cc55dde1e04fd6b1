/** The idempotency keys of the memory storage. */
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type {
  EarlierCreation,
  IdempotencyKey,
  IdempotencyStore,
  KeyedRequest,
} from '../../ports/idempotency-store.js';
import type { Stores } from '../../ports/storage.js';
import { type Journal, JournalMap } from './journal.js';
import { type AtOnce, oldestExpired } from './tables.js';

/** The methods that create the records. */
type Creations = {
  readonly [Name in 'users' | 'orders' | 'products' | 'comments' | 'apiKeys' | 'outbox']: Pick<
    AtOnce<Stores[Name]>,
    'create'
  >;
};

type StoredCreation = EarlierCreation & KeyedRequest;

export function memoryIdempotency(
  journal: Journal,
  { users, orders, products, comments, apiKeys, outbox }: Creations,
): AtOnce<IdempotencyStore> {
  const rows = new JournalMap<string, StoredCreation>(journal);

  function once<Outcome extends { readonly id: Id } | string>(
    request: KeyedRequest,
    now: Timestamp,
    create: () => Outcome,
  ): Outcome | EarlierCreation {
    const earlier = methods.find(request, now);
    if (earlier !== undefined) return earlier;
    const outcome = create();
    if (typeof outcome === 'object') {
      rows.set(textOf(request), { ...request, recordId: outcome.id });
    }
    return outcome;
  }

  const methods: AtOnce<IdempotencyStore> = {
    find(key, now) {
      const row = rows.get(textOf(key));
      if (row === undefined || row.expiresAt <= now) return undefined;
      return { requestHash: row.requestHash, recordId: row.recordId };
    },

    createUser: (request, user, now) => once(request, now, () => users.create(user, now)),
    createOrder: (request, order, now) => once(request, now, () => orders.create(order, now)),
    createProduct: (request, product, now) => once(request, now, () => products.create(product)),
    createComment: (request, comment, now) => once(request, now, () => comments.create(comment, now)),
    createApiKey: (request, apiKey, now) => once(request, now, () => apiKeys.create(apiKey, now)),
    createWebhook: (request, webhook, now) => once(request, now, () => outbox.create(webhook, now)),

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
