/** The storage port over any SQL database. */
import { sqlAudit } from './audit.js';
import { apiKeyTasks, refreshTokenTasks } from './credentials.js';
import { commentTasks, orderTasks } from './orders.js';
import { idempotencyTasks } from './idempotency.js';
import { outboxTasks } from './outbox.js';
import { postTasks, sqlPosts } from './posts.js';
import { productTasks } from './products.js';
import { sqlRows } from './rows.js';
import { sqlWrites } from './writes.js';
import type { ApiKeyStore, RefreshTokenStore } from '../../ports/credential-store.js';
import type { IdempotencyStore } from '../../ports/idempotency-store.js';
import type { CommentStore, OrderStore } from '../../ports/order-store.js';
import type { OutboxStore } from '../../ports/outbox.js';
import type { ProductStore } from '../../ports/product-store.js';
import type { SqlStorage } from '../../ports/store-rows.js';
import type { ExternalIdentityStore } from '../../ports/user-store.js';
import { type SqlRunner, storeOf } from './query/runner.js';
import { externalIdentityTasks, sqlUsers, userTasks } from './users.js';

/** @param runner - on a database whose migrations have run */
export function sqlStorage(runner: SqlRunner): SqlStorage {
  const users = userTasks(runner);
  const externalIdentities = externalIdentityTasks(runner, users);
  const posts = postTasks(runner);
  const orders = orderTasks(runner);
  const products = productTasks(runner);
  const comments = commentTasks(runner);
  const refreshTokens = refreshTokenTasks(runner);
  const apiKeys = apiKeyTasks(runner);
  const idempotency = idempotencyTasks(runner, { users, orders, products, comments });
  const { add, ...outbox } = outboxTasks(runner);
  const listed = { list: 'runList', count: 'runList' } as const;
  const stores = {
    users: sqlUsers(runner, users),
    externalIdentities: storeOf<ExternalIdentityStore>(runner, externalIdentities, {
      findOrCreateUser: 'runAtomically',
    }),
    posts: sqlPosts(runner, posts),
    orders: storeOf<OrderStore>(runner, orders, {
      ...listed,
      summarize: 'runList',
      create: 'runAtomically',
      update: 'runAtomically',
    }),
    products: storeOf<ProductStore>(runner, products, {
      ...listed,
      findMany: 'run',
      listCategories: 'runList',
      setCategories: 'runAtomically',
    }),
    comments: storeOf<CommentStore>(runner, comments, listed),
    refreshTokens: storeOf<RefreshTokenStore>(runner, refreshTokens, {
      create: 'runAtomically',
      replace: 'runAtomically',
      revoke: 'runAtomically',
      deleteExpired: 'runAtomically',
    }),
    apiKeys: storeOf<ApiKeyStore>(runner, apiKeys, { ...listed, deactivateAllOf: 'run' }),
    outbox: storeOf<OutboxStore>(runner, outbox, {
      receivers: 'run',
      create: 'runAtomically',
      change: 'runAtomically',
      claim: 'runAtomically',
      listDeliveries: 'runList',
      countDeliveries: 'runList',
      redeliver: 'run',
      deleteExpired: 'runAtomically',
    }),
    idempotency: storeOf<IdempotencyStore>(runner, idempotency, {
      createUser: 'runAtomically',
      createOrder: 'runAtomically',
      createProduct: 'runAtomically',
      createComment: 'runAtomically',
      deleteExpired: 'runAtomically',
    }),
  };
  return {
    ...stores,
    audit: sqlAudit(runner),
    writes: sqlWrites(runner, add, stores, {
      users,
      externalIdentities,
      posts,
      orders,
      products,
      comments,
      apiKeys,
      refreshTokens,
      idempotency,
    }),
    stored: runner.stored,
    rows: sqlRows(runner),
    ping: () => runner.ping(),
    close: () => runner.close(),
  };
}
