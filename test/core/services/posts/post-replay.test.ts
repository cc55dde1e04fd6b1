/** Tests that a subscriber who returns gets the posts that it missed, then the new ones. */
import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { Post } from '../../../../src/core/model/post.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices } from '../../../../src/core/services/services.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { ada, fixture, ids, openFixture, refused } from '../fixture.js';
import { enginePost } from '../../../support/sample-inputs.js';

type Feed = AsyncIterableIterator<Post>;

const idsFrom = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

async function take(
  feed: Feed,
  count: number,
  pause: () => Promise<unknown> = turn,
): Promise<readonly string[]> {
  const met: string[] = [];
  while (met.length < count) {
    const { value } = (await feed.next()) as IteratorResult<Post, undefined>;
    if (value === undefined) throw new Error(`the feed ended after ${String(met.length)} posts`);
    met.push(value.id);
    await pause();
  }
  return met;
}

/** Writes posts as quickly as the store takes them. */
async function write(
  storage: ReturnType<typeof memoryStorage>,
  count: number,
  authorId: string = ids.ada,
): Promise<void> {
  for (let each = 0; each < count; each++) {
    await storage.posts.create({ ...enginePost, authorId }, '2026-01-01T00:00:00.000000Z');
  }
}

describe('PostsService.subscribeAdded with since', () => {
  it('delivers the posts after it, then the new ones, each once and in order', async () => {
    const { services, storage } = await openFixture();
    await write(storage, 350);
    const feed = await services.posts.subscribeAdded(anonymous, '20');
    expect(feed.lastEventId).to.equal('20');
    for (let each = 0; each < 10; each++) {
      await services.posts.create(ada, { authorId: undefined, ...enginePost });
    }
    expect(await take(feed, 340)).to.deep.equal(idsFrom(21, 360));
  });

  it('misses none and repeats none while others write, whenever it joins', async () => {
    for (let round = 0; round < 30; round++) {
      const { services, storage } = await openFixture();
      await write(storage, 95 + round);
      const live = await services.posts.subscribeAdded(anonymous);
      const feed = await services.posts.subscribeAdded(anonymous, '0');
      const writing = (async () => {
        for (let each = 0; each < 60; each++) {
          await services.posts.create(ada, { authorId: undefined, ...enginePost });
          if (each % 7 < round % 7) await turn();
        }
      })();
      expect(await take(feed, 155 + round, () => Promise.resolve())).to.deep.equal(idsFrom(1, 155 + round));
      expect(await take(live, 60)).to.deep.equal(idsFrom(96 + round, 155 + round));
      await writing;
    }
  });

  it('keeps the order when posts are stored and delivered to others while its last posts are read', async () => {
    const { services, storage } = await openFixture();
    await write(storage, 3);
    const live = await services.posts.subscribeAdded(anonymous);
    const list = storage.posts.list.bind(storage.posts);
    let reads = 0;
    storage.posts.list = async (...given) => {
      const page = await list(...given);
      reads += 1;
      // After the first read two posts are stored that the second one finds, and during the second one a newer post is delivered.
      for (let each = reads; each < 3; each++) {
        await services.posts.create(ada, { authorId: undefined, ...enginePost });
        await take(live, 1);
      }
      return page;
    };
    const feed = await services.posts.subscribeAdded(anonymous, '0');
    expect(await take(feed, 6)).to.deep.equal(idsFrom(1, 6));
  });

  it('gives a slow reader all that it missed, however much, and does not delay the others', async () => {
    const storage = memoryStorage();
    await fixture(openPolicy, { storage });
    const subscriberBounds = { items: 10, patienceMs: 50 };
    const services = createServices({ storage, policy: openPolicy, subscriberBounds });
    await write(storage, 1_000);
    const slow = await services.posts.subscribeAdded(anonymous, '0');
    const live = await services.posts.subscribeAdded(anonymous);
    expect(await take(slow, 5)).to.deep.equal(idsFrom(1, 5));
    for (let each = 0; each < 50; each++) {
      await services.posts.create(ada, { authorId: undefined, ...enginePost });
      expect(await take(live, 1)).to.deep.equal([String(1_001 + each)]);
    }
    expect(await take(slow, 1_045)).to.deep.equal(idsFrom(6, 1_050));
  });

  it('starts with new posts where none were missed, and where the id was never given', async () => {
    const { services, storage } = await openFixture();
    await write(storage, 3);
    const [upToDate, ahead] = [
      await services.posts.subscribeAdded(anonymous, '3'),
      await services.posts.subscribeAdded(anonymous, '999'),
    ];
    await turn();
    await services.posts.create(ada, { authorId: undefined, ...enginePost });
    expect(await take(upToDate, 1)).to.deep.equal(['4']);
    expect(await take(ahead, 1)).to.deep.equal(['4']);
  });

  it('delivers 10,000 missed posts, and refuses more with a sentence that says how to read them', async () => {
    const { services, storage } = await openFixture();
    await write(storage, 3, ids.bob);
    await write(storage, 10_000);
    await storage.users.delete(ids.bob);
    const feed = await services.posts.subscribeAdded(anonymous, '0');
    expect(await take(feed, 10_000, () => Promise.resolve())).to.deep.equal(idsFrom(4, 10_003));
    await write(storage, 1);
    await refused(
      services.posts.subscribeAdded(anonymous, '0'),
      'limit-exceeded',
      'More than 10000 posts were missed: read them with posts(limit, after), then subscribe since the last one',
    );
  });

  it('refuses anything but digits', async () => {
    const { services } = await openFixture();
    await refused(
      services.posts.subscribeAdded(anonymous, 'x'),
      'invalid-input',
      'since must be an id: digits only',
    );
    await refused(
      services.posts.subscribeAdded(anonymous, '', 'Last-Event-ID'),
      'invalid-input',
      /^Last-Event-ID /,
    );
  });

  it('leaves out posts that a rule hides', async () => {
    const { services, storage } = await fixture({
      ...openPolicy,
      'posts.read': (_, { authorId }) => authorId !== ids.bob,
    });
    for (const authorId of [ids.ada, ids.bob, ids.ada]) await write(storage, 1, authorId);
    const feed = await services.posts.subscribeAdded(anonymous, '0');
    expect(await take(feed, 2)).to.deep.equal(['1', '3']);
  });

  it('fails when the store fails, and reads no more once the subscriber has left', async () => {
    const { services, storage } = await openFixture();
    await write(storage, 500);
    let reads = 0;
    const list = storage.posts.list.bind(storage.posts);
    storage.posts.list = (...given) => {
      reads++;
      return reads === 2 ? Promise.reject(new Error('gone')) : list(...given);
    };
    const feed = await services.posts.subscribeAdded(anonymous, '0');
    let failure: unknown;
    await take(feed, 500).catch((error: unknown) => (failure = error));
    expect(failure).to.have.property('message', 'gone');
    reads = 10;
    const other = await services.posts.subscribeAdded(anonymous, '0');
    await take(other, 5);
    await other.return?.();
    for (let each = 0; each < 10; each++) await turn();
    expect(reads).to.equal(11);
  });
});
