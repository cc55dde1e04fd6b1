/** Tests changing and deleting users. */
import { expect } from 'chai';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy, protectedPolicy } from '../../../../src/core/services/rights/policy.js';
import {
  ada,
  apiKey,
  asUser,
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
import { unchangedUser } from '../../../../src/core/ports/user-store.js';
import { eve } from '../../../support/sample-inputs.js';

describe('UsersService.replace and update', () => {
  it('give a status again that another request has changed since it was compared', async () => {
    for (const method of ['replace', 'update'] as const) {
      const { services, storage } = await openFixture();
      const find = storage.users.find.bind(storage.users);
      /** Deactivates Ada after the first read, which finds her active. */
      const deactivateOnce = (): void => {
        storage.users.find = async (id) => {
          const found = await find(id);
          storage.users.find = find;
          await storage.users.update(
            ids.ada,
            { ...unchangedUser, status: 'inactive' },
            '2026-01-02T00:00:00.000000Z',
          );
          return found;
        };
      };
      const input = { ...eve, status: 'active' } as const;
      deactivateOnce();
      expect(await services.users[method](root, ids.ada, input), method).to.include({ status: 'active' });
      deactivateOnce();
      await forbidden(services.users[method](ada, ids.ada, input));
    }
  });
});

describe('UsersService.replace', () => {
  it('clears an absent phone and city; keeps an absent password, role and status', async () => {
    const { services, storage } = await fixture(openPolicy, { passwordHasher: reversingHasher });
    const full = {
      ...eve,
      phone: '1',
      city: 'Rome',
      role: 'admin',
      status: 'inactive',
      password: '12345678',
    } as const;
    const { id } = await services.users.create(root, full);
    const user = await services.users.replace(anonymous, id, {
      name: 'E',
      email: 'e@example.com',
    });
    expect(user).to.include({
      name: 'E',
      email: 'e@example.com',
      role: 'admin',
      status: 'inactive',
      version: 2,
    });
    expect(user).to.include({ phone: undefined, city: undefined });
    expect(user.updatedAt > user.createdAt).to.equal(true);
    expect((await storage.users.findCredentials('e@example.com'))?.passwordHash).to.equal('#87654321');
  });

  for (const policy of [openPolicy, protectedPolicy]) {
    const name = policy === openPolicy ? 'open' : 'protected';

    it(`lets only the user or an admin change a password (${name})`, async () => {
      const { services, storage } = await fixture(policy, { passwordHasher: reversingHasher });
      const input = { name: 'Ada', email: 'ada@example.com', password: 'new password' };
      await unauthenticated(services.users.replace(anonymous, ids.ada, { ...input }));
      await forbidden(services.users.replace(bob, ids.ada, { ...input }));
      expect((await storage.users.findCredentials(input.email))?.passwordHash).to.equal(undefined);
      for (const [caller, password] of [
        [ada, 'by herself'],
        [root, 'by an admin'],
      ] as const) {
        await services.users.replace(caller, ids.ada, { ...input, password });
        const hash = (await storage.users.findCredentials(input.email))?.passwordHash ?? '';
        expect(await reversingHasher.verify(hash, password)).to.equal(true);
      }
    });

    it(`lets only an admin give a role or status (${name})`, async () => {
      const { services } = await fixture(policy);
      const input = { name: 'Ada', email: 'ada@example.com' };
      await unauthenticated(services.users.replace(anonymous, ids.ada, { ...input, role: 'admin' }));
      await forbidden(services.users.replace(ada, ids.ada, { ...input, role: 'admin' }));
      await forbidden(services.users.replace(ada, ids.ada, { ...input, status: 'inactive' }));
      const user = await services.users.replace(root, ids.ada, {
        ...input,
        role: 'admin',
        status: 'inactive',
      });
      expect(user).to.include({ role: 'admin', status: 'inactive' });
    });
  }

  it('is allowed for the user and admins under protected', async () => {
    const { services } = await protectedFixture();
    const input = { name: 'Ada L.', email: 'ada@example.com' };
    await unauthenticated(services.users.replace(anonymous, ids.ada, { ...input }));
    await forbidden(services.users.replace(bob, ids.ada, { ...input }));
    await forbidden(services.users.replace(apiKey, ids.ada, { ...input }));
    expect(await services.users.replace(ada, ids.ada, { ...input })).to.include({
      name: 'Ada L.',
    });
  });

  it('refuses an absent user, a taken email, and a stale version', async () => {
    const { users } = (await openFixture()).services;
    await refused(users.replace(anonymous, '99', { ...eve }), 'not-found', 'User not found');
    await refused(
      users.replace(anonymous, ids.ada, { name: 'Ada', email: 'BOB@example.com' }),
      'conflict',
      'Email already in use',
    );
    await refused(
      users.replace(anonymous, '99', { ...eve }, { ifVersion: [1] }),
      'not-found',
      'User not found',
    );
    await refused(
      users.replace(anonymous, ids.ada, { ...eve }, { ifVersion: [2, 3] }),
      'precondition-failed',
      /^User has changed/,
    );
    await refused(users.replace(anonymous, ids.ada, { ...eve }, { ifVersion: [] }), 'precondition-failed');
    expect(await users.replace(anonymous, ids.ada, { ...eve }, { ifVersion: [9, 1] })).to.include({
      name: 'Eve',
      version: 2,
    });
  });

  it('lets one of many writers with the same version succeed', async () => {
    const { users } = (await openFixture()).services;
    const writes = Array.from({ length: 8 }, (_, index) =>
      users.replace(anonymous, ids.ada, { ...eve, name: `Writer ${index}` }, { ifVersion: [1] }),
    );
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await users.get(anonymous, ids.ada)).to.include({ version: 2 });
  });
});

