/** The conditions of every test: a fixed seed for random ones (`SEED=7 npm test` tries others), and failure on unhandled rejections. */

import fc from 'fast-check';
import { optimiseLater } from '../../src/codegen/cli/optimise-later.js';

// Most code runs a few times in the tests, which take a quarter less CPU time with it.
optimiseLater();

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });

// Mocha fails no test for a promise that is rejected without a handler, which would end a process.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
