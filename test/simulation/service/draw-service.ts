/** Draws worlds of the whole service, and what happens in them, from a seed. */

import { redisAbsence } from '../../support/redis-server.js';
import { Random } from '../random.js';
import { actions } from '../simulate.js';
import type { PolicyName } from '../model.js';

export interface ServiceSettings {
  readonly store: 'sqlite' | 'postgres';
  /** Whether events and limits are in Redis; without it, SQLite has one process. */
  readonly redis: boolean;
  readonly policy: PolicyName;
  readonly instances: number;
  readonly outbox: boolean;
  readonly signInForm: 'pair' | 'single';
  readonly crowd: number;
}

const events = [
  ...(['join', 'join', 'join by socket', 'join by socket', 'leave', 'leave by socket', 'come back'] as const),
  ...([
    'stall',
    'read again',
    'receivers',
    'receivers',
    'rude client',
    'rude client',
    'rude client',
  ] as const),
  ...([
    'sign in elsewhere',
    'sign in elsewhere',
    'restart',
    'kill',
    'start',
    'back up',
    'restore',
    'move',
    'broker ends',
    'broker comes',
  ] as const),
] as const;

interface DrawnCall {
  readonly action: string;
  readonly seed: number;
  readonly instance: number;
}

export type ServiceEvent = (typeof events)[number];

/**
 * A process is killed, the database or the broker hangs for a while, or the clients leave: after so many milliseconds. Clients that leave
 * repeat their requests, each under its key.
 */
export interface Kill {
  readonly what: 'service' | 'database' | 'database hangs' | 'broker hangs' | 'clients';
  readonly afterMs: number;
}

export type ServiceStep =
  | {
      readonly calls: readonly DrawnCall[];
      /** What happens while they are on their way. */
      readonly kill?: Kill;
    }
  | { readonly event: ServiceEvent; readonly seed: number };

export interface ServiceRun {
  readonly seed: number;
  readonly settings: ServiceSettings;
  readonly steps: readonly ServiceStep[];
}

export interface ServiceFailure {
  readonly run: ServiceRun;
  readonly message: string;
  readonly log: readonly string[];
}

/** A call whose answer is lost must be repeated or be found in what is stored, which a new key's secret is not. */
const isLosable = (name: string): boolean => name !== 'createApiKey';

export function drawServiceRun(store: ServiceSettings['store'], seed: number, count: number): ServiceRun {
  const random = new Random(seed);
  const redis = random.chance(0.6) && redisAbsence === undefined;
  const most = store === 'postgres' || redis ? 3 : 1;
  const settings: ServiceSettings = {
    store,
    redis,
    policy: random.pick(['open', 'protected']),
    instances: random.whole(1, most),
    outbox: random.chance(0.7),
    signInForm: random.pick(['pair', 'single']),
    crowd: random.pick([0, 0, 60, 400]),
  };
  const weights = actions.flatMap(({ name, weight }) =>
    // Without posts there is little that subscribers could miss, and without sessions little that may be written.
    Array.from({ length: weight * (['createPost', 'login'].includes(name) ? 3 : 1) }, () => name),
  );
  const drawCall = (names: readonly string[]): DrawnCall => ({
    action: random.pick(names) ?? '',
    seed: random.whole(0, 2 ** 31),
    instance: random.whole(0, settings.instances - 1),
  });
  const calls = (least: number, most: number, names: readonly string[]): readonly DrawnCall[] =>
    Array.from({ length: random.whole(least, most) }, () => drawCall(names));
  const losable = weights.filter(isLosable);
  const steps = Array.from({ length: count }, (): ServiceStep => {
    const chosen = random.next();
    if (chosen < 0.15) return { event: random.pick(events), seed: random.whole(0, 2 ** 31) };
    if (chosen > 0.04 + 0.15)
      return { calls: random.chance(0.15) ? calls(2, 3, weights) : calls(1, 1, weights) };
    const what = random.pick<Kill['what']>([
      'service',
      'service',
      'clients',
      ...(store === 'postgres' ? (['database', 'database hangs'] as const) : []),
      ...(redis ? (['broker hangs'] as const) : []),
    ]);
    const names = what === 'clients' ? ['a creation under a key'] : losable;
    return { calls: calls(1, 3, names), kill: { what, afterMs: random.whole(0, 40) } };
  });
  return { seed, settings, steps };
}

/** Settings of plainer worlds, for runs that fail. */
export const plainerWorlds: readonly Partial<ServiceSettings>[] = [
  { instances: 1 },
  { outbox: false },
  { redis: false },
  { crowd: 0 },
  { policy: 'open' },
  { signInForm: 'pair' },
];
