/** Draws worlds of the whole service, and what happens in them, from a seed. */

import { redisAbsence } from '../../support/redis-server.js';
import { commonActions } from '../actions/all-actions.js';
import { Random } from '../random.js';
import {
  type WorldSettings,
  drawCrowd,
  drawFirstId,
  drawLimits,
  mostSteps,
  plainSettings,
} from '../settings.js';
import { type DrawnCall, type FailureOf, type RunOf, callDrawer } from '../steps.js';

/** Those of {@link plainSettings} that are not drawn are of no use to it. */
export interface ServiceSettings extends Omit<WorldSettings, 'store'> {
  readonly store: 'sqlite' | 'postgres';
  /** Whether events and limits are in Redis; without it, SQLite has one process. */
  readonly redis: boolean;
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
    'restart',
    'kill',
    'start',
    'back up',
    'restore',
    'move',
    'read only',
    'broker ends',
    'broker comes',
  ] as const),
] as const;

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

export type ServiceRun = RunOf<ServiceSettings, ServiceStep>;
export type ServiceFailure = FailureOf<ServiceRun>;

/** A call whose answer is lost must be repeated or be found in what is stored, which a new key's secret is not, nor what is refused. */
const isLosable = (name: string): boolean => name !== 'createApiKey' && !name.includes('wrong at one place');

export function drawServiceRun(store: ServiceSettings['store'], seed: number, count: number): ServiceRun {
  const random = new Random(seed);
  const redis = random.chance(0.6) && redisAbsence === undefined;
  const most = store === 'postgres' || redis ? 3 : 1;
  const settings: ServiceSettings = {
    ...plainServiceSettings,
    store,
    redis,
    policy: random.pick(['open', 'protected']),
    instances: random.whole(1, most),
    outbox: random.chance(0.7),
    signInForm: random.pick(['pair', 'single']),
    rotates: random.chance(0.3),
    reportsVersions: random.chance(0.8),
    crowd: drawCrowd(random),
    firstId: drawFirstId(random),
    limits: drawLimits(random),
  };
  // Without posts there is little that subscribers could miss, and without sessions little that may be written.
  const weighted = commonActions.map(({ name, weight }) => ({
    name,
    weight: weight * (['createPost', 'login'].includes(name) ? 3 : 1),
  }));
  const drawer = (of: typeof weighted) => callDrawer(random, of, settings.instances);
  const drawAny = drawer(weighted);
  const drawLosable = drawer(weighted.filter(({ name }) => isLosable(name)));
  const drawKeyed = drawer(weighted.filter(({ name }) => name === 'a creation under a key'));
  const calls = (least: number, most: number, drawCall: () => DrawnCall): readonly DrawnCall[] =>
    Array.from({ length: random.whole(least, most) }, drawCall);
  const steps = Array.from({ length: mostSteps(settings, count) }, (): ServiceStep => {
    const chosen = random.next();
    if (chosen < 0.15) return { event: random.pick(events), seed: random.whole(0, 2 ** 31) };
    if (chosen > 0.04 + 0.15)
      return { calls: random.chance(0.15) ? calls(2, 3, drawAny) : calls(1, 1, drawAny) };
    const what = random.pick<Kill['what']>([
      'service',
      'service',
      'clients',
      ...(store === 'postgres' ? (['database', 'database hangs'] as const) : []),
      ...(redis ? (['broker hangs'] as const) : []),
    ]);
    const drawCall = what === 'clients' ? drawKeyed : drawLosable;
    return { calls: calls(1, 3, drawCall), kill: { what, afterMs: random.whole(0, 40) } };
  });
  return { seed, settings, steps };
}

const { store: _, ...plain } = plainSettings;

/** On either store. */
export const plainServiceSettings: Omit<ServiceSettings, 'store'> = { ...plain, redis: false };
