/** `Idempotency-Key` over HTTP: what a repeated request gets, on every store. */
import { expect } from 'chai';
import type { ServiceAnswer } from '../support/service.js';
import { signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, expectErrorAbout, userInput } from './user-requests.js';

const reused = 'This Idempotency-Key was used for another request: use a new one';

let keys = 0;
const newKey = () => `key ${String(++keys)}`;
const under = (key: string, headers: Readonly<Record<string, string>> = {}) => ({
  'idempotency-key': key,
  ...headers,
});

/** Asserts that an answer repeats the first one. */
function expectReplay(again: ServiceAnswer, first: ServiceAnswer): void {
  expect(first.status, first.text).to.equal(201);
  expect(first.headers['idempotency-replayed']).to.equal(undefined);
  expect(again.status, again.text).to.equal(201);
  expect(again.body).to.deep.equal(first.body);
  expect(again.headers['idempotency-replayed']).to.equal('true');
  for (const name of ['location', 'etag']) expect(again.headers[name]).to.equal(first.headers[name]);
}

onEveryStore(
  'Idempotency-Key',
  (service) => {
    it('tells a body with the same values from another', async () => {
      const key = newKey();
      const { email } = userInput() as { email: string };
      const input = { name: 'Ada', email, password: 'a password' };
      const first = await service.post('/api/users', input, under(key));
      const { name, password } = input;
      expectReplay(await service.post('/api/users', { password, email, name }, under(key)), first);
      for (const change of [{ name: 'Eve' }, { password: 'another password' }, { city: 'Rome' }]) {
        expectError(await service.post('/api/users', { ...input, ...change }, under(key)), 422, reused);
      }
      const product = { name: 'Lamp', price: 1 };
      expectError(await service.post('/api/products', product, under(key)), 422, reused);
    });

    it('forgets a request that was refused', async () => {
      const key = newKey();
      const input = userInput();
      const taken = await createUser(service);
      const same = { ...input, email: taken.email };
      expectError(await service.post('/api/users', same, under(key)), 409, 'Email already in use');
      expectError(await service.post('/api/users', same, under(key)), 409, 'Email already in use');
      expectErrorAbout(await service.post('/api/users', { ...input, name: '' }, under(key)), 400, 'name');
      expect((await service.post('/api/users', input, under(key))).status).to.equal(201);
    });

    it('refuses an empty key and one that is too long, and is not for operations that do not create', async () => {
      const product = { name: 'Lamp', price: 24.5 };
      for (const key of ['', 'x'.repeat(256)]) {
        const answer = await service.post('/api/products', product, under(key));
        expectErrorAbout(answer, 400, 'Idempotency-Key');
      }
      const account = await signUp(service);
      const { email, password } = account;
      const key = newKey();
      const tokens = await Promise.all(
        [1, 2].map(async () => {
          const answer = await service.post('/api/auth/login', { email, password }, under(key));
          expect(answer.headers['idempotency-replayed']).to.equal(undefined);
          return (answer.body as { refreshToken: string }).refreshToken;
        }),
      );
      expect(new Set(tokens).size).to.equal(2);
    });

    it('creates an API key once, which a repeat gets without the key itself', async () => {
      const admin = await signInAsAdmin(service);
      const key = newKey();
      const make = (name: string) => service.post('/api/keys', { name }, under(key, admin));
      const { key: secret, ...record } = (await make('Shop')).body as { key: string; id: string };
      expect(secret).to.match(/^ck_/);
      const again = await make('Shop');
      expect([again.status, again.headers['idempotency-replayed'], again.body]).to.deep.equal([
        201,
        'true',
        record,
      ]);
      expectError(
        await make('Other'),
        422,
        'This Idempotency-Key was used for another request: use a new one',
      );
    });
  },
  () => signInSettings,
);
