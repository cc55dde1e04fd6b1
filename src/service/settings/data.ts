/** The settings of the store, its initial data, and the broker by which processes send each other events. */

import { isIP } from 'node:net';
import { serverRoleOf, serverRoles, serverUrls } from '@concordat/core';
import { type Reader, SettingFault, choice, integer, optional, toggle } from './setting.js';

/** The store that DATABASE_URL names. */
type DatabaseSetting =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const readDatabase: Reader<DatabaseSetting> = (url = 'sqlite:./data/service.db') => {
  if (url === 'memory:') return { kind: 'memory' };
  const path = /^sqlite:(.+)$/s.exec(url)?.[1];
  // Of sqlite://data.db, the system would make /data.db.
  if (path !== undefined && /^\/\/(?!\/[^./])/.test(path))
    throw new SettingFault('must have a path after sqlite:, such as sqlite:./data/service.db');
  if (path !== undefined) return { kind: 'sqlite', path };
  if (serverOf(url) === 'postgres') return { kind: 'postgres', url: withKnownRole(url) };
  // The URL may contain a password, so it is not repeated.
  throw new SettingFault('must be memory:, sqlite:<path> or postgres://<user>:<password>@<host>/<database>');
};

export type EventsSetting =
  { readonly kind: 'memory' } | { readonly kind: 'postgres' | 'redis'; readonly url: string };

/** The server that a valid URL names. */
function serverOf(url: string): 'postgres' | 'redis' | undefined {
  if (!serverUrls(url).every((each) => URL.canParse(each))) return undefined;
  return /^postgres(?:ql)?:\/\//.test(url) ? 'postgres' : /^rediss?:\/\//.test(url) ? 'redis' : undefined;
}

/** @throws SettingFault when the URL asks for a server that accepts no writes, as libpq can */
function withKnownRole(url: string): string {
  if (serverRoles.includes(serverRoleOf(url))) return url;
  throw new SettingFault(`must have one of these as target_session_attrs: ${serverRoles.join(', ')}`);
}

type Pooler = 'session' | 'transaction';
const pooler = choice<Pooler>(['session', 'transaction'], 'session');

const readPooler: Reader<Pooler> = (given, environment) => {
  const value = pooler(given, environment);
  if (value === 'session' || environment.valueOf('DATABASE_DIRECT_URL') !== undefined) return value;
  throw new SettingFault('is transaction, which needs DATABASE_DIRECT_URL, the URL of the server itself');
};

function readDirectUrl(url: string): string {
  if (serverOf(url) === 'postgres') return withKnownRole(url);
  throw new SettingFault('must be postgres://<user>:<password>@<host>/<database>');
}

/** A PostgreSQL store also carries the events, unless a broker is given. */
const readEvents: Reader<EventsSetting> = (given, environment) => {
  const database = environment.valueOf('DATABASE_URL') ?? '';
  const direct = environment.valueOf('DATABASE_DIRECT_URL') ?? database;
  const url = given ?? (/^postgres(?:ql)?:/.test(database) ? direct : 'memory:');
  if (url === 'memory:') return { kind: 'memory' };
  const kind = serverOf(url);
  if (kind !== undefined)
    return { kind, url: kind === 'postgres' && given !== undefined ? withKnownRole(url) : url };
  // A wrong URL of the database is reported by its own setting. Addresses are not repeated in messages: they may contain passwords.
  if (given === undefined) return { kind: 'memory' };
  throw new SettingFault('must be memory:, postgres://<user>:<password>@<host>/<database> or redis://<host>');
};

function readAllowed(given: string): readonly string[] {
  const entries = given.split(',').map((entry) => entry.trim());
  for (const entry of entries) {
    const [address = '', bits, ...others] = entry.split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const isNetwork = /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= most && others.length === 0;
    if (bits === undefined ? /^[^\s:]+$/.test(entry) || most > 0 : isNetwork) continue;
    throw new SettingFault(
      `must be a comma-separated list of hosts, addresses and networks such as 10.0.0.0/8, not ${entry}`,
    );
  }
  return entries;
}

const outbox = choice(['on', 'store', 'off'], 'off');

/** True for a process that delivers too. */
const readOutbox: Reader<boolean | 'store'> = (given, environment) => {
  const value = outbox(given, environment);
  if (value === 'store' && environment.valueOf('DATABASE_URL') === 'memory:')
    throw new SettingFault(
      'is store, and DATABASE_URL is memory:, which concordat-service deliver cannot reach: use on',
    );
  return value === 'store' ? value : value === 'on';
};

/** The settings of the store and of its events, which commands read too. */
export const databaseSettings = {
  database: {
    name: 'DATABASE_URL',
    byDefault: '`sqlite:./data/service.db`',
    meaning:
      '`memory:`, `sqlite:<path>` or `postgres://…`, which may list several hosts; migrated at the start',
    mayBeFile: true,
    read: readDatabase,
  },
  databasePooler: {
    name: 'DATABASE_POOLER',
    byDefault: '`session`',
    meaning:
      '`transaction` when `DATABASE_URL` leads to a pooler that gives each transaction another connection, such as PgBouncer with `pool_mode = transaction`',
    read: readPooler,
  },
  databaseDirectUrl: {
    ...optional(
      'DATABASE_DIRECT_URL',
      'the URL of the PostgreSQL server itself behind a pooler, for migrations and events',
      readDirectUrl,
      '`DATABASE_URL`',
    ),
    mayBeFile: true,
  },
  databasePoolSize: integer(
    'DATABASE_POOL_SIZE',
    'how many connections a process opens to PostgreSQL for requests',
    {
      from: 1,
      to: 1000,
      byDefault: 10,
    },
  ),
  startWaitSeconds: integer(
    'START_WAIT',
    'seconds that the start and `migrate` wait for a PostgreSQL, and the start for a Redis, that does not answer yet',
    { from: 0, to: 3600, byDefault: 30 },
  ),
  events: {
    name: 'EVENTS_URL',
    byDefault: '`DATABASE_DIRECT_URL` or the store when that is PostgreSQL, else `memory:`',
    meaning:
      'how processes announce new posts to each other: `memory:` (not at all), `postgres://…` or `redis://…`; not through a connection pooler',
    mayBeFile: true,
    read: readEvents,
  },
  webhookAllow: optional(
    'WEBHOOK_ALLOW',
    'the comma-separated hosts, addresses and networks (`10.0.0.0/8`) to which webhooks may be sent although they are not public',
    readAllowed,
  ),
};

/** The values of these settings. */
export type DatabaseSettings = {
  readonly [Key in keyof typeof databaseSettings]: ReturnType<(typeof databaseSettings)[Key]['read']>;
};

export const dataSettings = {
  ...databaseSettings,
  outbox: {
    name: 'OUTBOX',
    byDefault: '`off`',
    meaning:
      'whether writes publish events, to webhooks and to consumers of your own: `on`, or `store` to leave the deliveries to `concordat-service deliver`; `off` in no process or in all',
    read: readOutbox,
  },
  demoData: toggle('DEMO_DATA', 'whether an empty store gets demo records', 'on', 'off'),
};
