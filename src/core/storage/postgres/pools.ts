/** Pools of connections to the servers of a PostgreSQL URL: to one, to a pooler before it, or to the one of several that fits. */

import pg from 'pg';
import { withAddress } from '../../model/error.js';
import type { DatabaseObserver, PoolState } from '../../ports/storage.js';
import { namedSocket } from '../../servers/names.js';
import { requireRole, serverRoleOf, serverUrls } from '../../servers/server-urls.js';
import { databaseDeadlines, type PostgresPool } from './connection.js';

interface PoolOptions extends Pick<pg.PoolConfig, 'max' | 'connectionTimeoutMillis' | 'idleTimeoutMillis'> {
  readonly observer?: DatabaseObserver | undefined;
  readonly pooler?: 'session' | 'transaction' | undefined;
  readonly onConnectionError?: ((error: Error) => void) | undefined;
}

type OwnPool = PostgresPool & { state(): PoolState; end(): Promise<void> };

type ServerPool = ReturnType<typeof openServer>;

/** Opens connections when they are needed. @param application - the name in `pg_stat_activity`, unless the URL has one */
export function openPool(url: string, application: string, options: PoolOptions): OwnPool {
  const [first, ...others] = serverUrls(url);
  const role = serverRoleOf(url);
  const open = (each: string) => openServer(each, role, application, options);
  return others.length === 0 ? open(first) : poolOfServers([open(first), ...others.map(open)]);
}

function openServer(
  url: string,
  role: string,
  application: string,
  { pooler, observer, onConnectionError = () => undefined, ...options }: PoolOptions,
) {
  const { host, port } = new pg.Client(url);
  const server = { host, port };
  const settings = pooler === 'transaction' ? transactionSettings(url) : undefined;
  const pool = new pg.Pool({
    fallback_application_name: application,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    stream: namedSocket,
    ...(settings === undefined
      ? { connectionString: url, ...databaseDeadlines }
      : { connectionString: settings.url }),
    // The pool waits for the promise, which its types leave out.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    onConnect: (client) => requireRole(client, role),
    ...options,
  });
  // The pool removes a broken idle connection by itself, but an `error` event without a listener would end the process.
  pool.on('error', (error) => onConnectionError(withAddress(error, server) as Error));
  // The same holds for a connection that breaks after it is handed out and before the storage listens to it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const state = () => ({
    size: pool.totalCount,
    idle: pool.idleCount,
    max: pool.options.max,
    waiting: pool.waitingCount,
  });
  return Object.assign(pool, {
    server,
    observer,
    state,
    transactionSettings: settings?.statements,
  });
}

/** The deadlines as statements of each transaction: a transaction pooler does not accept them as options of a connection. */
function transactionSettings(given: string) {
  const url = new URL(given);
  const statements = Object.entries(databaseDeadlines).map(([name, ms]) => {
    const value = url.searchParams.get(name) ?? String(ms);
    url.searchParams.delete(name);
    return `; set local ${name} = ${pg.escapeLiteral(value)}`;
  });
  return { url: url.href, statements: statements.join('') };
}

/** One pool per server, of which one is in use until a connection to it fails. All have the same options. */
function poolOfServers(pools: readonly [ServerPool, ...ServerPool[]]): OwnPool {
  let [current] = pools;
  const { options, observer, transactionSettings } = current;
  return {
    ...{ options, observer, transactionSettings },
    get server() {
      return current.server;
    },
    state: () => current.state(),
    /** Tries each server once, the current one first. @throws the error of the current one */
    async connect() {
      const tried = current;
      try {
        return await tried.connect();
      } catch (error) {
        if (error instanceof Error && error.message === allInUse) throw error;
        for (const pool of pools) {
          if (pool === tried) continue;
          try {
            const client = await pool.connect();
            current = pool;
            return client;
          } catch {
            // The next server may answer and have the role that the URL asks for.
          }
        }
        // Another task may have found another server in the meantime.
        throw withAddress(error, tried.server);
      }
    },
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** The message of a pool whose connections are all in use. The server works, so no other one is tried. */
const allInUse = 'timeout exceeded when trying to connect';
