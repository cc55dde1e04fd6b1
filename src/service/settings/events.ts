/** The setting of how the processes of a deployment tell each other what happened. */

import { type Reader, type Setting, SettingFault } from './setting.js';

export type EventsSetting =
  { readonly kind: 'memory' } | { readonly kind: 'postgres' | 'redis'; readonly url: string };

const SCHEMES = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'redis:': 'redis',
  'rediss:': 'redis',
} as const;

/** A store that several processes share carries their events too. */
const readEvents: Reader<EventsSetting> = (given, environment) => {
  const database = environment.valueOf('DATABASE_URL') ?? '';
  const url = given ?? (/^postgres(?:ql)?:/.test(database) ? database : 'memory:');
  if (url === 'memory:') return { kind: 'memory' };
  const scheme = /^(?:postgres|postgresql|redis|rediss):(?=\/\/)/.exec(url)?.[0] as
    keyof typeof SCHEMES | undefined;
  if (scheme !== undefined && URL.canParse(url)) return { kind: SCHEMES[scheme], url };
  // What is wrong with the store's address is said of that; and as it may carry a password, no address is repeated.
  if (given === undefined) return { kind: 'memory' };
  throw new SettingFault('must be memory:, postgres://<user>:<password>@<host>/<database> or redis://<host>');
};

export const eventsSettings = {
  events: {
    name: 'EVENTS_URL',
    byDefault: 'the store where that is PostgreSQL, else `memory:`',
    meaning:
      'how processes tell each other of new posts: `memory:` (not at all), `postgres://…` or `redis://…`; a connection pooler must not stand between',
    read: readEvents,
  } satisfies Setting<EventsSetting>,
};
