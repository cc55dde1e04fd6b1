/** Tests the demo data of an empty store. */

import { expect } from 'chai';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import type { PasswordHasher } from '../../../src/core/ports/sign-in.js';
import type { Caller } from '../../../src/core/services/rights/caller.js';
import { fillWithDemoData, findDemoSignIns } from '../../../src/core/services/demo-data.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { createServices } from '../../../src/core/services/services.js';
import { everyOrder } from '../../../src/core/ports/order-store.js';

const plainHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(`hash of ${password}`),
  verify: (hash, password) => Promise.resolve(hash === `hash of ${password}`),
};
const admin: Caller = { kind: 'user', id: '0', role: 'admin' };

describe('fillWithDemoData', () => {
  it('creates users with an admin, posts, products with categories, orders in several states, and comments', async () => {
    const storage = memoryStorage();
    const services = createServices({ storage, policy: openPolicy, passwordHasher: plainHasher });
    await fillWithDemoData(services, admin);

    const users = await services.users.listAll(admin);
    expect(users.filter(({ role }) => role === 'admin')).to.have.length(1);
    expect(await services.posts.listAll(admin)).not.to.be.empty;
    const { data: products } = await services.products.list(admin);
    for (const { id } of products) {
      expect((await services.products.listCategories(admin, id)).data, id).not.to.be.empty;
    }
    const { data: orders } = await services.orders.list(admin, everyOrder);
    expect(new Set(orders.map(({ status }) => status))).to.deep.equal(
      new Set(['pending', 'processing', 'completed', 'cancelled']),
    );
    expect((await services.comments.list(admin, { orderId: undefined })).data).not.to.be.empty;
  });

  it('does nothing when the store is not empty', async () => {
    const storage = memoryStorage();
    const services = createServices({ storage, policy: openPolicy, passwordHasher: plainHasher });
    await services.users.create(admin, { name: 'Somebody', email: 'somebody@example.com' });
    await fillWithDemoData(services, admin);
    expect(await services.users.listAll(admin)).to.have.length(1);
  });

  it('fills the store once when several processes start at once', async () => {
    const storage = memoryStorage();
    const services = createServices({ storage, policy: openPolicy, passwordHasher: plainHasher });
    await Promise.all([1, 2, 3].map(() => fillWithDemoData(services, admin)));
    expect(await services.users.listAll(admin)).to.have.length(3);
    expect((await services.orders.list(admin, everyOrder)).data).to.have.length(4);
  });
});

describe('findDemoSignIns', () => {
  it('finds exactly the demo users who can sign in with the public password', async () => {
    const storage = memoryStorage();
    const services = createServices({ storage, policy: openPolicy, passwordHasher: plainHasher });
    const emails = async (): Promise<readonly string[]> =>
      (await findDemoSignIns(storage.users, plainHasher)).map(({ email, role }) => `${email} ${role}`);
    expect(await emails()).to.deep.equal([]);

    await fillWithDemoData(services, admin);
    const everybody = ['ada@example.com admin', 'grace@example.com user', 'katherine@example.com user'];
    expect(await emails()).to.deep.equal(everybody);
    for (const { email, password } of await findDemoSignIns(storage.users, plainHasher)) {
      expect((await storage.users.findCredentials(email))?.passwordHash).to.equal(`hash of ${password}`);
    }

    const [ada, grace, katherine] = await services.users.listAll(admin);
    if (!ada || !grace || !katherine) return expect.fail('somebody is missing');
    await services.users.replace(admin, ada.id, { ...ada, password: 'one of her own' });
    await services.users.replace(admin, grace.id, { ...grace, status: 'inactive' });
    expect(await emails()).to.deep.equal(['katherine@example.com user']);
    await services.users.delete(admin, katherine.id);
    expect(await emails()).to.deep.equal([]);
  });
});
