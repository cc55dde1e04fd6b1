/** Kills the service, and sometimes its database, while it stores and delivers events: each stored write has one event, in order. */
import { expect } from 'chai';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compileService } from '../support/compiled-service.js';
import { PostgresServer } from '../support/postgres-server.js';
import { receiveAfterCrashes } from './events.js';

const rounds = 5;

describe('the events of a service that is killed', function () {
  this.timeout(180_000);
  let directory = '';
  before(async () => (directory = await compileService()));
  after(() => rm(directory, { recursive: true }));

  it('arrive once for each write in SQLite', async () => {
    const figures = await receiveAfterCrashes(
      directory,
      `sqlite:${join(directory, 'events.db')}`,
      rounds,
      Math.random,
    );
    expect(figures.writes).to.be.above(0);
  });

  it('arrive once for each write in PostgreSQL, which is killed too', async () => {
    const server = await PostgresServer.start();
    try {
      const figures = await receiveAfterCrashes(
        directory,
        await server.createDatabase(),
        rounds,
        Math.random,
        server,
      );
      expect(figures.databaseKills).to.be.above(0);
    } finally {
      await server.stop();
    }
  });
});
