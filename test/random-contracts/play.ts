/** Plays a document: gives it to each command, and returns the first thing that went wrong. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../simulation/random.js';
import { checkBridge } from './check-bridge.js';
import { checkDiff } from './check-diff.js';
import { checkGenerate } from './check-generate.js';
import { checkTraffic } from './check-traffic.js';
import { checkTypes } from './check-types.js';
import { checkValues } from './check-values.js';
import type { Document } from './draw-document.js';
import { Finding, type Tried } from './tried.js';

/** What is wrong, and with what. */
export interface Failure {
  readonly document: Document;
  readonly seed: number;
  readonly check: string;
  readonly message: string;
}

type Check = (tried: Tried) => Promise<unknown>;

/** The checks in their order; those after `generate` get only what it takes. */
const CHECKS: Readonly<Record<string, Check>> = {
  generate: async (tried) => (tried.files = await checkGenerate(tried)),
  types: checkTypes,
  values: checkValues,
  diff: checkDiff,
  traffic: checkTraffic,
  bridge: checkBridge,
};

/** The compiler takes a second to start, so that these are only for every tenth document, unless they are asked for. */
const RARE = ['types', 'bridge'];

/**
 * The most seconds of CPU that a check may take: a start, and a share for each character of the document, times the logarithm of their
 * number. Each is ten times what an idle core took for the slowest of a thousand documents, so that only another order of growth exceeds it.
 */
const BOUNDS: Readonly<Record<string, readonly [seconds: number, perCharacter: number]>> = {
  generate: [10, 60e-6],
  values: [10, 60e-6],
  diff: [20, 60e-6],
  traffic: [60, 60e-6],
  bridge: [60, 60e-6],
};

/**
 * @param only - the check to play, beside `generate`
 * @param report - called with the name of each check before it
 */
export async function play(
  document: Document,
  seed: number,
  only?: string,
  report: (check: string) => unknown = () => undefined,
): Promise<Failure | undefined> {
  return withTried(document, seed, async (tried, size) => {
    for (const [check, run] of Object.entries(CHECKS)) {
      if (only !== undefined && check !== 'generate' && check !== only) continue;
      if (check !== 'generate' && tried.accept === undefined) continue;
      if (only === undefined && RARE.includes(check) && seed % 10 !== 0) continue;
      report(check);
      const message = await failureOf(check, () => run(tried), size);
      if (message !== undefined) return { document, seed, check, message };
    }
    return undefined;
  });
}

/** Writes a document into a folder of its own for some work. */
export async function withTried<T>(
  document: Document,
  seed: number,
  work: (tried: Tried, size: number) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'concordat-random-'));
  try {
    const file = join(folder, 'openapi.json');
    const text = JSON.stringify(document, undefined, 1);
    await writeFile(file, text);
    return await work({ document, folder, file, random: new Random(seed) }, text.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function failureOf(
  check: string,
  run: () => Promise<unknown>,
  size: number,
): Promise<string | undefined> {
  const before = process.cpuUsage();
  try {
    await run();
  } catch (error) {
    if (error instanceof Finding) return error.message;
    return `an error without a place: ${error instanceof Error ? String(error.stack).split('\n').slice(0, 6).join('\n') : String(error)}`;
  }
  const { user, system } = process.cpuUsage(before);
  const [start = 0, share = 0] = BOUNDS[check] ?? [];
  const most = start + share * size * Math.log2(size);
  return (user + system) / 1e6 > most
    ? `more than ${most.toFixed(0)} s of CPU for ${String(size)} characters`
    : undefined;
}

/** What stays the same when a document gets smaller. */
export const kindOf = ({ check, message }: Failure): string =>
  `${check}: ${message.replaceAll(/[0-9]+|["'`#/].*/gs, '').slice(0, 60)}`;
