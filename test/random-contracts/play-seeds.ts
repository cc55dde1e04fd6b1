/** Plays the small contracts of a row of seeds, and compiles all their types at once. */

import { checkGenerate } from './check-generate.js';
import { TypeBatch } from './check-types.js';
import { type Contract, drawContract } from './draw-contract.js';
import { play, withTried } from './play.js';

/** Larger ones take too long for a test that runs often. */
const MOST_CHARACTERS = 10_000;

/** @returns the first failure, with the contract */
export async function playSeeds(first: number, count: number): Promise<string | undefined> {
  const batch = new TypeBatch();
  for (let seed = first; seed < first + count; seed += 1) {
    const contract = drawContract(seed);
    if (sizeOf(contract) > MOST_CHARACTERS) continue;
    const failure = await play(contract, seed);
    if (failure !== undefined) return `seed ${String(seed)}: ${failure.check}: ${failure.message}`;
    const files = await withTried(contract, seed, checkGenerate);
    if (files !== undefined) batch.add(`s${String(seed)}`, files);
  }
  const [complaint] = await batch.complaints();
  return complaint?.join(': ');
}

const sizeOf = (contract: Contract): number =>
  typeof contract === 'string' ? contract.length : JSON.stringify(contract).length;
