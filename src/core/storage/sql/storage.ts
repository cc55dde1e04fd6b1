/** The storage port over any SQL database. */
import { sqlAudit } from './audit.js';
import { apiKeyTasks, refreshTokenTasks } from './credentials.js';
import { commentTasks } from './comments.js';
import { idempotencyTasks } from './idempotency.js';
import { orderTasks } from './orders.js';
import { sqlPosts } from './posts.js';
import { productTasks } from './products.js';
import { sqlRows } from './rows.js';
import type { SqlStorage } from '../../ports/store-rows.js';
import { type SqlRunner, storeOf } from './query/runner.js';
import { externalIdentityTasks, sqlUsers, userTasks } from './users.js';

/** @param runner - on a database whose migrations have run */
export function sqlStorage(runner: SqlRunner): SqlStorage {
  const users = userTasks(runner);
  const orders = orderTasks(runner);
  const products = productTasks(runner);
  const comments = commentTasks(runner);
  const refreshTokens = refreshTokenTasks(runner);
  const apiKeys = apiKeyTasks(runner);
  const idempotency = idempotencyTasks(runner, { users, orders, products, comments });
  const stores = {
    users: sqlUsers(runner, users),
    externalIdentities: storeOf(runner, externalIdentityTasks(runner, users), ['findOrCreateUser']),
    posts: sqlPosts(runner),
    orders: storeOf(runner, orders, ['create', 'update']),
    products: storeOf(runner, products, ['setCategories']),
    comments: storeOf(runner, comments),
    refreshTokens: storeOf(runner, refreshTokens, ['create', 'replace', 'revoke', 'deleteExpired']),
    apiKeys: storeOf(runner, apiKeys),
    idempotency: storeOf(runner, idempotency, [
      'createUser',
      'createOrder',
      'createProduct',
      'createComment',
      'deleteExpired',
    ]),
  };
  return {
    ...stores,
    audit: sqlAudit(runner, stores, {
      'users.create': users.create,
      'users.update': users.update,
      'users.delete': users.delete,
      'idempotency.createUser': idempotency.createUser,
      'refreshTokens.create': refreshTokens.create,
      'apiKeys.create': apiKeys.create,
      'apiKeys.deactivate': apiKeys.deactivate,
      'apiKeys.deactivateAllOf': apiKeys.deactivateAllOf,
      'orders.delete': orders.delete,
      'products.delete': products.delete,
    }),
    rows: sqlRows(runner),
    ping: () => runner.ping(),
    close: () => runner.close(),
  };
}
