/** `npm run simulate -- --seed N --steps N --seconds N`: plays worlds until one fails or the time is over. */

import { parseArgs } from 'node:util';
import { shrink } from './shrink.js';
import { drawRun, play } from './simulate.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string', default: '300' },
    seconds: { type: 'string' },
  },
});

const end = Date.now() + Number(values.seconds ?? 60) * 1000;
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
let worlds = 0;
let steps = 0;
do {
  const seed = first + worlds;
  const run = drawRun(seed, Number(values.steps));
  worlds += 1;
  steps += run.steps.length;
  const failure = await play(run);
  if (failure === undefined) continue;
  console.log(`Seed ${String(seed)} failed after ${String(steps)} steps: ${failure.message}`);
  const small = await shrink(failure, Date.now() + 60_000);
  console.log(small.message, '\n', small.log.join('\n '));
  console.log(
    `it('replays', async () => expect(await play(${JSON.stringify(small.run)})).to.equal(undefined));`,
  );
  process.exitCode = 1;
  break;
} while (values.seconds !== undefined && Date.now() < end);
console.log(`${String(worlds)} worlds, ${String(steps)} steps from seed ${String(first)}`);
