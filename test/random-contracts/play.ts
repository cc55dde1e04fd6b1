/** Plays a document: gives it to each command, and returns the first thing that went wrong. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../simulation/random.js';
import { checkBridge } from './check-bridge.js';
import { checkDiff } from './check-diff.js';
import { checkGenerate } from './check-generate.js';
import { checkJson } from './check-json.js';
import { checkReports } from './check-reports.js';
import { checkSamples } from './check-samples.js';
import { checkTraffic } from './check-traffic.js';
import { checkTypes } from './check-types.js';
import { checkValues } from './check-values.js';
import type { Contract } from './draw-contract.js';
import { writeLayout, writePart } from './layout.js';
import { Finding, type Tried } from './tried.js';

/** What is wrong, and with what. */
export interface Failure {
  readonly document: Contract;
  readonly seed: number;
  readonly check: string;
  readonly message: string;
}

interface Check {
  readonly run: (tried: Tried) => Promise<unknown>;
  /** The seconds of CPU that it may take for a small document. */
  readonly seconds: number;
}

/** The checks in their order; those after `generate` get only what it takes. */
const CHECKS: Readonly<Record<string, Check>> = {
  generate: { run: async (tried) => (tried.files = await checkGenerate(tried)), seconds: 10 },
  types: { run: checkTypes, seconds: 10 },
  values: { run: checkValues, seconds: 10 },
  samples: { run: checkSamples, seconds: 20 },
  diff: { run: checkDiff, seconds: 20 },
  json: { run: checkJson, seconds: 20 },
  traffic: { run: checkTraffic, seconds: 60 },
  reports: { run: checkReports, seconds: 60 },
  bridge: { run: checkBridge, seconds: 60 },
};

/**
 * The further seconds for each character of a document, times the logarithm of their number. This and the others are about ten times what
 * the slowest documents took, so that only another order of growth exceeds them.
 */
const SECONDS_PER_CHARACTER = 60e-6;

/** The compiler takes a second to start, so that these are only for every tenth document, unless they are asked for. */
const RARE = ['types', 'bridge'];

/** The checks of GraphQL schemas. */
const OF_SDL = ['generate', 'types', 'diff', 'json', 'bridge'];

/**
 * @param only - the check to play, beside `generate`
 * @param report - called with the name of each check before it
 */
export async function play(
  document: Contract,
  seed: number,
  only?: string,
  report: (check: string) => unknown = () => undefined,
): Promise<Failure | undefined> {
  return withTried(document, seed, async (tried, size) => {
    for (const [check, { run, seconds }] of Object.entries(CHECKS)) {
      if (only !== undefined && check !== 'generate' && check !== only) continue;
      if (check !== 'generate' && tried.accept === undefined) continue;
      if (typeof document === 'string' && !OF_SDL.includes(check)) continue;
      if (only === undefined && RARE.includes(check) && seed % 10 !== 0) continue;
      report(check);
      const most = seconds + SECONDS_PER_CHARACTER * size * Math.log2(size);
      const message = await failureOf(() => run(tried), most);
      if (message !== undefined) return { document, seed, check, message };
    }
    return undefined;
  });
}

/** Writes a document into a folder of its own for some work. */
export async function withTried<T>(
  document: Contract,
  seed: number,
  work: (tried: Tried, size: number) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'concordat-random-'));
  try {
    const isSdl = typeof document === 'string';
    const random = new Random(seed);
    const plain = await writePart(folder, isSdl ? 'schema.graphql' : 'plain.json', document);
    const file = isSdl ? plain : ((await writeLayout(document, folder, random)) ?? plain);
    const read = isSdl ? {} : document;
    const size = (isSdl ? document : JSON.stringify(document, undefined, 1)).length;
    return await work({ contract: document, document: read, folder, file, plain, random }, size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param most - the seconds of CPU */
async function failureOf(run: () => Promise<unknown>, most: number): Promise<string | undefined> {
  const before = process.cpuUsage();
  try {
    await run();
  } catch (error) {
    if (error instanceof Finding) return error.message;
    const stack =
      error instanceof Error ? String(error.stack).split('\n').slice(0, 6).join('\n') : String(error);
    return `an error without a place: ${stack}`;
  }
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  return seconds > most ? `takes ${seconds.toFixed(0)} s of CPU, more than ${most.toFixed(0)}` : undefined;
}

/** What stays the same when a document gets smaller. */
export const kindOf = ({ check, message }: Failure): string =>
  `${check}: ${message.replaceAll(/[0-9]+|["'`#/].*/gs, '').slice(0, 60)}`;
