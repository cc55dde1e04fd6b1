/** The storage port over any SQL database. */
import type { Storage } from '../../ports/storage.js';
import { SqlApiKeys } from './api-keys.js';
import { SqlComments } from './comments.js';
import { SqlExternalIdentities } from './external-identities.js';
import { SqlIdempotency } from './idempotency.js';
import { SqlImports } from './imports.js';
import { SqlOrders } from './orders.js';
import { SqlPosts } from './posts.js';
import { SqlProducts } from './products.js';
import { SqlRefreshTokens } from './refresh-tokens.js';
import type { SqlRunner } from './query/runner.js';
import { SqlUsers } from './users.js';

/** @param runner - on a database whose migrations have run */
export function sqlStorage(runner: SqlRunner): Storage {
  const users = new SqlUsers(runner);
  const orders = new SqlOrders(runner);
  const products = new SqlProducts(runner);
  const comments = new SqlComments(runner);
  return {
    users,
    externalIdentities: new SqlExternalIdentities(runner),
    posts: new SqlPosts(runner),
    orders,
    products,
    comments,
    refreshTokens: new SqlRefreshTokens(runner),
    apiKeys: new SqlApiKeys(runner),
    imports: new SqlImports(runner),
    idempotency: new SqlIdempotency(runner, { users, orders, products, comments }),
    ping: () => runner.ping(),
    close: () => runner.close(),
  };
}
