/**
 * Holds the generator and the engine to the scenarios of Spector, over each transport: `npm run test:spector`. What passes
 * and what is left out is in `results.json`; a difference from it, for better or worse, is a failure.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complaints } from '../codegen/strict-compiler.js';
import { installOwnPackages } from '../support/own-packages.js';
import { differencesFrom, type Results } from './results.js';
import { compileSpecifications } from './documents.js';
import { knock, transports } from './knock.js';
import { FOLDER } from './packages.js';
import { loadExchanges } from './scenarios.js';
import { startServices } from './services.js';

installOwnPackages(FOLDER);
const results = JSON.parse(readFileSync(join(FOLDER, 'results.json'), 'utf8')) as Results;
const directory = mkdtempSync(join(tmpdir(), 'concordat-spector-'));
try {
  const exchanges = await loadExchanges();
  const target = { baseUrl: '' };
  const faults = new Map<string, string>();
  const { services, accepted } = await startServices({
    directory,
    specifications: await compileSpecifications(directory),
    exchanges,
    target,
    report: (scenario, fault) => faults.set(scenario, fault),
  });
  const starters = services.map(({ directory: generated }) => `${generated}/starter.ts`);
  const differences = [...complaints(directory, starters)];
  for (const [transport, listen] of Object.entries(transports)) {
    const knocked = await knock(listen(services), target, join(directory, transport));
    console.log(
      `${transport}: ${knocked.passed.size} scenarios pass, ${knocked.failed.size} are left out or fail`,
    );
    const found = differencesFrom(results, { ...knocked, exchanges, accepted, faults });
    differences.push(...found.map((difference) => `${transport}: ${difference}`));
  }
  for (const difference of differences) console.error(difference);
  process.exitCode = differences.length === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
