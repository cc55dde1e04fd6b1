/**
 * 200 times `kill -9` between write and answer, on SQLite and on PostgreSQL: `npm run bench -- crashes`. Eight clients create
 * records under idempotency keys and repeat their requests after each crash. Fails unless every request has exactly one
 * effect. `--rounds 20` takes less than the ten minutes.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repeatAfterCrashes } from '../crash/repetitions.js';
import { compileService } from '../support/compiled-service.js';
import { sharedPostgres } from '../support/postgres-server.js';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
const rounds = Number(options.rounds);

const directory = await compileService();
try {
  const databases = {
    SQLite: `sqlite:${join(directory, 'service.db')}`,
    PostgreSQL: await (await sharedPostgres()).createDatabase(),
  };
  for (const [name, url] of Object.entries(databases)) {
    const figures = await repeatAfterCrashes(directory, url, rounds, Math.random);
    const { requests, unanswered, stored } = figures;
    console.log(
      `${name}: ${String(rounds)} crashes, ${String(requests)} requests, ${String(unanswered)} without an answer, ` +
        `${String(stored)} of those stored before the crash; each has exactly one effect`,
    );
  }
} finally {
  await rm(directory, { recursive: true });
}
process.exit(); // the shared PostgreSQL ends with the process