describe('UsersService.update', () => {
  it('changes the given fields and keeps the others', async () => {
    const { users } = (await openFixture()).services;
    const before = await users.replace(anonymous, ids.ada, {
      ...eve,
      phone: '1',
      city: 'Rome',
    });
    const named = await users.update(anonymous, ids.ada, { email: undefined, name: 'Only' });
    expect(named).to.deep.equal({ ...before, name: 'Only', updatedAt: named.updatedAt, version: 3 });
    expect(await users.update(anonymous, ids.ada, { name: undefined, email: 'only@example.com' })).to.include(
      {
        name: 'Only',
        email: 'only@example.com',
      },
    );
  });

  it('has the same bounds and rights as replace', async () => {
    const { users } = (await protectedFixture()).services;
    await refused(users.update(ada, ids.ada, { email: undefined, name: '' }), 'invalid-input', /^name must/);
    await refused(
      users.update(ada, ids.ada, { name: undefined, email: 'x' }),
      'invalid-input',
      /^email must/,
    );
    await refused(
      users.update(ada, ids.ada, { name: undefined, email: 'bob@example.com' }),
      'conflict',
      'Email already in use',
    );
    await refused(users.update(root, '99', { email: undefined, name: 'X' }), 'not-found', 'User not found');
    await forbidden(users.update(bob, ids.ada, { email: undefined, name: 'X' }));
    await unauthenticated(users.update(anonymous, ids.ada, { email: undefined, name: 'X' }));
  });
});

describe('UsersService.update of oneself', () => {
  it('needs no right to read users: that right refuses a caller who reads, and hides nobody', async () => {
    const { services } = await fixture({ ...protectedPolicy, 'users.read': ['admin'] });
    await forbidden(services.users.get(ada, ids.ada));
    const change = { email: undefined, name: 'Only' };
    const updated = await services.users.update(ada, ids.ada, change, { ifVersion: [1] });
    expect(updated).to.include({ name: 'Only', version: 2 });
  });
});

describe('UsersService.activate', () => {
  it('activates a user, and does not change an active one', async () => {
    const { services, storage } = await protectedFixture();
    await storage.users.update(
      ids.ada,
      { ...unchangedUser, status: 'inactive' },
      '2026-01-01T00:00:00.000000Z',
    );
    const activated = await services.users.activate(root, ids.ada);
    expect(activated).to.include({ status: 'active', version: 3 });
    expect(await services.users.activate(root, ids.ada)).to.deep.equal(activated);
    await refused(services.users.activate(root, '99'), 'not-found', 'User not found');
  });

  it('is allowed for admins under protected, and for everybody under open', async () => {
    const { users } = (await protectedFixture()).services;
    await unauthenticated(users.activate(anonymous, ids.ada));
    await forbidden(users.activate(ada, ids.ada));
    expect(await (await openFixture()).services.users.activate(anonymous, ids.ada)).to.include({
      status: 'active',
    });
  });
});

describe('UsersService.delete', () => {
  it('is allowed for admins only, under both policies', async () => {
    for (const { services } of [await openFixture(), await protectedFixture()]) {
      await unauthenticated(services.users.delete(anonymous, ids.ada));
      await forbidden(services.users.delete(ada, ids.ada));
      await forbidden(services.users.delete(apiKey, ids.ada));
      await services.users.delete(root, ids.ada);
      await refused(services.users.delete(root, ids.ada), 'not-found', 'User not found');
    }
  });

  it('checks the version', async () => {
    const { users } = (await openFixture()).services;
    await refused(users.delete(root, ids.ada, { ifVersion: [2] }), 'precondition-failed');
    await users.delete(root, ids.ada, { ifVersion: [1] });
    await refused(users.get(anonymous, ids.ada), 'not-found');
  });

  it('deletes posts and comments too, and keeps orders', async () => {
    const { services } = await openFixture();
    const post = await services.posts.create(ada, { authorId: undefined, title: 'T', content: 'C' });
    const items = [{ name: 'Item', unitPrice: 1, quantity: 1 }];
    const [hers, his] = [
      await services.orders.create(ada, { userId: undefined, items }),
      await services.orders.create(bob, { userId: undefined, items }),
    ];
    const comment = await services.comments.create(ada, { userId: undefined, orderId: his.id, text: 'T' });
    const reply = await services.comments.create(asUser(ids.bob), {
      userId: undefined,
      orderId: hers.id,
      text: 'T',
    });
    await services.users.delete(root, ids.ada);
    await refused(services.posts.get(anonymous, post.id), 'not-found');
    await refused(services.comments.get(anonymous, comment.id), 'not-found');
    expect(await services.orders.get(anonymous, hers.id)).to.deep.equal(hers);
    expect(await services.comments.get(anonymous, reply.id)).to.deep.equal(reply);
    await refused(services.orders.listOfUser(anonymous, ids.ada), 'not-found', 'User not found');
  });
});
