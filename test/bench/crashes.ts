/**
 * 200 times `kill -9` between write and answer, on SQLite and on PostgreSQL: `npm run bench -- crashes`. Eight clients create
 * records under idempotency keys and repeat their requests after each crash. Fails unless every request has exactly one
 * effect. Then the same with a webhook, while the database is killed too: fails unless every stored write has one event, in order, and
 * no other write has one. `--rounds 20` takes less than the ten minutes, and `--only events` one of the two.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { receiveAfterCrashes } from '../crash/events.js';
import { repeatAfterCrashes } from '../crash/repetitions.js';
import { compileService } from '../support/compiled-service.js';
import { PostgresServer } from '../support/postgres-server.js';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, only: { type: 'string' } },
});
const rounds = Number(options.rounds);

const directory = await compileService();
const server = await PostgresServer.start();
try {
  const databases = {
    SQLite: (kind: string) => Promise.resolve(`sqlite:${join(directory, `${kind}.db`)}`),
    PostgreSQL: () => server.createDatabase(),
  };
  for (const [name, make] of Object.entries(databases)) {
    if (options.only !== 'events') {
      const figures = await repeatAfterCrashes(directory, await make('requests'), rounds, Math.random);
      const { requests, unanswered, stored } = figures;
      console.log(
        `${name}: ${String(rounds)} crashes, ${String(requests)} requests, ${String(unanswered)} without an answer, ` +
          `${String(stored)} of those stored before the crash; each has exactly one effect`,
      );
    }
    if (options.only !== 'requests') {
      const killed = name === 'PostgreSQL' ? server : undefined;
      const figures = await receiveAfterCrashes(directory, await make('events'), rounds, Math.random, killed);
      const { writes, unanswered, refused, repeated, databaseKills } = figures;
      console.log(
        `${name}: ${String(rounds)} crashes, ${String(databaseKills)} of the database too, ${String(unanswered)} writes without an answer, ` +
          `${String(refused)} refused; the ${String(writes)} stored writes have one event each, ${String(repeated)} of which came again`,
      );
    }
  }
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}
