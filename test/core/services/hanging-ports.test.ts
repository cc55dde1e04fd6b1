/** Ports of an application that never answer: each call of them ends, and their places are free for the next. */
import { expect } from 'chai';
import { memoryAttemptLimiter } from '../../../src/core/limits/memory.js';
import type { WebhookSender } from '../../../src/core/ports/outbox.js';
import { anonymous } from '../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { createServices } from '../../../src/core/services/services.js';
import { cloudEvent } from '../../../src/core/operations/webhooks.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { jwtCodec } from '../../../src/core/identity/jwt.js';
import { quickenTimers } from '../../support/quick-timers.js';
import { asAdmin, refused, reversingHasher } from './fixture.js';

const email = 'ada@example.com';
const password = 'correct horse battery';
const never = (): Promise<never> => new Promise(() => undefined);

describe('a port that never answers', () => {
  const hanging = new Set<string>();
  /** The port, whose method of this name hangs while it is in the set. */
  const port = <Port extends object>(name: string, real: Port): Port =>
    new Proxy(real, {
      get: (target, method) =>
        hanging.has(`${name}.${String(method)}`) ? never : (Reflect.get(target, method, target) as unknown),
    });
  const sender: WebhookSender = {
    refusal: () => Promise.resolve(undefined),
    send: () => Promise.resolve(204),
    close: () => undefined,
  };
  const services = createServices({
    storage: memoryStorage(),
    policy: openPolicy,
    passwordHasher: port('hasher', reversingHasher),
    signInLimiter: port('limiter', memoryAttemptLimiter()),
    signUpLimiter: port('limiter', memoryAttemptLimiter()),
    tokens: port('tokens', jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) })),
    outbox: { sender: port('sender', sender), encode: cloudEvent },
  });
  const signIn = () => services.sessions.signIn({ email, password }, '192.0.2.1');
  let users = 0;
  const signUp = () =>
    services.users.create(
      anonymous,
      { name: 'A', email: `a${String(++users)}@example.com`, password },
      '192.0.2.1',
    );
  const addWebhook = () =>
    services.webhooks.create(asAdmin('1'), { url: 'https://example.com', types: undefined });
  before(() => services.users.create(anonymous, { name: 'Ada', email, password }));

  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    'hasher.hash': signUp,
    'hasher.verify': signIn,
    'limiter.blockedFor': signIn,
    'limiter.take': signIn,
    'limiter.giveBack': signIn,
    'tokens.signAccess': signIn,
    'tokens.readAccess': () => services.authentication.callerOfToken('x.y.z'),
    'sender.refusal': addWebhook,
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`${name} is given up, and the next calls are answered`, async () => {
      hanging.add(name);
      const restore = quickenTimers(10_000, 'core/pacing/');
      try {
        // More than run at once.
        await Promise.all([1, 2, 3].map(() => refused(call(), 'unavailable', /: try again in a moment$/)));
      } finally {
        restore();
        hanging.clear();
      }
      await call();
    });
  }

  it('may be frozen', async () => {
    const passwordHasher = Object.freeze({ ...reversingHasher });
    const own = createServices({ storage: memoryStorage(), policy: openPolicy, passwordHasher });
    const { id } = await own.users.create(anonymous, { name: 'Ada', email, password });
    expect(id).to.equal('1');
  });

  it('of tokens that are read without a promise are left alone', async () => {
    expect(await services.authentication.callerOfToken('x.y.z')).to.equal(undefined);
  });
});
