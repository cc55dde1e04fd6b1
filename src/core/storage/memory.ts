/** The in-memory storage, whose data ends with the process: for tests and demonstrations. */
import { ServiceError } from '../model/error.js';
import type { Storage } from '../ports/storage.js';
import { MemoryApiKeys } from './memory/api-keys.js';
import { MemoryComments } from './memory/comments.js';
import { MemoryExternalIdentities } from './memory/external-identities.js';
import { MemoryIdempotency } from './memory/idempotency.js';
import { MemoryImports } from './memory/imports.js';
import { MemoryOrders } from './memory/orders.js';
import { MemoryPosts } from './memory/posts.js';
import { MemoryProducts } from './memory/products.js';
import { MemoryRefreshTokens } from './memory/refresh-tokens.js';
import { Tables } from './memory/tables.js';
import { MemoryUsers } from './memory/users.js';

/**
 * Creates an empty store. Records are frozen when they are written, so that reads need not copy them. Ids count up from
 * `"1"`.
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), policy: openPolicy });
 * ```
 */
export function memoryStorage(): Storage {
  const tables = new Tables();
  const users = new MemoryUsers(tables);
  const orders = new MemoryOrders(tables);
  const products = new MemoryProducts();
  const comments = new MemoryComments(tables);
  let open = true;
  return {
    users,
    externalIdentities: new MemoryExternalIdentities(tables, users),
    posts: new MemoryPosts(tables),
    orders,
    products,
    comments,
    refreshTokens: new MemoryRefreshTokens(tables),
    apiKeys: new MemoryApiKeys(tables),
    imports: new MemoryImports(tables, users, products, orders),
    idempotency: new MemoryIdempotency({ users, orders, products, comments }),
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
