/** The conditions of every test: a fixed seed for random ones (`SEED=7 npm test` tries others), and failure on unhandled rejections. */

import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { optimiseLater } from '../../src/codegen/cli/optimise-later.js';
import { runs } from './budget.js';

// Most code runs a few times in the tests, which take a quarter less CPU time with it.
optimiseLater();

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1), numRuns: runs(300) });

// Mocha fails no test for a promise that is rejected without a handler, which would end a process.
process.on('unhandledRejection', (reason) => {
  throw reason;
});

// What tests print would hide the report of `npm test`, which names this file.
const output = process.env['TEST_OUTPUT'];
if (output !== undefined && process.env['MOCHA_WORKER_ID'] !== undefined) {
  // Some tests change the working directory.
  const file = resolve(output);
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (chunk: string | Uint8Array, ...others: readonly unknown[]): boolean => {
      appendFileSync(file, chunk);
      const done = others.find((each) => typeof each === 'function');
      if (done !== undefined) process.nextTick(done);
      return true;
    };
  }
}
