/** Gives the random tests a fixed seed, so that each run tries the same: `SEED=7 npm test` tries others. */

import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });
