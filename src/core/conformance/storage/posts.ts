/** The checks of a post store. */
import assert from 'node:assert/strict';
import type { Post } from '../../model/post.js';
import type { Stores } from '../../ports/storage.js';
import { type Row, storeChecks, type Table } from '../check.js';
import { recordChecks } from '../every-store.js';
import { finds, readAll } from '../reads.js';
import {
  addPost,
  addUser,
  addUserIds,
  addUsers,
  at,
  atOnce,
  firstPage,
  idsOf,
  inTurn,
  oddIds,
  taken,
} from '../samples.js';

type Parts = Pick<Stores, 'posts' | 'users'>;

function reads({ posts }: Parts, all: readonly Post[], gone: readonly Post[] = []): Table {
  const authors = [...new Set([...all, ...gone].map(({ authorId }) => authorId))];
  const by = (id: string) => all.filter(({ authorId }) => authorId === id);
  return [
    [() => posts.list(firstPage), all],
    [() => readAll((slice) => posts.list(slice), 2), all],
    [() => posts.listSince(undefined, 100), all],
    [() => posts.listBefore(undefined, 100), all.toReversed()],
    [() => posts.listByAuthors(authors.toReversed(), 100), authors.toReversed().map(by)],
    ...authors.map((id): Row => [() => posts.listByAuthor(id, firstPage), by(id)]),
    ...finds(posts, all, gone),
  ];
}

