/** The in-memory storage, whose data ends with the process: for tests and demonstrations. */
import { ServiceError } from '../model/error.js';
import { type FieldsContract, keptFieldsOf } from '../model/stored.js';
import type { DatabaseObserver, Storage, Stores } from '../ports/storage.js';
import { observedStores } from '../ports/stores-in.js';
import { memoryAudit } from './memory/audit.js';
import { memoryApiKeys, memoryRefreshTokens } from './memory/credentials.js';
import { memoryIdempotency } from './memory/idempotency.js';
import { memoryComments, memoryOrders } from './memory/orders.js';
import { memoryOutbox } from './memory/outbox.js';
import { memoryPosts } from './memory/posts.js';
import { memoryProducts } from './memory/products.js';
import { asyncStoreOf, MemoryTables } from './memory/tables.js';
import { memoryExternalIdentities, memoryUsers } from './memory/users.js';
import { memoryTransactions } from './memory/transaction.js';

/**
 * Creates an empty store. Records are frozen when they are written, so that reads need not copy them. Ids count up from
 * `"1"`.
 *
 * @param options - `contract`: that of the application, whose fields are kept; `observer`: runs the calls of stores
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), policy: openPolicy });
 * ```
 */
export function memoryStorage({
  contract,
  observer,
}: {
  readonly contract?: FieldsContract | undefined;
  readonly observer?: Pick<DatabaseObserver, 'call'> | undefined;
} = {}): Storage {
  const fields = keptFieldsOf(contract);
  const tables = new MemoryTables(fields);
  const methods = {
    users: memoryUsers(tables),
    externalIdentities: memoryExternalIdentities(tables),
    posts: memoryPosts(tables),
    orders: memoryOrders(tables),
    products: memoryProducts(tables),
    comments: memoryComments(tables),
    refreshTokens: memoryRefreshTokens(tables),
    apiKeys: memoryApiKeys(tables),
    outbox: memoryOutbox(tables),
    idempotency: memoryIdempotency(tables.journal),
    audit: memoryAudit(tables),
  };
  let open = true;
  const answering = Object.fromEntries(
    Object.entries(methods).map(([name, store]) => [name, asyncStoreOf(tables.journal, store)]),
  ) as unknown as { readonly [Name in keyof typeof methods]: Stores[Name] };
  const stores = observedStores(answering, observer?.call);
  return {
    ...stores,
    joined: stores,
    ownFields: fields,
    transaction: memoryTransactions(tables, methods, observer?.call),
    ping() {
      if (open) return Promise.resolve();
      return Promise.reject(new ServiceError('unavailable', 'The store is closed'));
    },
    close() {
      open = false;
      return Promise.resolve();
    },
  };
}
