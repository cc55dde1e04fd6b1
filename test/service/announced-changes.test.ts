/** Changes of users by a command and by a start reach the event bus that the settings name, so that rights end at once. */

import { expect } from 'chai';
import { postgresEvents } from '../../src/core/events/postgres.js';
import { redisEvents } from '../../src/core/events/redis.js';
import type { Events } from '../../src/core/ports/events.js';
import { postgresStorage } from '../../src/core/storage/postgres.js';
import { createService } from '../../src/service/create-service.js';
import { readSettings } from '../../src/service/settings/settings.js';
import { freePort } from '../support/free-port.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { RedisServer, redisAbsence } from '../support/redis-server.js';
import { run } from './run.js';

const ADMIN = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery' };
const NEW_USER = {
  name: 'Ada',
  phone: undefined,
  city: undefined,
  role: 'user',
  status: 'active',
  passwordHash: undefined,
} as const;

describe('a change of a user outside of requests', () => {
  let url = '';
  let ids: readonly string[] = [];
  beforeEach(async () => {
    url = await (await sharedPostgres()).createDatabase();
    const storage = await postgresStorage({ url });
    const now = '2026-06-01T00:00:00.000001Z';
    const made = [
      await storage.users.create({ ...NEW_USER, email: ADMIN.ADMIN_EMAIL }, now),
      await storage.users.create({ ...NEW_USER, email: 'ada@example.com' }, now),
    ];
    ids = made.map((user) => (user === 'email-taken' ? expect.fail() : user.id));
    await storage.close();
  });

  /** @returns the users that are announced during the work, by whichever process */
  async function announced(events: Events, work: () => Promise<void>): Promise<readonly string[]> {
    const received: string[] = [];
    await events.subscribe('USER_CHANGED', {
      received: (id) => void received.push(id),
      interrupted: () => undefined,
    });
    await work();
    await events.ping(); // all earlier events have arrived
    await events.close();
    return received.sort();
  }

  async function changeAll(env: Readonly<Record<string, string>>): Promise<void> {
    const { exitCode, stderr } = await run(['sessions', 'end', '--all'], env);
    expect([exitCode, stderr]).to.deep.equal([0, '']);
  }

  async function startWithAdmin(env: Readonly<Record<string, string>>): Promise<void> {
    const settings = readSettings({ ...env, ...ADMIN, DEMO_DATA: 'off', LOG_LEVEL: 'silent' });
    await (await createService({ settings })).close();
  }

  it('is announced through PostgreSQL, by `sessions end` and by a start with ADMIN_EMAIL', async () => {
    const env = { DATABASE_URL: url };
    expect(await announced(await postgresEvents({ url }), () => changeAll(env))).to.deep.equal(ids);
    const [admin] = ids;
    expect(await announced(await postgresEvents({ url }), () => startWithAdmin(env))).to.deep.equal([admin]);
  });

  const absence = redisAbsence === undefined ? '' : ` (skipped: ${redisAbsence})`;
  (redisAbsence === undefined ? it : it.skip)(`is announced through Redis${absence}`, async () => {
    const redis = await RedisServer.start();
    const env = { DATABASE_URL: url, EVENTS_URL: redis.url };
    const events = () => redisEvents({ url: redis.url });
    expect(await announced(await events(), () => changeAll(env))).to.deep.equal(ids);
    expect(await announced(await events(), () => startWithAdmin(env))).to.deep.equal(ids.slice(0, 1));
    await redis.kill();
  });

  it('is made although the broker is not there, and the command says so', async () => {
    const env = { DATABASE_URL: url, EVENTS_URL: `redis://127.0.0.1:${String(await freePort())}` };
    const { exitCode, stdout, stderr } = await run(['sessions', 'end', '--all'], env);
    expect([exitCode, stdout]).to.deep.equal([0, 'The sessions of 2 users have ended\n']);
    expect(stderr).to.match(
      /^open subscriptions may last ten more seconds: Redis at \S+ cannot be used: .*\n$/,
    );
  });
});
