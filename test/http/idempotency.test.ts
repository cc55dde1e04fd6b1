/** `Idempotency-Key` over HTTP: what a repeated request gets, on every store. */
import { expect } from 'chai';
import type { ServiceAnswer, TestService } from '../support/service.js';
import { bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, expectErrorAbout, userInput } from './user-requests.js';

const reused = 'This Idempotency-Key was used for another request: use a new one';
const deleted = 'The record that this Idempotency-Key created has been deleted';
const inFlight = 'A request with this Idempotency-Key is being processed: try again in a moment';

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

async function total(service: TestService, path: string): Promise<number> {
  const answer = await service.get(`${path}?page=1&limit=1`);
  const { pagination } = answer.body as { pagination?: { total: number } };
  return pagination?.total ?? Number(answer.headers['x-total-count']);
}

onEveryStore(
  'Idempotency-Key',
  (service) => {
    /** A body for each operation that creates. */
    async function bodies(): Promise<Readonly<Record<string, object>>> {
      const user = await createUser(service);
      const items = [{ name: 'Twine', unitPrice: 1.5, quantity: 2 }];
      const order = (await service.post('/api/orders', { userId: user.id, items })).body as { id: string };
      return {
        '/api/users': userInput({ password: 'a password', city: 'Rome' }),
        '/api/orders': { userId: user.id, items },
        '/api/products': { name: 'Lamp', price: 24.5 },
        '/api/comments': { userId: user.id, orderId: order.id, text: 'Thank you.' },
      };
    }

    it('answers a repeated request as the first time, and creates once', async () => {
      for (const [path, body] of Object.entries(await bodies())) {
        const key = newKey();
        const before = await total(service, path);
        const first = await service.post(path, body, under(key));
        for (let times = 1; times <= 2; times++) {
          expectReplay(await service.post(path, body, under(key)), first);
        }
        expect(await total(service, path), path).to.equal(before + 1);
        const other = await service.post(
          path,
          { ...body, email: 'x@example.com', text: 'Other' },
          under(key),
        );
        expect(other.status).to.be.oneOf([400, 422]); // fields that the operation does not know are a 400
      }
    });

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

    it('shows the record as it is now, and does not create it again when it was deleted', async () => {
      const key = newKey();
      const body = { name: 'Lamp', price: 24.5 };
      const first = await service.post('/api/products', body, under(key));
      const { id } = first.body as { id: string };
      await service.put(`/api/products/${id}`, { name: 'Lantern', price: 30 });
      const again = await service.post('/api/products', body, under(key));
      expect(again.body).to.deep.include({ id, name: 'Lantern', price: 30 });
      await service.delete(`/api/products/${id}`);
      expectError(await service.post('/api/products', body, under(key)), 409, deleted);
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

    it('creates once for requests at the same time', async () => {
      const key = newKey();
      const input = userInput({ password: 'a password' });
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => service.post('/api/users', input, under(key))),
      );
      const created = answers.filter(({ status }) => status === 201);
      expect(created.length, 'the first, and those that came after it').to.be.at.least(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 409, inFlight);
      expect(new Set(created.map(({ body }) => (body as { id: string }).id)).size).to.equal(1);
    });

    it('keeps the keys of each caller apart', async () => {
      const key = newKey();
      const body = { name: 'Lamp', price: 24.5 };
      const as = [
        {},
        await signInAsAdmin(service),
        bearer((await signIn(service, await signUp(service))).accessToken),
      ];
      const ids = await Promise.all(
        as.map(async (caller) => {
          const { body: record } = await service.post('/api/products', body, under(key, caller));
          return (record as { id: string }).id;
        }),
      );
      expect(new Set(ids).size).to.equal(3);
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
