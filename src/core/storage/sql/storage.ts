/** The storage port over any SQL database. */
import { observedStores, worksIn } from '../../ports/stores-in.js';
import { auditTasks } from './audit.js';
import { apiKeyTasks, refreshTokenTasks } from './credentials.js';
import { commentTasks, orderTasks } from './orders.js';
import { idempotencyTasks } from './idempotency.js';
import { eventAddition } from './outbox-events.js';
import { outboxTasks } from './outbox.js';
import { postTasks, sqlPosts } from './posts.js';
import { productTasks, sqlProducts } from './products.js';
import { sqlRows } from './rows.js';
import type { DatabaseObserver, Stores } from '../../ports/storage.js';
import type { SqlStorage } from '../../ports/store-rows.js';
import { type SqlRunner, type SqlTask, storeOf } from './query/runner.js';
import { externalIdentityTasks, sqlUsers, userTasks } from './users.js';

/** @param runner - on a database whose migrations have run */
export function sqlStorage(runner: SqlRunner, observer: DatabaseObserver = {}): SqlStorage {
  const users = userTasks(runner);
  const tasks = {
    users,
    externalIdentities: externalIdentityTasks(runner, users),
    posts: postTasks(runner),
    orders: orderTasks(runner),
    products: productTasks(runner),
    comments: commentTasks(runner),
    refreshTokens: refreshTokenTasks(runner),
    apiKeys: apiKeyTasks(runner),
    outbox: { publish: eventAddition(runner), ...outboxTasks(runner) },
    idempotency: idempotencyTasks(runner),
    audit: auditTasks(runner),
  };
  const listed = { list: 'runList', count: 'runList' } as const;
  const unobserved = {
    users: sqlUsers(runner, users),
    externalIdentities: storeOf<Stores['externalIdentities']>(runner, tasks.externalIdentities, {
      findOrCreateUser: 'runAtomically',
    }),
    posts: sqlPosts(runner, tasks.posts),
    orders: storeOf<Stores['orders']>(runner, tasks.orders, {
      ...listed,
      summarize: 'runList',
      create: 'runAtomically',
      update: 'runAtomically',
    }),
    products: sqlProducts(runner, tasks.products),
    comments: storeOf<Stores['comments']>(runner, tasks.comments, listed),
    refreshTokens: storeOf<Stores['refreshTokens']>(runner, tasks.refreshTokens, {
      create: 'runAtomically',
      replace: 'runAtomically',
      revoke: 'runAtomically',
      deleteExpired: 'runAtomically',
    }),
    apiKeys: storeOf<Stores['apiKeys']>(runner, tasks.apiKeys, { ...listed, deactivateAllOf: 'run' }),
    outbox: storeOf<Stores['outbox']>(runner, tasks.outbox, {
      publish: 'runAtomically',
      receivers: 'run',
      create: 'runAtomically',
      delete: 'runAtomically',
      claim: 'runAtomically',
      settle: 'runAtomically',
      listDeliveries: 'runList',
      countWaiting: 'runList',
      redeliver: 'run',
      hasten: 'runAtomically',
      deleteExpired: 'runAtomically',
    }),
    idempotency: storeOf<Stores['idempotency']>(runner, tasks.idempotency, {
      deleteExpired: 'runAtomically',
    }),
    audit: storeOf<Stores['audit']>(runner, tasks.audit, {
      list: 'runList',
      listBefore: 'runList',
      deleteExpired: 'runAtomically',
    }),
  };
  const stores = observedStores(unobserved, observer.call);
  const workIn = worksIn(tasks, observer.call);
  return {
    ...stores,
    joined: stores,
    transaction: (work, isBrief) =>
      runner.transact(isBrief, ({ run, database, query }) => {
        const call = (task: (...given: readonly unknown[]) => SqlTask<unknown>, given: readonly unknown[]) =>
          run(() => task(...given));
        return workIn(call, { database, query, ownFields: runner.ownFields }, work);
      }),
    ownFields: runner.ownFields,
    sql: runner.dialect.database,
    rows: sqlRows(runner, users, tasks.outbox.publish, tasks.audit.add),
    ping: () => runner.ping(),
    close: () => runner.close(),
  };
}
