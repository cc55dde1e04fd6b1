/** `npm run random-contracts -- --seed N --documents N --seconds N`: plays documents until one fails, or there are enough, or the time is over. */

import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { checkGenerate } from './check-generate.js';
import { TypeBatch } from './check-types.js';
import { drawContract } from './draw-contract.js';
import { type Failure, withTried } from './play.js';
import { Player } from './player.js';
import { shrink } from './shrink.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    documents: { type: 'string' },
    seconds: { type: 'string' },
    check: { type: 'string' },
  },
});

/** No document takes so long on a machine that does nothing else; the bounds of CPU are those of `play.ts`. */
const MOST_MS = 900_000;
const SHRINK_MS = 300_000;

const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const count = Number(values.documents ?? (values.seconds === undefined ? 20 : Infinity));
const end = Date.now() + Number(values.seconds ?? Infinity) * 1000;
const player = new Player(MOST_MS);
const batch = new TypeBatch();
let played = 0;

async function show(failure: Failure): Promise<void> {
  console.log(`Seed ${String(failure.seed)} fails in ${failure.check}: ${failure.message}\n`);
  const small = await shrink(failure, (...given) => player.play(...given), Date.now() + SHRINK_MS);
  console.log(`${small.check}: ${small.message}\n`);
  console.log(
    typeof small.document === 'string'
      ? small.document
      : stringify(small.document, { aliasDuplicateObjects: false }),
  );
  process.exitCode = 1;
}

/** Compiles what waits. @returns the first failure */
async function compiled(): Promise<Failure | undefined> {
  for (const [name, complaint] of await batch.complaints()) {
    const seed = Number(name.slice(1));
    return {
      document: drawContract(seed),
      seed,
      check: 'types',
      message: `the types do not compile: ${complaint}`,
    };
  }
  return undefined;
}

let failure: Failure | undefined;
while (failure === undefined && played < count && Date.now() < end) {
  const seed = first + played;
  const document = drawContract(seed);
  played += 1;
  failure = await player.play(document, seed, values.check);
  if (failure !== undefined || (values.check ?? 'types') !== 'types') continue;
  const files = await withTried(document, seed, checkGenerate);
  if (files !== undefined) batch.add(`s${String(seed)}`, files);
  if (batch.isFull) failure = await compiled();
}
failure ??= await compiled();
if (failure !== undefined) await show(failure);
player.stop();
console.log(`${String(played)} documents from seed ${String(first)}`);
