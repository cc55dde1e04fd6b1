/** Tests the use cases around posts. */
import { expect } from 'chai';
import { ServiceError } from '../../../../src/core/model/error.js';
import type { Post } from '../../../../src/core/model/post.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import type { Keep } from '../../../../src/core/services/reads/lists.js';
import {
  ada,
  apiKey,
  bob,
  forbidden,
  ids,
  openFixture,
  protectedFixture,
  refused,
  root,
  unauthenticated,
} from '../fixture.js';
import { enginePost } from '../../../support/sample-inputs.js';

async function write(storage: Storage, count: number, authorId: string = ids.ada): Promise<void> {
  for (let number = 0; number < count; number++) {
    await storage.posts.create({ ...enginePost, authorId }, '2026-01-01T00:00:00.000000Z');
  }
}

describe('PostsService.create', () => {
  it('makes the caller the author', async () => {
    for (const { services } of [await openFixture(), await protectedFixture()]) {
      const post = await services.posts.create(ada, { authorId: undefined, ...enginePost });
      expect(post).to.deep.equal({
        ...enginePost,
        id: '1',
        authorId: ids.ada,
        createdAt: '2026-01-01T00:00:04.000000Z',
      });
      expect(await services.posts.create(ada, { ...enginePost, authorId: ids.ada })).to.include({
        authorId: ids.ada,
      });
    }
  });

  it('lets only an admin write for another user', async () => {
    for (const { services } of [await openFixture(), await protectedFixture()]) {
      await forbidden(services.posts.create(bob, { ...enginePost, authorId: ids.ada }));
      expect(await services.posts.create(root, { ...enginePost, authorId: ids.ada })).to.include({
        authorId: ids.ada,
      });
    }
  });

  it('requires an existing author from an anonymous caller under open', async () => {
    const { posts } = (await openFixture()).services;
    await refused(
      posts.create(anonymous, { authorId: undefined, ...enginePost }),
      'invalid-input',
      /^authorId is required/,
    );
    for (const authorId of ['99', '', 'abc', '01']) {
      await refused(
        posts.create(anonymous, { ...enginePost, authorId }),
        'invalid-input',
        'authorId must be the id of a user',
      );
    }
    expect(await posts.create(anonymous, { ...enginePost, authorId: ids.ada })).to.include({
      authorId: ids.ada,
    });
  });

  it('requires a caller under protected', async () => {
    const { posts } = (await protectedFixture()).services;
    await unauthenticated(posts.create(anonymous, { authorId: undefined, ...enginePost }));
    await unauthenticated(posts.create(anonymous, { ...enginePost, authorId: ids.ada }));
    await forbidden(posts.create(apiKey, { ...enginePost, authorId: ids.ada }));
  });

  it('checks the bounds', async () => {
    const { posts } = (await openFixture()).services;
    for (const bad of [{ title: '' }, { title: 'x'.repeat(301) }]) {
      await refused(
        posts.create(ada, { authorId: undefined, ...enginePost, ...bad }),
        'invalid-input',
        /^title must/,
      );
    }
    for (const bad of [{ content: '' }, { content: 'x'.repeat(100_001) }]) {
      await refused(
        posts.create(ada, { authorId: undefined, ...enginePost, ...bad }),
        'invalid-input',
        /^content must/,
      );
    }
    await posts.create(ada, { authorId: undefined, title: '💡'.repeat(300), content: '💡'.repeat(100_000) });
  });
});

