/** Kills the service between writes and their answers: a client that repeats its request creates one record. */
import { expect } from 'chai';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compileService } from '../support/compiled-service.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { repeatAfterCrashes } from './repetitions.js';

const rounds = 4;

describe('a request that is repeated after the service was killed', () => {
  let directory = '';
  before(async () => (directory = await compileService()));
  after(() => rm(directory, { recursive: true }));

  const databases = {
    SQLite: () => Promise.resolve(`sqlite:${join(directory, 'service.db')}`),
    PostgreSQL: async () => (await sharedPostgres()).createDatabase(),
  };
  for (const [name, make] of Object.entries(databases)) {
    it(`has one effect in ${name}`, async () => {
      const figures = await repeatAfterCrashes(directory, await make(), rounds, Math.random);
      expect(figures.unanswered, 'requests without an answer').to.be.above(0);
    });
  }
});
