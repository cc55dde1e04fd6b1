/** The storage port over any SQL database. */
import { sql } from 'kysely';
import type { Storage } from '../../ports/storage.js';
import { SqlApiKeys } from './api-keys.js';
import { SqlComments } from './comments.js';
import { SqlExternalIdentities } from './external-identities.js';
import { SqlImports } from './imports.js';
import { SqlOrders } from './orders.js';
import { SqlPosts } from './posts.js';
import { PreparedQuery } from './prepared-query.js';
import { SqlProducts } from './products.js';
import { SqlRefreshTokens } from './refresh-tokens.js';
import type { SqlSession } from './session.js';
import { rowsOf, type Step } from './step.js';
import { SqlUsers } from './users.js';

/** @param session - on a database whose migrations have run */
export function sqlStorage(session: SqlSession): Storage {
  const anything = new PreparedQuery('ping', session.builder.selectNoFrom(sql.lit(1).as('one')));
  function* ping(): Step<void> {
    yield* rowsOf(anything.with());
  }
  return {
    users: new SqlUsers(session),
    externalIdentities: new SqlExternalIdentities(session),
    posts: new SqlPosts(session),
    orders: new SqlOrders(session),
    products: new SqlProducts(session),
    comments: new SqlComments(session),
    refreshTokens: new SqlRefreshTokens(session),
    apiKeys: new SqlApiKeys(session),
    imports: new SqlImports(session),
    ping: () => session.run(ping),
    close: () => session.close(),
  };
}
