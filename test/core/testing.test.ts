/** The core for unit tests: a store, a caller and a clock in one call. */
import { expect } from 'chai';
import { openPolicy, protectedPolicy } from '../../src/core/services/rights/policy.js';
import { memoryStorage } from '../../src/core/storage/memory.js';
import { sqliteStorage } from '../../src/core/storage/sqlite.js';
import { jwtCodec } from '../../src/core/identity/jwt.js';
import { everyUser } from '../../src/core/ports/user-store.js';
import { ensureAdmin } from '../../src/core/services/users/first-admin.js';
import { quickHasher } from '../support/quick-hasher.js';
import { testCore } from '../../src/core/testing.js';
import { kyselyOf } from '../../src/core/kysely.js';

const lamp = { name: 'Lamp', price: 5 };

describe('testCore', () => {
  it('has the services on an empty store, with an admin as the caller', async () => {
    const { services, caller, close } = await testCore({ policy: protectedPolicy });
    const product = await services.products.create(caller, lamp);
    expect(await services.products.get(caller, product.id)).to.deep.equal(product);
    expect((await services.users.get(caller, caller.id)).role).to.equal('admin');
    await close();
  });

  it('has further callers, beside policy and hooks', async () => {
    const policy = { ...openPolicy, 'users.create': [] };
    const hooks = { 'users.create': { before: () => expect.fail('called') } };
    const { services, addCaller } = await testCore({ policy, hooks });
    const [one, other] = [await addCaller(), await addCaller({ name: 'Ada', city: 'London' })];
    expect([one.role, other.record?.city]).to.deep.equal(['user', 'London']);
    expect((await services.users.get(one, other.id)).name).to.equal('Ada');
    const again = addCaller({ email: 'CALLER2@example.com' });
    expect(String(await again.catch((error: unknown) => error))).to.include('CALLER2@example.com');
  });

  it('has a clock that stands still until it is set', async () => {
    const { services, caller, clock } = await testCore({ now: '2026-07-31T23:59:59.500000Z' });
    const items = [{ name: 'Twine', unitPrice: 1, quantity: 1 }];
    const order = await services.orders.create(caller, { items });
    expect(order.createdAt).to.equal('2026-07-31T23:59:59.500000Z');
    clock.advance(1000);
    const moved = await services.orders.changeStatus(caller, order.id, 'processing');
    expect(moved.updatedAt).to.equal('2026-08-01T00:00:00.500000Z');
  });

  it('keeps the fields of a contract, and their defaults', async () => {
    const records = { User: { stored: { points: { default: 3 } } } };
    const { services, caller } = await testCore({ contract: { extensions: { 'x-records': records } } });
    expect(caller.record?.stored).to.deep.equal({ points: 3 });
    const { stored } = await services.users.increment(caller, caller.id, { points: 2 });
    expect(stored).to.deep.equal({ points: 5 });
  });

  it('gives defaults also to users whom an identity provider or the settings create', async () => {
    const records = { User: { stored: { points: { default: 3 } } } };
    const { services, storage, caller } = await testCore({
      contract: { extensions: { 'x-records': records } },
      identityProvider: {
        redirectUri: 'https://example.com/callback',
        start: () => Promise.reject(new Error('it is not started')),
        complete: () =>
          Promise.resolve({
            issuer: 'https://id.example.com',
            subject: 'ada',
            email: 'ada@example.com',
            name: 'Ada',
          }),
      },
      tokens: jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'b'.repeat(32) }),
    });
    await services.externalSignIn.complete('code=1', 'ticket');
    await ensureAdmin(storage, quickHasher, { email: 'root@example.com', password: 'long enough' });
    const { data } = await services.users.list(caller, everyUser);
    expect(data.map(({ name, stored }) => [name, stored])).to.deep.equal([
      ['Caller 1', { points: 3 }],
      ['Ada', { points: 3 }],
      ['Administrator', { points: 3 }],
    ]);
  });

  it('takes SQLite, on which hooks run statements, and refuses the memory store to a hook that needs them', async () => {
    const seen: unknown[] = [];
    const hooks = {
      'products.write': {
        needs: 'database',
        after: async (_: unknown, tx: Parameters<typeof kyselyOf>[0]) => {
          seen.push(
            await kyselyOf<{ products: { name: string } }>(tx).selectFrom('products').selectAll().execute(),
          );
        },
      },
    } as const;
    const { services, caller, close } = await testCore({
      storage: await sqliteStorage({ path: ':memory:' }),
      hooks,
    });
    await services.products.create(caller, lamp);
    expect(seen).to.have.length(1);
    await close();
    const refused = testCore({ storage: memoryStorage(), hooks });
    expect(String(await refused.catch((error: unknown) => error))).to.include(
      "the hook products.write needs a database, which the storage does not have: use SQLite in its place, which may be in memory too: sqliteStorage({ path: ':memory:' })",
    );
  });

  it('names the way out to a hook that does not say what it needs', async () => {
    const hooks = {
      'products.write': { after: (_: unknown, tx: Parameters<typeof kyselyOf>[0]) => void kyselyOf(tx) },
    };
    const { services, caller } = await testCore({ hooks });
    const error: unknown = await services.products.create(caller, lamp).catch((thrown: unknown) => thrown);
    expect(String((error as Error).cause)).to.include("needs: 'database'");
  });
});