describe('PostsService reads', () => {
  it('are public under both policies', async () => {
    for (const { services, storage } of [await openFixture(), await protectedFixture()]) {
      await write(storage, 1);
      const { posts } = services;
      expect(await posts.get(anonymous, '1')).to.include({ authorId: ids.ada });
      expect(await posts.listAll(anonymous)).to.have.length(1);
      expect((await posts.listSince(anonymous, { since: undefined, limit: undefined })).data).to.have.length(
        1,
      );
      expect((await posts.listFeed(anonymous, { lastId: undefined, limit: undefined })).data).to.have.length(
        1,
      );
      expect(await posts.listByAuthors(anonymous, [ids.ada])).to.have.nested.property('[0].length', 1);
      expect(await posts.getAuthors(anonymous, [ids.ada])).to.have.nested.property('[0].name', 'Ada');
      await refused(posts.get(anonymous, '99'), 'not-found', 'Post not found');
    }
  });

  it('page by time: 10 by default, and each page starts after the one before', async () => {
    const { services, storage } = await openFixture();
    await write(storage, 25);
    const met: string[] = [];
    let since: string | undefined;
    for (;;) {
      const page = await services.posts.listSince(anonymous, { since, limit: undefined });
      expect(page.pagination.limit).to.equal(10);
      if (page.pagination.since === null) break;
      met.push(...page.data.map(({ id }) => id));
      since = page.pagination.since;
    }
    expect(met).to.deep.equal(Array.from({ length: 25 }, (_, index) => String(index + 1)));
    const shifted = await services.posts.listSince(anonymous, {
      since: '2026-01-01T02:00:00.000003+02:00',
      limit: 2,
    });
    expect(shifted.data.map(({ id }) => id)).to.deep.equal(['5', '6']);
    await refused(
      services.posts.listSince(anonymous, { since: 'yesterday', limit: undefined }),
      'invalid-input',
      /^since must/,
    );
  });

  it('page the feed from the newest: 20 by default', async () => {
    const { services, storage } = await openFixture();
    await write(storage, 45);
    const first = await services.posts.listFeed(anonymous, { lastId: undefined, limit: undefined });
    expect(first.data.map(({ id }) => id)).to.deep.equal(
      Array.from({ length: 20 }, (_, index) => String(45 - index)),
    );
    expect(first).to.include({ hasMore: true, lastId: '26' });
    const last = await services.posts.listFeed(anonymous, { lastId: '6', limit: 5 });
    expect(last).to.include({ hasMore: false, lastId: '1' });
    expect(await services.posts.listFeed(anonymous, { lastId: '1', limit: undefined })).to.deep.equal({
      data: [],
      hasMore: false,
      lastId: null,
    });
    for (const lastId of ['', 'abc', '-1']) {
      await refused(
        services.posts.listFeed(anonymous, { lastId, limit: undefined }),
        'invalid-input',
        /^lastId must/,
      );
    }
  });

  it('list the posts of many authors, and fail only for authors with too many', async () => {
    const { services, storage } = await openFixture();
    await write(storage, 10_001, ids.ada);
    await write(storage, 2, ids.bob);
    const [hers, his, none] = await services.posts.listByAuthors(anonymous, [ids.ada, ids.bob, '99']);
    expect(hers).to.be.instanceOf(ServiceError).and.have.property('code', 'limit-exceeded');
    expect(his).to.have.length(2);
    expect(none).to.deep.equal([]);
    await refused(services.posts.listAll(anonymous), 'limit-exceeded');
  });

  it('list the posts of many authors who have many, in parts, and count what is read', async () => {
    const { services, storage } = await openFixture();
    const amounts: Readonly<Record<string, number>> = { [ids.ada]: 450, [ids.bob]: 200, [ids.root]: 201 };
    for (const [id, count] of Object.entries(amounts)) await write(storage, count, id);
    const authors = [ids.bob, '99', ids.ada, ids.root];
    const parts: number[] = [];
    const keep: Keep<Post> = (part) => {
      parts.push(part.length);
      return part;
    };
    const lists = await services.posts.listByAuthors(anonymous, authors, 851, { form: 'whole', keep });
    for (const [index, id] of authors.entries()) {
      const all = await storage.posts.listByAuthor(id, { after: undefined, limit: 1_000 });
      expect(all).to.have.length(amounts[id] ?? 0);
      expect(lists[index]).to.deep.equal(all);
    }
    expect(Math.max(...parts)).to.equal(20);
    await refused(services.posts.listByAuthors(anonymous, authors, 850), 'limit-exceeded', /too many items/);
  });
});
