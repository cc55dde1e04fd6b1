/** The storage that lives in this process and ends with it: for tests, demonstrations and first steps. */
import { ServiceError } from '../../core/model/error.js';
import type { Storage } from '../../core/ports/storage.js';
import { MemoryComments } from './memory/comments.js';
import { MemoryOrders } from './memory/orders.js';
import { MemoryPosts } from './memory/posts.js';
import { MemoryProducts } from './memory/products.js';
import { Tables } from './memory/tables.js';
import { MemoryUsers } from './memory/users.js';

/**
 * Makes an empty store. Records are frozen when they are written, so that reads need not copy them; ids count up from
 * `"1"`.
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), policy: openPolicy });
 * ```
 */
export function memoryStorage(): Storage {
  const tables = new Tables();
  let open = true;
  return {
    users: new MemoryUsers(tables),
    posts: new MemoryPosts(tables),
    orders: new MemoryOrders(tables),
    products: new MemoryProducts(),
    comments: new MemoryComments(tables),
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
