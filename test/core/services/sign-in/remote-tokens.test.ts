/** A token codec that asks elsewhere: its answers come later or not at all, and none of that lets anybody in. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { contract } from '../../../../generated/routing.js';
import { jwtCodec } from '../../../../src/core/identity/jwt.js';
import { memoryAttemptLimiter } from '../../../../src/core/limits/memory.js';
import { ServiceError } from '../../../../src/core/model/error.js';
import { serviceEngine } from '../../../../src/core/operations/rest-engine.js';
import type { TokenCodec } from '../../../../src/core/ports/sign-in.js';
import { callerOfClient, openGraphqlSession } from '../../../../src/core/resolvers/graphql-context.js';
import { protectedPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices } from '../../../../src/core/services/services.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { xmlEncoder } from '../../../../src/runtime/encoding/xml.js';
import { memoryRequest } from '../../../../src/runtime/http/memory-request.js';
import { bareUser } from '../../../support/bare-records.js';
import { bearer, secrets } from '../../../support/sign-in.js';
import { refused, reversingHasher } from '../fixture.js';

const account = { email: 'ada@example.com', password: 'correct horse' };

/** A codec whose every method does something else before it answers. */
function after(before: () => Promise<unknown>): TokenCodec {
  const codec = jwtCodec(secrets);
  return {
    signAccess: async (...input) => (await before(), codec.signAccess(...input)),
    readAccess: async (...input) => (await before(), codec.readAccess(...input)),
    signRefresh: async (...input) => (await before(), codec.signRefresh(...input)),
    readRefresh: async (...input) => (await before(), codec.readRefresh(...input)),
  };
}

async function open(tokens: TokenCodec) {
  const storage = memoryStorage();
  const passwordHash = await reversingHasher.hash(account.password);
  const user = { ...bareUser, name: 'Ada', email: account.email, role: 'user', status: 'active' } as const;
  await storage.users.create({ ...user, passwordHash }, '2026-01-01T00:00:00.000000Z');
  const services = createServices({
    storage,
    policy: protectedPolicy,
    tokens,
    passwordHasher: reversingHasher,
    signInLimiter: memoryAttemptLimiter(),
    rotatesRefreshTokens: true,
  });
  const masked: unknown[] = [];
  const engine = serviceEngine({
    services,
    xml: xmlEncoder(contract.xmlNames),
    report: (error) => void masked.push(error),
  });
  async function getProfile(token: string): Promise<[status: number, body: unknown]> {
    const { status, body } = await engine(memoryRequest({ path: '/api/profile', headers: bearer(token) }));
    return [status, JSON.parse(String(body as string | Uint8Array))];
  }
  return { services, getProfile, masked };
}

describe('a token codec that answers later', () => {
  it('signs people in, keeps them signed in and knows them over both protocols', async () => {
    const { services, getProfile } = await open(after(() => sleep(2)));
    const pair = await services.sessions.signIn(account, undefined, 'pair');
    const { refreshToken = '' } = 'refreshToken' in pair ? pair : {};
    const { accessToken } = await services.sessions.refresh(refreshToken);
    const single = await services.sessions.signIn(account, undefined, 'single');
    for (const token of [accessToken, 'token' in single ? single.token : '']) {
      const [status, profile] = await getProfile(token);
      expect([status, profile]).to.deep.include(200).and.to.have.nested.property('1.email', account.email);
      expect(await callerOfClient(services, { headers: bearer(token) })).to.have.nested.include({
        'caller.kind': 'user',
      });
    }
  });

  it('knows nobody by a token that is not valid', async () => {
    const { services, getProfile } = await open(after(() => sleep(2)));
    expect(await getProfile('forged')).to.deep.equal([401, { error: 'Invalid token' }]);
    expect(await callerOfClient(services, { headers: bearer('forged') })).to.deep.equal({
      caller: { kind: 'anonymous' },
    });
    await refused(services.sessions.refresh('forged'), 'unauthenticated', 'Invalid refresh token');
  });
});

describe('a token codec that cannot tell', () => {
  const token = jwtCodec(secrets).signAccess(
    { userId: '1', email: undefined, role: undefined },
    { from: new Date().toISOString(), seconds: 60 },
  );
  const failures = {
    'that its service does not answer': new ServiceError('unavailable', 'The introspection does not answer'),
    'for a reason of its own': new Error('the secret of the introspection is hunter2'),
  };
  for (const [reason, error] of Object.entries(failures)) {
    it(`lets nobody in over either protocol when it says ${reason}`, async () => {
      const { services, getProfile, masked } = await open(after(() => Promise.reject(error)));
      const isKnown = error instanceof ServiceError;
      expect(await getProfile(token)).to.deep.equal(
        isKnown ? [503, { error: error.message }] : [500, { error: 'Internal server error' }],
      );
      expect(masked).to.deep.equal(isKnown ? [] : [error]);
      for (const asked of [
        () => callerOfClient(services, { headers: bearer(token) }),
        () => openGraphqlSession(services, { headers: bearer(token) }),
        () => services.sessions.signIn(account, undefined),
        () => services.sessions.refresh(token),
      ]) {
        expect(await Promise.resolve(asked()).catch((reason: unknown) => reason)).to.equal(error);
      }
    });
  }
});