export const postChecks = [
  ...recordChecks<keyof Parts, Post>({
    prefix: 'posts',
    noun: 'post',
    stores: ['posts', 'users'],
    create: async (storage, number, stored) =>
      await addPost(storage, (await addUser(storage, number)).id, at(number), { stored }),
    writes: [],
    removals: {
      'posts-cascade: the posts of a deleted user are gone, and only those': ({ users }, { authorId }) =>
        users.delete(authorId),
    },
    reads,
    filtered: async ({ posts }, stored) => {
      const all = await posts.list(firstPage, 'whole', stored);
      assert.deepEqual(await posts.listSince(undefined, 100, stored), all);
      assert.deepEqual(await posts.listBefore(undefined, 100, stored), all.toReversed());
      assert.deepEqual(await posts.listBefore(all.at(-1)?.id, 1, stored), all.slice(-2, -1));
      return [all, all.length];
    },
    unknown: ({ posts }, id) => [[() => posts.find(id), undefined]],
  }),

  ...storeChecks(['posts', 'users'], {
    'posts-create: create gives back the post with its id and time, and find finds it': async (storage) => {
      const { id: authorId } = await addUser(storage, 1);
      const fields = { title: 'On 💡', content: 'Line\r\n\tline '.repeat(7_000), authorId };
      const now = '2026-02-28T23:59:59.999999Z';
      const post = taken(await storage.posts.create(fields, now));
      assert.deepEqual(post, { ...fields, id: post.id, createdAt: now });
      return reads(storage, [post]);
    },

    'posts-author: a post needs an author who exists, and others have none': async (storage) => {
      const { posts } = storage;
      const [author, gone] = await addUserIds(storage);
      const post = await addPost(storage, author);
      await storage.users.delete(gone);
      const ofUnknown = [...oddIds, gone].flatMap((authorId): Table => [
        [() => posts.create({ title: 'T', content: 'C', authorId }, at(0)), 'author-not-found'],
        [() => posts.listByAuthor(authorId, firstPage), []],
        [() => posts.listByAuthors([authorId], 9), [[]]],
      ]);
      return [...ofUnknown, ...reads(storage, [post])];
    },

    'posts-created-at: createdAt grows by at least a microsecond, even when the clock does not advance':
      async (storage) => {
        const { id } = await addUser(storage, 1);
        const clock = [at(5), at(5), at(3), '2026-01-01T00:00:05.999999Z', at(5), at(7)];
        const times = [
          at(5),
          '2026-01-01T00:00:05.000001Z',
          '2026-01-01T00:00:05.000002Z',
          '2026-01-01T00:00:05.999999Z',
          at(6),
          at(7),
        ];
        return clock.map((now, index) => [
          async () => (await addPost(storage, id, now)).createdAt,
          times[index],
        ]);
      },

    'posts-created-at-after-delete: createdAt grows past that of a deleted post': async (storage) => {
      const [first, second] = await addUserIds(storage);
      const gone = await addPost(storage, first, at(9));
      await storage.users.delete(first);
      const next = await addPost(storage, second, at(1));
      assert.ok(next.createdAt > gone.createdAt, 'times grow');
      return [[() => storage.posts.listSince(gone.createdAt, 9), [next]]];
    },

    'posts-lists: each list has its order, start and end': async ({ posts, users }) => {
      const { id: authorId } = await addUser({ users }, 1);
      const all = await inTurn(12, () => addPost({ posts }, authorId));
      const [first, , third, , , , , , ninth, , eleventh, last] = all;
      const newest = all.toReversed();
      return [
        [() => posts.list({ after: undefined, limit: 5 }), all.slice(0, 5)],
        [() => posts.list({ after: ninth?.id, limit: 2 }), all.slice(9, 11)],
        [() => posts.list({ after: last?.id, limit: 2 }), []],

        [() => posts.listSince(undefined, 3), all.slice(0, 3)],
        [() => posts.listSince(third?.createdAt, 3), all.slice(3, 6)],
        [() => posts.listSince('0001-01-01T00:00:00.000000Z', 100), all],
        [() => posts.listSince(last?.createdAt, 3), []],
        [() => posts.listSince('9999-12-31T23:59:59.999999Z', 3), []],

        [() => posts.listBefore(undefined, 3), newest.slice(0, 3)],
        [() => posts.listBefore(eleventh?.id, 3), newest.slice(2, 5)],
        [() => posts.listBefore('9'.repeat(18), 100), newest],
        [() => posts.listBefore(first?.id, 3), []],
        [() => posts.listBefore('0', 3), []],
      ];
    },

    'posts-by-author: listByAuthor gives those of one author, from its start to its end': async (storage) => {
      const { posts } = storage;
      const [a, b, c] = await addUserIds(storage);
      const all = await inTurn(12, (number) => addPost(storage, number % 2 ? b : a));
      const byA = all.filter(({ authorId }) => authorId === a);
      const [, , third, , , last] = byA;
      return [
        [() => posts.listByAuthor(a, { after: undefined, limit: 4 }), byA.slice(0, 4)],
        [() => posts.listByAuthor(a, { after: third?.id, limit: 2 }), byA.slice(3, 5)],
        [() => posts.listByAuthor(a, { after: third?.id, limit: 9 }), byA.slice(3)],
        [() => posts.listByAuthor(a, { after: last?.id, limit: 9 }), []],
        [() => posts.listByAuthor(c, firstPage), []],
      ];
    },

    'posts-by-authors: listByAuthors gives each author their own, in the order asked, up to the limit':
      async (storage) => {
        const [a, b, c] = await addUserIds(storage);
        const all = await inTurn(8, (number) => addPost(storage, number % 4 === 1 ? b : a));
        const by = (id: string) => all.filter(({ authorId }) => authorId === id);
        return [
          [
            () => storage.posts.listByAuthors([b, c, 'none', a, b], 4),
            [by(b), [], [], by(a).slice(0, 4), by(b)],
          ],
          [() => storage.posts.listByAuthors([], 4), []],
        ];
      },

    'posts-by-authors-total: listByAuthors gives at most the given total of posts': async (storage) => {
      const ids = await addUserIds(storage);
      await inTurn(9, (number) => addPost(storage, ids[number % 3] ?? ''));
      const totals = [1, 4, 9, 100];
      return totals.map((total) => [
        async () => (await storage.posts.listByAuthors(ids, 3, total)).flat().length,
        Math.min(total, 9),
      ]);
    },

    'posts-without-content: lists without content are the same with an empty content': async (storage) => {
      const { posts } = storage;
      const { id: authorId } = await addUser(storage, 1);
      const whole = await inTurn(3, () => addPost(storage, authorId));
      const brief = whole.map((post) => ({ ...post, content: '' }));
      return (['without-content', 'whole', undefined] as const).flatMap((form): Table => {
        const expected = form === 'without-content' ? brief : whole;
        return [
          [() => posts.list(firstPage, form), expected],
          [() => posts.listByAuthor(authorId, firstPage, form), expected],
          [() => posts.listByAuthors([authorId], 9, 9, form), [expected]],
        ];
      });
    },

    'posts-race-created-at: with eight writers at once, createdAt is unique and grows in the order of ids':
      async (storage) => {
        await writeAtOnce(storage);
        const posts = await readAll((slice) => storage.posts.list(slice), 100);
        const times = posts.map(({ createdAt }) => createdAt);
        return [
          [() => [...new Set(times)].sort(), times],
          [() => times.length, 8 * 12],
        ];
      },

    'posts-race-reader: a reader who pages by time among writers gets each post once': async (storage) => {
      const met: Post[] = [];
      let isWritten = false;
      const readToTheEnd = async () => {
        for (let atEnd = false; !atEnd;) {
          const isLast = isWritten;
          const page = await storage.posts.listSince(met.at(-1)?.createdAt, 7);
          met.push(...page);
          assert.equal(new Set(idsOf(met)).size, met.length, 'no post twice');
          atEnd = page.length === 0 && isLast;
        }
      };
      const writing = writeAtOnce(storage).finally(() => (isWritten = true));
      await Promise.all([writing, readToTheEnd()]);
      return [[() => readAll((slice) => storage.posts.list(slice), 100), met]];
    },

    'posts-race-author: no post outlives an author who is deleted while posts are made': async (storage) => {
      const { id } = await addUser(storage, 1);
      const create = () => storage.posts.create({ title: 'T', content: 'C', authorId: id }, at(0));
      const before = atOnce(4, create);
      const deleted = storage.users.delete(id);
      await Promise.all([before, atOnce(4, create)]);
      return [[() => deleted, 'deleted'], ...reads(storage, [])];
    },
  }),
];

/** Eight writers, each with its own posts, whose clocks differ. */
async function writeAtOnce(storage: Parts): Promise<void> {
  const ids = idsOf(await addUsers(storage, 8));
  await atOnce(8, (writer) =>
    inTurn(12, (number) => addPost(storage, ids[writer] ?? '', at((writer * 5 + number) % 9))),
  );
}
