/**
 * `npm run simulate -- --seed N --steps N --seconds N`: plays worlds until one fails or the time is over; with `--service sqlite` or
 * `--service postgres`, those of the whole service.
 */

import { parseArgs } from 'node:util';
import { shrink, shrinkingOfCore } from './shrink.js';
import { type Failure, drawListRun, drawRuleRun, drawRun } from './simulate.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string' },
    seconds: { type: 'string' },
    service: { type: 'string' },
  },
});

/** Plays a run. @returns the lines about its failure; undefined if it has none */
type Play = (seed: number) => Promise<readonly string[] | undefined>;

const began = Date.now();

/** Says it before the run is shrunk, which takes a minute. */
function report(seed: number, { message, taken }: Pick<Failure, 'message' | 'taken'>): void {
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(`Seed ${String(seed)} fails in step ${String(taken)}, after ${String(seconds)} s: ${message}`);
}

const count = Number(values.steps ?? (values.service === undefined ? 300 : 150));

const playCore: Play = async (seed) => {
  const draw = [drawRuleRun, drawRun, drawListRun, drawRun][seed % 4] ?? drawRun;
  const failure = await shrinkingOfCore.play(draw(seed, count));
  if (failure === undefined) return undefined;
  report(seed, failure);
  const { message, log, run } = await shrink(failure, Date.now() + 60_000, shrinkingOfCore);
  return [message, ...log, pasted('play', run)];
};

async function serviceOf(store: string): Promise<Play> {
  if (store !== 'sqlite' && store !== 'postgres') throw new Error('--service is sqlite or postgres');
  const [{ drawServiceRun }, { playService, shrinkingOfService }] = await Promise.all([
    import('./service/draw-service.js'),
    import('./service/play-service.js'),
  ]);
  return async (seed) => {
    const failure = await playService(drawServiceRun(store, seed, count), [], (slowestMs) => {
      console.log(`Seed ${String(seed)}: the slowest answer took ${String(Math.round(slowestMs))} ms`);
    });
    if (failure === undefined) return undefined;
    report(seed, failure);
    console.log(failure.log.join('\n '));
    // Each attempt takes some seconds.
    const { message, log, run } = await shrink(failure, Date.now() + 180_000, shrinkingOfService);
    return [message, ...log, pasted('playService', run)];
  };
}

const pasted = (name: string, run: unknown): string =>
  `it('replays', async () => expect(await ${name}(${JSON.stringify(run)})).to.equal(undefined));`;

const play = values.service === undefined ? playCore : await serviceOf(values.service);
const end = Date.now() + Number(values.seconds ?? 60) * 1000;
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
let worlds = 0;
do {
  const seed = first + worlds;
  worlds += 1;
  const failure = await play(seed);
  if (failure === undefined) continue;
  console.log(`Seed ${String(seed)} failed: ${failure.join('\n ')}`);
  process.exitCode = 1;
  break;
} while (values.seconds !== undefined && Date.now() < end);
console.log(`${String(worlds)} worlds of ${String(count)} steps from seed ${String(first)}`);
process.exit();
