/** Tests the use cases around users. */
import { expect } from 'chai';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy, protectedPolicy } from '../../../../src/core/services/rights/policy.js';
import {
  ada,
  apiKey,
  bob,
  fixture,
  forbidden,
  ids,
  openFixture,
  protectedFixture,
  refused,
  reversingHasher,
  root,
  unauthenticated,
} from '../fixture.js';
import { everyUser } from '../../../../src/core/ports/user-store.js';
import { eve } from '../../../support/sample-inputs.js';

describe('UsersService.create', () => {
  it('creates an active user with the role user', async () => {
    const { services } = await openFixture();
    const user = await services.users.create(anonymous, {
      ...eve,
      phone: '1',
      city: 'Rome',
    });
    expect(user).to.deep.equal({
      ...eve,
      id: '4',
      phone: '1',
      city: 'Rome',
      role: 'user',
      status: 'active',
      createdAt: '2026-01-01T00:00:04.000000Z',
      updatedAt: '2026-01-01T00:00:04.000000Z',
      sessionsFrom: undefined,
      version: 1,
    });
  });

  it('refuses an email in use, in upper or lower case', async () => {
    const { services } = await openFixture();
    await refused(
      services.users.create(anonymous, { ...eve, email: 'ADA@EXAMPLE.com' }),
      'conflict',
      'Email already in use',
    );
  });

  it('refuses a value out of bounds, and names the field', async () => {
    const { services } = await openFixture();
    await refused(services.users.create(anonymous, { ...eve, name: '' }), 'invalid-input', /^name must/);
    await refused(
      services.users.create(anonymous, { ...eve, email: 'eve' }),
      'invalid-input',
      /^email must match format/,
    );
    await refused(
      services.users.create(anonymous, { ...eve, password: '1234567' }),
      'invalid-input',
      /^password must/,
    );
  });

  for (const policy of [openPolicy, protectedPolicy]) {
    it(`lets only an admin give a role or status (${policy === openPolicy ? 'open' : 'protected'})`, async () => {
      const { services } = await fixture(policy);
      for (const given of [
        { role: 'user' },
        { role: 'admin' },
        { status: 'active' },
        { status: 'inactive' },
      ] as const) {
        await unauthenticated(services.users.create(anonymous, { ...eve, ...given }));
        await forbidden(services.users.create(ada, { ...eve, ...given }));
      }
      const user = await services.users.create(root, {
        ...eve,
        role: 'admin',
        status: 'inactive',
      });
      expect(user).to.include({ role: 'admin', status: 'inactive' });
    });
  }

  it('stores a hash, never the password, and refuses a password without a hasher', async () => {
    const password = 'correct horse';
    const { services, storage } = await fixture(openPolicy, { passwordHasher: reversingHasher });
    await services.users.create(anonymous, { ...eve, password });
    expect((await storage.users.findCredentials(eve.email))?.passwordHash).to.equal('#esroh tcerroc');

    const without = await openFixture();
    await refused(without.services.users.create(anonymous, { ...eve, password }), 'not-implemented');
    expect(await without.storage.users.count(everyUser)).to.equal(3);
  });

  it('lets one of many concurrent sign-ups with one email succeed', async () => {
    const { services } = await fixture(openPolicy, { passwordHasher: reversingHasher });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => services.users.create(anonymous, { ...eve, password: '12345678' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });
});

describe('UsersService reads', () => {
  it('finds a user, and names the kind of record that was not found', async () => {
    const { services } = await openFixture();
    expect(await services.users.get(anonymous, ids.ada)).to.include({ name: 'Ada' });
    for (const id of ['99', '', '01', 'abc', '\u0000', '1'.repeat(10_000)]) {
      await refused(services.users.get(anonymous, id), 'not-found', 'User not found');
    }
  });

  it('needs a caller or a key under protected', async () => {
    const { users } = (await protectedFixture()).services;
    const reads = [
      (caller: typeof anonymous) => users.get(caller, ids.ada),
      (caller: typeof anonymous) => users.list(caller, everyUser),
      (caller: typeof anonymous) =>
        users.listByCursor(caller, everyUser, { cursor: undefined, limit: undefined }),
      (caller: typeof anonymous) => users.listAll(caller),
    ];
    for (const read of reads) await unauthenticated(read(anonymous));
    for (const caller of [bob, root, apiKey])
      expect(await users.get(caller, ids.ada)).to.include({ name: 'Ada' });
  });

  it('requires the right to read users for more than id and name', async () => {
    const { users } = (await protectedFixture()).services;
    const user = await users.get(bob, ids.ada);
    expect(() => {
      users.requireDetails(anonymous, user);
    }).to.throw('Not authenticated');
    users.requireDetails(bob, user);
    (await openFixture()).services.users.requireDetails(anonymous, user);
  });

  it('returns a caller their own record, and refuses anonymous callers', async () => {
    for (const { services, storage } of [await openFixture(), await protectedFixture()]) {
      expect(await services.users.getProfile(ada)).to.include({ id: ids.ada });
      await unauthenticated(services.users.getProfile(anonymous));
      await forbidden(services.users.getProfile(apiKey));
      await storage.users.delete(ids.ada);
      await unauthenticated(services.users.getProfile(ada));
    }
  });
});
