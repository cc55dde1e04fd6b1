/** The settings of the store, its initial data, and the broker by which processes send each other events. */

import { type Reader, SettingFault, toggle } from './setting.js';

/** The store that DATABASE_URL names. */
export type DatabaseSetting =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const readDatabase: Reader<DatabaseSetting> = (url = 'sqlite:./data/service.db') => {
  if (url === 'memory:') return { kind: 'memory' };
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return { kind: 'sqlite', path: url.slice('sqlite:'.length) };
  }
  if (serverOf(url) === 'postgres') return { kind: 'postgres', url };
  // The URL may contain a password, so it is not repeated.
  throw new SettingFault('must be memory:, sqlite:<path> or postgres://<user>:<password>@<host>/<database>');
};

export type EventsSetting =
  { readonly kind: 'memory' } | { readonly kind: 'postgres' | 'redis'; readonly url: string };

/** The server that a valid URL names. */
function serverOf(url: string): 'postgres' | 'redis' | undefined {
  if (!URL.canParse(url)) return undefined;
  return /^postgres(?:ql)?:\/\//.test(url) ? 'postgres' : /^rediss?:\/\//.test(url) ? 'redis' : undefined;
}

/** A PostgreSQL store also carries the events, unless a broker is given. */
const readEvents: Reader<EventsSetting> = (given, environment) => {
  const database = environment.valueOf('DATABASE_URL') ?? '';
  const url = given ?? (/^postgres(?:ql)?:/.test(database) ? database : 'memory:');
  if (url === 'memory:') return { kind: 'memory' };
  const kind = serverOf(url);
  if (kind !== undefined) return { kind, url };
  // A wrong DATABASE_URL is reported by its own setting. Addresses are not repeated in messages: they may contain passwords.
  if (given === undefined) return { kind: 'memory' };
  throw new SettingFault('must be memory:, postgres://<user>:<password>@<host>/<database> or redis://<host>');
};

export const dataSettings = {
  database: {
    name: 'DATABASE_URL',
    byDefault: '`sqlite:./data/service.db`',
    meaning: '`memory:`, `sqlite:<path>` or `postgres://…`; migrated at the start',
    read: readDatabase,
  },
  demoData: toggle('DEMO_DATA', 'whether an empty store gets demo records', 'on', 'off'),
  events: {
    name: 'EVENTS_URL',
    byDefault: 'the store when that is PostgreSQL, else `memory:`',
    meaning:
      'how processes announce new posts to each other: `memory:` (not at all), `postgres://…` or `redis://…`; not through a connection pooler',
    read: readEvents,
  },
};
