/** The profile of a caller: the user that the token was checked against is not read again. */
import { expect } from 'chai';
import { memoryRequest } from '@concordat/runtime';
import { jwtCodec } from '../../../src/core/identity/jwt.js';
import { systemClock } from '../../../src/core/model/timestamp.js';
import { unchangedUser } from '../../../src/core/ports/user-store.js';
import { serviceEngine } from '../../../src/core/operations/rest-engine.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { createServices } from '../../../src/core/services/services.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { bareUser } from '../../support/bare-records.js';
import { bearer, secrets } from '../../support/sign-in.js';

describe('the profile over REST', () => {
  it('is read from the store once, with the token', async () => {
    const { users, ...stores } = memoryStorage();
    const read: string[] = [];
    const find = (id: string) => {
      read.push(id);
      return users.find(id);
    };
    const tokens = jwtCodec(secrets);
    const counted = { ...users, find };
    const storage = { ...stores, users: counted, joined: { ...stores.joined, users: counted } };
    const services = createServices({ storage, policy: openPolicy, tokens });
    const report = (error: unknown) => expect.fail(String(error));
    const engine = serviceEngine({ services, xml: () => '', report });
    const user = {
      ...bareUser,
      name: 'Ada',
      email: 'ada@example.com',
      role: 'user',
      status: 'active',
      passwordHash: undefined,
    } as const;
    const now = systemClock.now();
    await users.create(user, now);
    const claims = { userId: '1', email: undefined, role: undefined };
    const headers = bearer(tokens.signAccess(claims, { from: now, seconds: 60 }));
    const profile = async () => (await engine(memoryRequest({ path: '/api/profile', headers }))).status;
    expect([await profile(), read]).to.deep.equal([200, ['1']]);
    // Each request reads it again.
    await users.update('1', { ...unchangedUser, status: 'inactive' }, now);
    expect([await profile(), read]).to.deep.equal([401, ['1', '1']]);
  });
});
