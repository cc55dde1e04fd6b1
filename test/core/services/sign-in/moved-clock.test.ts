/** A machine whose clock is set 25 hours forward, and back again: posts stay in order, and tokens keep to the clock. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { jwtCodec } from '../../../../src/core/identity/jwt.js';
import { memoryAttemptLimiter } from '../../../../src/core/limits/memory.js';
import { timestampOf } from '../../../../src/core/model/timestamp.js';
import { noUserDetails } from '../../../../src/core/model/user.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices } from '../../../../src/core/services/services.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { postgresStorage } from '../../../../src/core/storage/postgres.js';
import { sqliteStorage } from '../../../../src/core/storage/sqlite.js';
import { sharedPostgres } from '../../../support/postgres-server.js';
import { reversingHasher } from '../fixture.js';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

describe('a clock that is 25 hours off', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-clock-'));
  });
  after(() => rm(directory, { recursive: true }));

  const stores: Readonly<Record<string, () => Promise<Storage>>> = {
    memory: () => Promise.resolve(memoryStorage()),
    SQLite: () => sqliteStorage({ path: join(directory, 'clock.db') }),
    PostgreSQL: async () => postgresStorage({ url: await (await sharedPostgres()).createDatabase() }),
  };
  for (const [name, open] of Object.entries(stores)) {
    it(`leaves posts in order and tokens to their time, ${name}`, async () => {
      const storage = await open();
      let now = START;
      const services = createServices({
        storage,
        policy: openPolicy,
        clock: { now: () => timestampOf(now) },
        passwordHasher: reversingHasher,
        signInLimiter: memoryAttemptLimiter(),
        tokens: jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) }),
      });
      const email = 'ada@example.com';
      const password = 'correct horse battery';
      const input = { ...noUserDetails, name: 'Ada', email, password };
      const user = await services.users.create(anonymous, { ...input, role: undefined, status: undefined });
      const post = (title: string) =>
        services.posts.create(anonymous, { authorId: user.id, title, content: title });
      const tokenOf = async (): Promise<string> => {
        const signedIn = await services.sessions.signIn({ email, password }, undefined, 'single');
        return 'token' in signedIn ? signedIn.token : '';
      };
      const isAccepted = async (token: string): Promise<boolean> =>
        (await services.authentication.callerOfToken(token)) !== undefined;

      const posts = [await post('before')];
      const token = await tokenOf();
      expect(await isAccepted(token)).to.equal(true);

      now = START + 25 * HOUR;
      posts.push(await post('ahead'));
      expect(await isAccepted(token), 'a token of 24 hours').to.equal(false);
      expect(await isAccepted(await tokenOf())).to.equal(true);

      now = START + 1000;
      posts.push(await post('back'), await post('again'));
      const times = posts.map(({ createdAt }) => createdAt);
      expect(times).to.deep.equal(times.toSorted());
      expect(new Set(times).size).to.equal(times.length);
      expect(posts.map(({ id }) => Number(id))).to.deep.equal([1, 2, 3, 4]);
      expect(await isAccepted(token)).to.equal(true);
      expect(await isAccepted(await tokenOf()), 'a new token').to.equal(true);
      await storage.close();
    });
  }
});
