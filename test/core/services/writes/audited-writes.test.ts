/** Writes whose entry of the audit log cannot be stored: they are not stored either. */

import { expect } from 'chai';
import { jwtCodec } from '../../../../src/core/identity/jwt.js';
import { memoryAttemptLimiter } from '../../../../src/core/limits/memory.js';
import { ServiceError } from '../../../../src/core/model/error.js';
import { noUserDetails } from '../../../../src/core/model/user.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices } from '../../../../src/core/services/services.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { asAdmin, reversingHasher } from '../fixture.js';

const root = asAdmin('1');
const password = 'correct horse battery';

/** Services whose audit log can go down. */
async function scene() {
  const state = { isDown: false };
  const storage = memoryStorage();
  const outage = new ServiceError('unavailable', 'The log does not answer');
  const around = (audit: typeof storage.audit): typeof storage.audit => ({
    ...audit,
    add: (entries) => (state.isDown ? Promise.reject(outage) : audit.add(entries)),
  });
  const within = (transaction: unknown) => around((transaction as typeof storage).audit);
  const services = createServices({
    storage: { ...storage, audit: Object.assign(around(storage.audit), { within }) },
    policy: openPolicy,
    passwordHasher: reversingHasher,
    signInLimiter: memoryAttemptLimiter(),
    rotatesRefreshTokens: true,
    tokens: jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) }),
    outbox: {
      encode: (event) => event,
      sender: {
        refusal: () => Promise.resolve(undefined),
        send: () => Promise.resolve(500),
        close: () => undefined,
      },
    },
    identityProvider: {
      redirectUri: 'http://localhost/api/auth/idp/callback',
      start: () => Promise.resolve({ location: 'https://idp.example/', ticket: 'ticket', seconds: 60 }),
      complete: () =>
        Promise.resolve({
          issuer: 'https://idp.example',
          subject: 'ida',
          email: 'ida@idp.example',
          name: 'Ida',
        }),
    },
  });
  const input = { ...noUserDetails, role: undefined, status: undefined };
  await services.users.create(anonymous, { ...input, name: 'Root', email: 'root@example.com', password });
  const { webhook } = await services.webhooks.create(root, { url: 'https://one.example/', types: undefined });
  return { services, storage, state, webhook };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const refreshed = async ({ services }: Scene) => {
  const first = await services.sessions.signIn({ email: 'root@example.com', password }, undefined, 'pair');
  const refreshToken = 'refreshToken' in first ? first.refreshToken : '';
  const second = await services.sessions.refresh(refreshToken);
  return { used: refreshToken, current: second.refreshToken };
};

/** Each prepares a write, and returns it with what reads its effect. */
const writes: Readonly<
  Record<string, (scene: Scene) => Promise<{ write: () => Promise<unknown>; read: () => Promise<unknown> }>>
> = {
  'a change of a webhook': async ({ services, storage, webhook: { id } }) => {
    await services.users.endSessions(root, '1');
    return {
      write: () => services.webhooks.update(root, id, { url: 'https://two.example/', status: 'disabled' }),
      read: () => storage.outbox.find(id),
    };
  },
  'the deletion of a webhook': ({ services, storage, webhook: { id } }) =>
    Promise.resolve({ write: () => services.webhooks.delete(root, id), read: () => storage.outbox.find(id) }),
  'a new secret': ({ services, storage, webhook: { id } }) =>
    Promise.resolve({ write: () => services.webhooks.rotate(root, id), read: () => storage.outbox.find(id) }),
  'a redelivery': async ({ services, storage, webhook: { id } }) => {
    await services.users.endSessions(root, '1');
    await services.outbox.deliverDue();
    return {
      write: () => services.webhooks.redeliver(root, id, '1'),
      read: () => storage.outbox.listDeliveries(id, { offset: 0, limit: 9 }),
    };
  },
  'a first sign-in with an identity provider': ({ services, storage }) =>
    Promise.resolve({
      write: () => services.externalSignIn.complete('code=x', 'ticket'),
      read: () => storage.externalIdentities.findUser({ issuer: 'https://idp.example', subject: 'ida' }),
    }),
  'the end of copied refresh tokens': async (scene) => {
    const { used, current } = await refreshed(scene);
    return {
      write: () => scene.services.sessions.refresh(used).catch(refused),
      read: () => scene.services.sessions.refresh(current).then(() => 'is accepted', refused),
    };
  },
};

function refused(error: unknown): string {
  if (error instanceof ServiceError && error.code === 'unauthenticated') return 'refused';
  throw error;
}

describe('a write whose entry of the audit log cannot be stored', () => {
  for (const [name, prepare] of Object.entries(writes)) {
    it(`is not stored: ${name}`, async () => {
      const made = await scene();
      const { write, read } = await prepare(made);
      const isToken = name.includes('tokens');
      const old = isToken ? 'is accepted' : await read();
      made.state.isDown = true;
      const failure: unknown = await write().catch((error: unknown) => error);
      expect(failure).to.include({ code: 'unavailable' });
      expect(await read()).to.deep.equal(old);
      made.state.isDown = false;
      if (isToken) return;
      await write();
      expect(await read()).not.to.deep.equal(old);
    });
  }
});
