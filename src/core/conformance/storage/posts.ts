/** The checks of a post store. */
import assert from 'node:assert/strict';
import type { Post } from '../../model/post.js';
import type { Stores } from '../../ports/storage.js';
import { storeChecks } from '../check.js';
import {
  addPost,
  addUser,
  addUserIds,
  addUsers,
  at,
  atOnce,
  idsOf,
  inTurn,
  oddIds,
  readAll,
  taken,
} from '../samples.js';

const page = { after: undefined, limit: 9 };

export const postChecks = storeChecks(['posts', 'users'], {
  'posts-create: create gives back the post with its id and time, and find finds it': async (storage) => {
    const { id: authorId } = await addUser(storage, 1);
    const fields = { title: 'On 💡', content: 'Line\r\n\tline '.repeat(7_000), authorId };
    const now = '2026-02-28T23:59:59.999999Z';
    const post = taken(await storage.posts.create(fields, now));
    assert.deepEqual(post, { ...fields, id: post.id, createdAt: now });
    assert.deepEqual(await storage.posts.find(post.id), post);
  },

  'posts-author: a post needs an author who exists': async (storage) => {
    const { id } = await addUser(storage, 1);
    await storage.users.delete(id);
    for (const authorId of [...oddIds, id]) {
      const outcome = await storage.posts.create({ title: 'T', content: 'C', authorId }, at(0));
      assert.equal(outcome, 'author-not-found');
    }
    assert.deepEqual(await storage.posts.list(page), []);
  },

  'posts-odd-ids: a text that is not an id is not found': async (storage) => {
    const { id } = await addUser(storage, 1);
    await addPost(storage, id);
    for (const odd of oddIds) assert.equal(await storage.posts.find(odd), undefined);
    assert.deepEqual(
      await storage.posts.listByAuthors(oddIds, 9),
      oddIds.map(() => []),
    );
  },

  'posts-created-at: createdAt grows by at least a microsecond, even when the clock does not advance': async (
    storage,
  ) => {
    const { id } = await addUser(storage, 1);
    const clock = [at(5), at(5), at(3), '2026-01-01T00:00:05.999999Z', at(5), at(7)];
    const posts = await inTurn(clock.length, (number) => addPost(storage, id, clock[number]));
    const times = posts.map(({ createdAt }) => createdAt);
    assert.deepEqual(times, [
      at(5),
      '2026-01-01T00:00:05.000001Z',
      '2026-01-01T00:00:05.000002Z',
      '2026-01-01T00:00:05.999999Z',
      at(6),
      at(7),
    ]);
  },

  'posts-created-at-after-delete: createdAt grows past that of a deleted post': async (storage) => {
    const [first, second] = await addUserIds(storage);
    const gone = await addPost(storage, first, at(9));
    await storage.users.delete(first);
    const next = await addPost(storage, second, at(1));
    assert.ok(next.createdAt > gone.createdAt, 'times grow');
    assert.ok(BigInt(next.id) > BigInt(gone.id), 'ids grow');
    assert.deepEqual(await storage.posts.listSince(gone.createdAt, 9), [next]);
  },

  'posts-lists: each list has its order, start and end': async (storage) => {
    const { id: authorId } = await addUser(storage, 1);
    const posts = await inTurn(12, () => addPost(storage, authorId));
    const { posts: store } = storage;
    const nth = (index: number) => posts[index] as Post; // within the twelve
    const newest = posts.toReversed();

    assert.deepEqual(await store.list({ after: undefined, limit: 5 }), posts.slice(0, 5));
    assert.deepEqual(await store.list({ after: nth(8).id, limit: 2 }), posts.slice(9, 11));
    assert.deepEqual(await store.list({ after: nth(11).id, limit: 2 }), []);

    assert.deepEqual(await store.listSince(undefined, 3), posts.slice(0, 3));
    assert.deepEqual(await store.listSince(nth(2).createdAt, 3), posts.slice(3, 6));
    assert.deepEqual(await store.listSince('0001-01-01T00:00:00.000000Z', 100), posts);
    assert.deepEqual(await store.listSince(nth(11).createdAt, 3), []);
    assert.deepEqual(await store.listSince('9999-12-31T23:59:59.999999Z', 3), []);

    assert.deepEqual(await store.listBefore(undefined, 3), newest.slice(0, 3));
    assert.deepEqual(await store.listBefore(nth(10).id, 3), newest.slice(2, 5));
    assert.deepEqual(await store.listBefore('9'.repeat(18), 100), newest);
    assert.deepEqual(await store.listBefore(nth(0).id, 3), []);
    assert.deepEqual(await store.listBefore('0', 3), []);
  },

  'posts-by-author: listByAuthor gives those of one author, from its start to its end': async (storage) => {
    const [a, b, c] = await addUserIds(storage);
    const both = await inTurn(12, (number) => addPost(storage, number % 2 ? b : a));
    const byA = both.filter(({ authorId }) => authorId === a);
    const { posts: store } = storage;
    const third = byA[2]?.id;
    assert.deepEqual(await store.listByAuthor(a, { after: undefined, limit: 4 }), byA.slice(0, 4));
    assert.deepEqual(await store.listByAuthor(a, { after: third, limit: 2 }), byA.slice(3, 5));
    assert.deepEqual(await store.listByAuthor(a, { after: third, limit: 9 }), byA.slice(3));
    assert.deepEqual(await store.listByAuthor(a, { after: byA[5]?.id, limit: 9 }), []);
    for (const id of [...oddIds, c]) {
      assert.deepEqual(await store.listByAuthor(id, page), []);
    }
  },

  'posts-by-authors: listByAuthors gives each author their own, in the order asked, up to the limit': async (
    storage,
  ) => {
    const [a, b, c] = await addUserIds(storage);
    const both = await inTurn(8, (number) => addPost(storage, number % 4 === 1 ? b : a));
    const [byA, byB] = [a, b].map((id) => both.filter(({ authorId }) => authorId === id));
    const lists = await storage.posts.listByAuthors([b, c, 'none', a, b], 4);
    assert.deepEqual(lists, [byB, [], [], byA?.slice(0, 4), byB]);
    assert.deepEqual(await storage.posts.listByAuthors([], 4), []);
  },

  'posts-by-authors-total: listByAuthors gives at most the given total of posts': async (storage) => {
    const ids = await addUserIds(storage);
    await inTurn(9, (number) => addPost(storage, ids[number % 3] ?? ''));
    for (const [total, expected] of [
      [1, 1],
      [4, 4],
      [9, 9],
      [100, 9],
    ] as const) {
      const lists = await storage.posts.listByAuthors(ids, 3, total);
      assert.equal(lists.flat().length, expected);
    }
  },

  'posts-without-content: lists without content are the same with an empty content': async (storage) => {
    const { id: authorId } = await addUser(storage, 1);
    const whole = await inTurn(3, () => addPost(storage, authorId));
    const brief = whole.map((post) => ({ ...post, content: '' }));
    const { posts: store } = storage;
    for (const [form, expected] of [
      ['without-content', brief],
      ['whole', whole],
      [undefined, whole],
    ] as const) {
      assert.deepEqual(await store.list(page, form), expected);
      assert.deepEqual(await store.listByAuthor(authorId, page, form), expected);
      assert.deepEqual(await store.listByAuthors([authorId], 9, 9, form), [expected]);
    }
  },

  'posts-cascade: the posts of a deleted user are gone, and only those': async (storage) => {
    const [a, b] = await addUserIds(storage);
    const gone = await addPost(storage, a);
    const kept = await addPost(storage, b);
    await addPost(storage, a);
    await storage.users.delete(a);
    assert.equal(await storage.posts.find(gone.id), undefined);
    assert.deepEqual(await storage.posts.list(page), [kept]);
    assert.deepEqual(await storage.posts.listBefore(undefined, 9), [kept]);
    assert.deepEqual(await storage.posts.listSince(undefined, 9), [kept]);
    assert.deepEqual(await storage.posts.listByAuthors([a, b], 9), [[], [kept]]);
  },

  'posts-immutable: changes to a returned post do not reach the store': async (storage) => {
    const { id } = await addUser(storage, 1);
    const post = await addPost(storage, id);
    const before = { ...post };
    Reflect.set(post, 'title', 'Changed');
    for (const [row] of await storage.posts.listByAuthors([id], 9))
      Reflect.set(row ?? {}, 'title', 'Changed');
    assert.deepEqual(await storage.posts.find(post.id), before);
  },

  'posts-race-created-at: with eight writers at once, createdAt is unique and grows in the order of ids':
    async (storage) => {
      await writeAtOnce(storage);
      const posts = await readAll((slice) => storage.posts.list(slice), 100);
      assert.equal(posts.length, 8 * 12);
      const byTime = posts.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
      assert.deepEqual(idsOf(byTime), idsOf(posts));
      assert.equal(new Set(posts.map(({ createdAt }) => createdAt)).size, posts.length);
    },

  'posts-race-reader: a reader who pages by time during eight writers gets every post once': async (
    storage,
  ) => {
    const met: Post[] = [];
    const read = async () => {
      const page = await storage.posts.listSince(met.at(-1)?.createdAt, 7);
      met.push(...page);
      assert.equal(new Set(idsOf(met)).size, met.length, 'no post twice');
      return page.length;
    };
    const progress = { written: false };
    const readToTheEnd = async () => {
      for (let atEnd = false; !atEnd;) {
        const { written } = progress;
        atEnd = (await read()) === 0 && written;
      }
    };
    const writing = writeAtOnce(storage).finally(() => (progress.written = true));
    await Promise.all([writing, readToTheEnd()]);
    assert.deepEqual(idsOf(met), idsOf(await readAll((slice) => storage.posts.list(slice), 100)));
  },

  'posts-race-author: no post outlives an author who is deleted while posts are made': async (storage) => {
    const { id } = await addUser(storage, 1);
    const create = () => storage.posts.create({ title: 'T', content: 'C', authorId: id }, at(0));
    const before = atOnce(4, create);
    const deleted = storage.users.delete(id);
    await Promise.all([before, atOnce(4, create)]);
    assert.equal(await deleted, 'deleted');
    assert.deepEqual(await storage.posts.listBefore(undefined, 9), []);
  },
});

/** Eight writers, each with its own posts, whose clocks differ. */
async function writeAtOnce(storage: Pick<Stores, 'posts' | 'users'>): Promise<void> {
  const ids = idsOf(await addUsers(storage, 8));
  await atOnce(8, (writer) =>
    inTurn(12, (number) => addPost(storage, ids[writer] ?? '', at((writer * 5 + number) % 9))),
  );
}
