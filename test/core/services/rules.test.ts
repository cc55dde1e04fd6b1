/** Rows of a policy that are functions: what they are asked, what counts as an answer, and what becomes of races and errors. */
import { expect } from 'chai';
import type { Post } from '../../../src/core/model/post.js';
import { unchangedUser } from '../../../src/core/ports/user-store.js';
import { anonymous } from '../../../src/core/services/rights/caller.js';
import { type Policy, openPolicy, protectedPolicy } from '../../../src/core/services/rights/policy.js';
import { Rights } from '../../../src/core/services/rights/rights.js';
import { createServices } from '../../../src/core/services/services.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import {
  ada,
  apiKey,
  asUser,
  bob,
  fixture,
  forbidden,
  ids,
  refused,
  root,
  unauthenticated,
} from './fixture.js';

const order = { id: '1', userId: '7' } as const;

describe('a row that is a function', () => {
  it('decides on the caller and the record', () => {
    const asked: unknown[] = [];
    const rights = new Rights({
      ...openPolicy,
      'orders.create': (caller, record) => {
        asked.push([caller, record]);
        return caller.kind === 'user' && caller.id === record.userId;
      },
    });
    expect(rights.allows(asUser('7'), 'orders.create', undefined, order)).to.equal(true);
    expect(rights.allows(asUser('8'), 'orders.create', '8', order)).to.equal(false);
    expect(rights.allows(anonymous, 'orders.create', undefined, order)).to.equal(false);
    expect(asked).to.deep.equal([
      [asUser('7'), order],
      [asUser('8'), order],
      [anonymous, order],
    ]);
  });

  it('refuses a caller who reads, and hides nothing from a caller who writes', async () => {
    const { services } = await fixture({ ...protectedPolicy, 'users.read': ['admin'] });
    await forbidden(services.users.get(ada, ids.ada));
    const change = { email: undefined, name: 'Only' };
    const updated = await services.users.update(ada, ids.ada, change, { ifVersion: [1] });
    expect(updated).to.include({ name: 'Only', version: 2 });
  });

  it('lets nobody through without a record, or by an answer other than true', () => {
    const answering = (answer: unknown) =>
      new Rights({ ...openPolicy, 'orders.create': (() => answer) as () => boolean });
    expect(answering(true).allows(root, 'orders.create', root.id)).to.equal(false);
    for (const answer of [1, 'true', Promise.resolve(true), {}, undefined]) {
      expect(answering(answer).allows(root, 'orders.create', root.id, order)).to.equal(false);
    }
  });

  it('may ever let anybody through, so that the record is looked for', () => {
    const rights = new Rights({ ...openPolicy, 'orders.create': () => false });
    for (const caller of [anonymous, apiKey, ada]) {
      expect(rights.mayEver(caller, 'orders.create')).to.equal(true);
      expect(rights.scope(caller, 'orders.create').passes?.(order)).to.equal(false);
    }
  });

  it('is asked of what would be made', async () => {
    const policy: Policy = {
      ...openPolicy,
      'users.create': (_, { email }) => email.endsWith('@example.com'),
      'users.giveRole': (_, { role }) => role === 'user',
      'posts.create': (caller, { authorId }) => caller.kind === 'user' && caller.id === authorId,
      'products.write': (_, { priceCents }) => priceCents < 1000,
      'keys.manage': (_, { name }) => name !== 'root',
      'comments.createAs': (_, { text }) => text !== 'spam',
    };
    const { services } = await fixture(policy);
    const { users, posts, products, apiKeys, orders, comments } = services;
    await users.create(anonymous, { name: 'Eve', email: 'eve@example.com', role: 'user' });
    await unauthenticated(users.create(anonymous, { name: 'Eve', email: 'eve@example.org' }));
    await forbidden(users.create(bob, { name: 'Eve', email: 'a@example.com', role: 'admin' }));
    await posts.create(ada, { title: 'Looms', content: 'Text' });
    await forbidden(posts.create(ada, { title: 'Looms', content: 'Text', authorId: ids.bob }));
    await products.create(ada, { name: 'Loom', price: 9.99 });
    await forbidden(products.create(ada, { name: 'Loom', price: 10 }));
    const { apiKey: key } = await apiKeys.create(bob, { name: 'warehouse' });
    await forbidden(apiKeys.create(bob, { name: 'root' }));
    await apiKeys.deactivate(bob, key.id);
    await refused(apiKeys.deactivate(bob, '999'), 'not-found');
    const items = [{ name: 'Twine', unitPrice: 1, quantity: 1 }];
    const { id } = await orders.create(ada, { items });
    await forbidden(comments.create(ada, { orderId: id, userId: undefined, text: 'spam' }));
  });

  it('is asked before anything is changed, of the record as it is stored', async () => {
    const policy: Policy = {
      ...protectedPolicy,
      'users.update': (_, { city }) => city === undefined,
      'users.changePassword': () => false,
      'users.activate': (_, { name }) => name === 'Ada',
      'products.write': (_, { name }) => name !== 'Locked',
      'profile.read': (caller, { name }) => caller.kind === 'user' && name === 'Ada',
    };
    const { services, storage } = await fixture(policy);
    const { users, products } = services;
    expect(await users.update(bob, ids.ada, { name: 'Adele', email: undefined })).to.include({
      name: 'Adele',
    });
    await storage.users.update(ids.ada, { ...unchangedUser, city: 'London' }, '2026-01-01T00:00:00.000000Z');
    await forbidden(users.update(bob, ids.ada, { name: 'Eve', email: undefined }));
    const input = { name: 'Bob', email: 'bob@example.com' };
    await forbidden(users.replace(bob, ids.bob, { ...input, password: 'correct horse' }));
    await forbidden(users.activate(bob, ids.bob));
    await forbidden(users.delete(bob, ids.ada));
    await unauthenticated(users.getProfile(ada));
    const locked = await storage.products.create({ name: 'Locked', description: undefined, priceCents: 1 });
    const product = { name: 'Open', price: 1 };
    await forbidden(products.replace(root, locked.id, product));
    await forbidden(products.replaceCategories(root, locked.id, ['Tools']));
    await forbidden(products.delete(root, locked.id));
    const open = await products.create(root, product);
    await products.replaceCategories(root, open.id, ['Tools']);
    await products.delete(root, open.id);
  });

  it('decides again on a record that was changed after it was read', async () => {
    const storage = memoryStorage();
    const find = storage.users.find.bind(storage.users);
    let meanwhile: () => Promise<unknown> = () => Promise.resolve();
    storage.users.find = async (id) => {
      const user = await find(id);
      await meanwhile();
      return user;
    };
    const policy: Policy = { ...protectedPolicy, 'users.update': (_, { city }) => city === undefined };
    const { services } = await fixture(policy, { storage });
    const write = (change: { readonly city?: string; readonly phone?: string }) => async () => {
      meanwhile = () => Promise.resolve();
      await storage.users.update(ids.ada, { ...unchangedUser, ...change }, '2026-01-01T00:00:00.000000Z');
    };
    meanwhile = write({ phone: '1' });
    expect(await services.users.update(bob, ids.ada, { name: 'Adele', email: undefined })).to.include({
      name: 'Adele',
      version: 3,
    });
    meanwhile = write({ city: 'London' });
    await forbidden(services.users.update(bob, ids.ada, { name: 'Eve', email: undefined }));
    expect(await storage.users.find(ids.ada)).to.include({ name: 'Adele', city: 'London' });
  });

  it('keeps posts from a subscriber, also where it throws, and is not asked for others', async () => {
    const reports: unknown[] = [];
    const failure = new Error('no such tenant');
    const storage = memoryStorage();
    await fixture(openPolicy, { storage });
    const { posts } = createServices({
      storage,
      policy: {
        ...openPolicy,
        'posts.read': (caller, { title }) => {
          if (title === 'broken' && caller.kind === 'anonymous') throw failure;
          return caller.kind === 'user' || title === 'public';
        },
      },
      report: (error) => void reports.push(error),
    });
    const take = async (feed: AsyncIterator<Post, void, void>, count: number) => {
      const titles: string[] = [];
      for (; count > 0; count -= 1) titles.push((await feed.next()).value?.title ?? 'over');
      return titles;
    };
    const [open, all] = [await posts.subscribeAdded(anonymous), await posts.subscribeAdded(ada)];
    const titles = ['secret', 'broken', 'public', 'secret', 'public'];
    for (const title of titles) await posts.create(ada, { title, content: 'Text' });
    expect(await take(all, 5)).to.deep.equal(titles);
    expect(await take(open, 2)).to.deep.equal(['public', 'public']);
    expect(reports).to.deep.equal([failure]);
    await Promise.all([open.return?.(), all.return?.()]);
  });
});
