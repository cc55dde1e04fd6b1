/** The setting of the broker by which the processes of a deployment send each other events. */

import { type Reader, type Setting, SettingFault } from './setting.js';

export type EventsSetting =
  { readonly kind: 'memory' } | { readonly kind: 'postgres' | 'redis'; readonly url: string };

const SCHEMES = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'redis:': 'redis',
  'rediss:': 'redis',
} as const;

/** A PostgreSQL store also carries the events, unless a broker is given. */
const readEvents: Reader<EventsSetting> = (given, environment) => {
  const database = environment.valueOf('DATABASE_URL') ?? '';
  const url = given ?? (/^postgres(?:ql)?:/.test(database) ? database : 'memory:');
  if (url === 'memory:') return { kind: 'memory' };
  const scheme = /^(?:postgres|postgresql|redis|rediss):(?=\/\/)/.exec(url)?.[0] as
    keyof typeof SCHEMES | undefined;
  if (scheme !== undefined && URL.canParse(url)) return { kind: SCHEMES[scheme], url };
  // A wrong DATABASE_URL is reported by its own setting. Addresses are not repeated in messages: they may contain passwords.
  if (given === undefined) return { kind: 'memory' };
  throw new SettingFault('must be memory:, postgres://<user>:<password>@<host>/<database> or redis://<host>');
};

export const eventsSettings = {
  events: {
    name: 'EVENTS_URL',
    byDefault: 'the store when that is PostgreSQL, else `memory:`',
    meaning:
      'how processes announce new posts to each other: `memory:` (not at all), `postgres://…` or `redis://…`; not through a connection pooler',
    read: readEvents,
  } satisfies Setting<EventsSetting>,
};
