/** `/readyz` while what the service stands on is gone, and when it is back: a real PostgreSQL and a real Redis, killed. */

import { expect } from 'chai';
import { PostgresServer } from '../../support/postgres-server.js';
import { RedisServer, withRedis } from '../../support/redis-server.js';
import { until } from '../../support/until.js';
import { type WatchedService, startWatched } from './watched-service.js';

withRedis('/readyz of a service whose foundations break', function () {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let service: WatchedService;

  before(async function () {
    this.timeout(60_000);
    [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()]);
    const DATABASE_URL = await postgres.createDatabase();
    service = await startWatched({ DATABASE_URL, EVENTS_URL: redis.url });
  });
  after(async () => {
    await service.stop();
    await Promise.all([redis.kill(), postgres.stop()]);
  });

  async function readiness(): Promise<string> {
    const answer = await fetch(`${service.url}/readyz`);
    return `${String(answer.status)} ${await answer.text()}`;
  }
  const READY = '200 {"status":"ready"}';

  const foundations = [
    ['The event broker does not answer', () => redis],
    ['The store does not answer', () => postgres],
  ] as const;
  for (const [sentence, server] of foundations) {
    it(`says "${sentence}" until it does, and lives on`, async function () {
      this.timeout(40_000);
      expect(await readiness()).to.equal(READY);
      await server().kill();
      const fault = `503 {"error":"${sentence}"}`;
      await until('it is not ready', async () => (await readiness()) === fault);
      expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
      await server().restart();
      await until('it is ready again', async () => (await readiness()) === READY);
    });
  }
});
