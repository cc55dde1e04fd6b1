/** The settings of a world: which service it has, with which data and limits, and what may go wrong around it. */

import type { PolicyName } from './model.js';
import type { Random } from './random.js';

/** Records that one owner has from the start, beside others who have few. */
export interface Crowd {
  readonly kind: 'posts' | 'orders' | 'products' | 'comments' | 'users';
  readonly count: number;
}

/** What a GraphQL operation may be, and its answer. */
export interface GraphqlLimits {
  readonly depth: number;
  readonly tokens: number;
  readonly aliases: number;
  readonly repeats: number;
  readonly responseBytes: number;
  readonly seconds: number;
  readonly nodes: number;
  readonly bodyBytes: number;
}

export interface WorldSettings {
  readonly store: 'memory' | 'sqlite';
  readonly policy: PolicyName;
  /** The instances of the service over the store. */
  readonly instances: number;
  readonly outbox: boolean;
  readonly signInForm: 'pair' | 'single';
  readonly rotates: boolean;
  /** Whether sign-ins are limited as in production. */
  readonly limitsSignIns: boolean;
  readonly reportsVersions: boolean;
  /** The most turns of the event loop that a call of the store takes; 0 for a store that is not wrapped. */
  readonly turns: number;
  readonly crowd: Crowd;
  /** The first id that the store gives. */
  readonly firstId: number;
  readonly limits: GraphqlLimits;
  /** Whether code of the deployer runs before and in writes. */
  readonly hooks: boolean;
  /** Whether queries are compiled. */
  readonly compiles: boolean;
  /** Whether the contract has fields of the deployer's own. */
  readonly fields: boolean;
  /** The stores that the deployer has replaced. */
  readonly ownStores: readonly ('orders' | 'users' | 'posts')[];
  /** How many posts a subscriber may fall behind. */
  readonly queued: number;
}

/** Those that hold without any setting. */
export const usualLimits: GraphqlLimits = {
  depth: 12,
  tokens: 2000,
  aliases: 30,
  repeats: 500,
  responseBytes: 16 * 1024 * 1024,
  seconds: 30,
  nodes: 100_000,
  bodyBytes: 1024 * 1024,
};

/** In which nothing is special: a failing run is shrunk towards it. */
export const plainSettings: WorldSettings = {
  store: 'memory',
  policy: 'open',
  instances: 1,
  outbox: false,
  signInForm: 'pair',
  rotates: false,
  limitsSignIns: false,
  reportsVersions: true,
  turns: 0,
  crowd: { kind: 'posts', count: 0 },
  firstId: 1,
  limits: usualLimits,
  hooks: false,
  compiles: false,
  fields: false,
  ownStores: [],
  queued: 1000,
};

export function drawSettings(random: Random): WorldSettings {
  return {
    store: random.pick(['memory', 'memory', 'sqlite']),
    policy: random.pick(['open', 'protected']),
    instances: random.whole(1, 3),
    outbox: random.chance(0.6),
    signInForm: random.pick(['pair', 'single']),
    rotates: random.chance(0.3),
    limitsSignIns: random.chance(0.2),
    reportsVersions: random.chance(0.8),
    turns: random.pick([0, 1, 3]),
    crowd: drawCrowd(random),
    firstId: drawFirstId(random),
    limits: drawLimits(random),
    hooks: random.chance(0.3),
    compiles: random.chance(0.8),
    fields: random.chance(0.3),
    ownStores: random.chance(0.2)
      ? (['orders', 'users', 'posts'] as const).filter(() => random.chance(0.5))
      : [],
    queued: random.pick([1000, 1000, 3]),
  };
}

/** A world of a few records and nothing that misbehaves, in which every caller meets the records of every other. */
export function drawRuleSettings(random: Random): WorldSettings {
  return {
    ...plainSettings,
    store: random.pick(['memory', 'memory', 'sqlite']),
    policy: random.pick(['open', 'protected', 'protected']),
    signInForm: random.pick(['pair', 'single']),
    rotates: random.chance(0.5),
    reportsVersions: random.chance(0.8),
    // Some lists are longer than their largest page.
    crowd: { ...drawCrowd(random), count: random.pick([0, 0, 12, 105]) },
    compiles: random.chance(0.5),
    fields: random.chance(0.2),
  };
}

/** A world whose lists are longer than their largest page, most of them by little. */
export function drawListSettings(random: Random): WorldSettings {
  const kind = random.pick<Crowd['kind']>(['posts', 'orders', 'products', 'comments', 'users']);
  const crowd = { kind, count: random.pick([11, 105, 105, 250]) };
  const store = random.pick<WorldSettings['store']>(['memory', 'sqlite']);
  return { ...drawRuleSettings(random), store, crowd, fields: false };
}

/** In a large world each step takes long. */
export function mostSteps({ crowd }: Pick<WorldSettings, 'crowd'>, count: number): number {
  return crowd.count >= 1_000 ? Math.min(count, 40) : count;
}

export function drawCrowd(random: Random): Crowd {
  const kind = random.pick<Crowd['kind']>([
    'posts',
    'posts',
    'posts',
    'orders',
    'products',
    'comments',
    'users',
  ]);
  return { kind, count: random.chance(0.02) ? 10_000 : random.pick([0, 0, 60, 400]) };
}

export function drawFirstId(random: Random): number {
  return random.chance(0.1) ? random.pick([2 ** 31 - 3, 2 ** 32 - 2, 2 ** 53 - 400]) : 1;
}

/** Limits that most requests of a world keep, and that those which try them reach. */
export function drawLimits(random: Random): GraphqlLimits {
  if (!random.chance(0.4)) return usualLimits;
  return {
    depth: random.pick([9, 10, 12]),
    tokens: random.pick([150, 400, 2000]),
    aliases: random.pick([0, 5, 30, 30, 30]),
    repeats: random.pick([20, 500]),
    responseBytes: random.pick([100_000, 100_000, 16 * 1024 * 1024]),
    seconds: random.pick([20, 30]),
    nodes: random.pick([1_000, 100_000]),
    bodyBytes: random.pick([450_000, 1024 * 1024]),
  };
}
