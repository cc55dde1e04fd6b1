/** The demo data of an empty store (decisions §1). */

import { expect } from 'chai';
import { memoryStorage } from '../../../src/adapters/storage/memory.js';
import type { PasswordHasher } from '../../../src/core/ports/password-hasher.js';
import type { Caller } from '../../../src/core/services/caller.js';
import { fillWithDemoData } from '../../../src/core/services/demo-data.js';
import { openPolicy } from '../../../src/core/services/policy.js';
import { createServices } from '../../../src/core/services/services.js';

const plainHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(`hash of ${password}`),
  verify: (hash, password) => Promise.resolve(hash === `hash of ${password}`),
};
const admin: Caller = { kind: 'user', id: '0', role: 'admin' };

describe('fillWithDemoData', () => {
  it('makes users, one of them an admin, posts, products with categories, orders in several states, comments', async () => {
    const storage = memoryStorage();
    const services = createServices({ storage, policy: openPolicy, passwordHasher: plainHasher });
    const signIns = await fillWithDemoData(services, admin);

    const users = await services.users.listAll(admin);
    expect(users.filter(({ role }) => role === 'admin')).to.have.length(1);
    expect(await services.posts.listAll(admin)).not.to.be.empty;
    const { data: products } = await services.products.list(admin);
    for (const { id } of products) {
      expect((await services.products.listCategories(admin, id)).data, id).not.to.be.empty;
    }
    const { data: orders } = await services.orders.list(admin, {});
    expect(new Set(orders.map(({ status }) => status))).to.deep.equal(
      new Set(['pending', 'processing', 'completed', 'cancelled']),
    );
    expect((await services.comments.list(admin, {})).data).not.to.be.empty;

    for (const { email, password, role } of signIns) {
      const found = await storage.users.findCredentials(email);
      expect(found?.user.role, email).to.equal(role);
      expect(found?.passwordHash, email).to.equal(`hash of ${password}`);
    }
  });

  it('leaves a store alone that is not empty', async () => {
    const storage = memoryStorage();
    const services = createServices({ storage, policy: openPolicy, passwordHasher: plainHasher });
    await services.users.create(admin, { name: 'Somebody', email: 'somebody@example.com' });
    expect(await fillWithDemoData(services, admin)).to.deep.equal([]);
    expect(await services.users.listAll(admin)).to.have.length(1);
  });

  it('is made once when several processes start at once', async () => {
    const storage = memoryStorage();
    const services = createServices({ storage, policy: openPolicy, passwordHasher: plainHasher });
    const all = await Promise.all([1, 2, 3].map(() => fillWithDemoData(services, admin)));
    expect(all.filter((signIns) => signIns.length > 0)).to.have.length(1);
    expect(await services.users.listAll(admin)).to.have.length(3);
    expect((await services.orders.list(admin, {})).data).to.have.length(4);
  });
});
