/**
 * Kills the service while clients write, twenty times on each persistent store. After every crash, all acknowledged writes are
 * there and none is half-written. `CRASH_SEED` repeats the choices of a run, but not its timing.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PostgresServer } from '../support/postgres-server.js';
import { compileService } from '../support/compiled-service.js';
import { readContents } from './contents.js';
import { Ledger } from './ledger.js';
import { ServiceProcess } from './service-process.js';
import { Writer, type Random } from './writer.js';

const rounds = 6;
const writers = 6;
const longestRoundMs = 250;

const seed = Number(process.env['CRASH_SEED'] ?? 1);

describe('a service that is killed while clients write', function () {
  this.timeout(180_000);
  let directory = '';
  before(async () => (directory = await compileService()));
  after(() => rm(directory, { recursive: true }));

  it(`keeps acknowledged writes in SQLite (CRASH_SEED=${seed})`, () =>
    crashAgainAndAgain(directory, `sqlite:${join(directory, 'service.db')}`));

  it(`keeps acknowledged writes in PostgreSQL, which is sometimes killed too (CRASH_SEED=${seed})`, async () => {
    const server = await PostgresServer.start();
    try {
      await crashAgainAndAgain(directory, await server.createDatabase(), server);
    } finally {
      await server.stop();
    }
  });
});

/** @param server - also killed, in every fifth round */
async function crashAgainAndAgain(
  directory: string,
  databaseUrl: string,
  server?: PostgresServer,
): Promise<void> {
  const random = randomNumbers(seed);
  const ledger = new Ledger();
  // On a busy machine, a round may end before a write does.
  for (let round = 1; round <= rounds || ledger.acknowledged <= rounds; round++) {
    const service = await ServiceProcess.start(directory, databaseUrl);
    try {
      ledger.settle(await readContents(service.url));
      const running = Promise.all(
        Array.from({ length: writers }, (_, index) =>
          new Writer(service.url, `round-${round}-writer-${index}`, ledger, random).run(),
        ),
      );
      running.catch(() => undefined); // an unexpected answer is reported after the crash
      // Further rounds are longer, so that a busy machine gets somewhere.
      await setTimeout(random() * longestRoundMs * Math.ceil(round / rounds));
      const isServerKilled = server !== undefined && round % 5 === 0;
      await Promise.all([service.kill(), isServerKilled && server.kill()]);
      await running;
      if (isServerKilled) await server.restart();
    } finally {
      await service.kill();
    }
  }
  const service = await ServiceProcess.start(directory, databaseUrl);
  try {
    ledger.settle(await readContents(service.url));
  } finally {
    await service.kill();
  }
}

/** The same numbers for the same seed (mulberry32). */
function randomNumbers(start: number): Random {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
