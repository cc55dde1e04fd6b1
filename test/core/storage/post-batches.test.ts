/** Tests that posts that wait in one process are written together, in order, and that one that is refused fails alone. */
import { expect } from 'chai';
import { ServiceError } from '../../../src/core/model/error.js';
import type { NewPost } from '../../../src/core/ports/post-store.js';
import { PostBatches, type CreatedPost } from '../../../src/core/storage/postgres/batches.js';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { bareUser } from '../../support/bare-records.js';
import { sharedPostgres } from '../../support/postgres-server.js';

const now = '2026-01-01T00:00:00.000000Z';
const post = (title: string, content = 'C'): NewPost => ({ title, content, authorId: '1' });

/** Batches over a list of what was written. */
function recorded(refuses: (posts: readonly NewPost[]) => Error | undefined = () => undefined) {
  const writes: (readonly string[])[] = [];
  let last = 0;
  const batches = new PostBatches(async (posts) => {
    await new Promise(setImmediate);
    const error = refuses(posts);
    if (error !== undefined) throw error;
    writes.push(posts.map(({ title }) => title));
    return posts.map((): CreatedPost => ({ id: String(++last), createdAt: now }));
  });
  return { batches, writes };
}

describe('PostBatches', () => {
  it('writes the posts that wait together, in the order in which they came', async () => {
    const { batches, writes } = recorded();
    const stored = await Promise.all(['a', 'b', 'c', 'd'].map((title) => batches.create(post(title), now)));
    expect(writes).to.deep.equal([['a'], ['b', 'c', 'd']]);
    expect(stored.map((each) => typeof each === 'object' && each.id)).to.deep.equal(['1', '2', '3', '4']);
  });

  it('bounds a write, but always writes one post', async () => {
    const { batches, writes } = recorded();
    const texts = [1, 600_000, 600_000, 2_000_000, 1, ...new Array<number>(150).fill(1)];
    await Promise.all(texts.map((size, index) => batches.create(post(String(index), 'x'.repeat(size)), now)));
    expect(writes.map(({ length }) => length)).to.deep.equal([1, 1, 1, 1, 100, 51]);
  });

  it('writes each alone when the database refuses one of them, so that only that one fails', async () => {
    const { batches, writes } = recorded((posts) =>
      posts.some(({ title }) => title === 'bad') ? new Error('refused') : undefined,
    );
    const titles = ['a', 'b', 'bad', 'c'];
    const outcomes = await Promise.allSettled(titles.map((title) => batches.create(post(title), now)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(writes).to.deep.equal([['a'], ['b'], ['c']]);
  });

  it('repeats nothing that may have been stored', async () => {
    let calls = 0;
    const { batches, writes } = recorded((posts) => {
      calls += 1;
      return posts.length > 1 ? new ServiceError('outcome-unknown', 'Not known') : undefined;
    });
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((title) => batches.create(post(title), now)),
    );
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'rejected']);
    expect(writes).to.deep.equal([['a']]);
    expect(calls).to.equal(2);
  });
});

describe('PostBatches on PostgreSQL', () => {
  it('stores posts with ascending ids and times, leaves out unknown authors, and reads what it wrote at once', async function () {
    this.timeout(60_000);
    const storage = await postgresStorage({ url: await (await sharedPostgres()).createDatabase() });
    try {
      const user = await storage.users.create(
        { ...bareUser, name: 'A', email: 'a@example.com', role: 'user', status: 'active' },
        now,
      );
      if (typeof user === 'string') throw new Error(user);
      const texts = ['plain', 'NULL', '{"a","b"}', 'back\\slash', "quote'", 'new\nline', '😀', ''];
      const drafts = Array.from({ length: 60 }, (_, index) => ({
        title: texts[index % texts.length] ?? '',
        content: `Text ${String(index)}`,
        authorId: index % 5 === 4 ? '999999' : user.id,
      }));
      const stored = await Promise.all(
        drafts.map(async (draft) => {
          const made = await storage.posts.create(draft, now);
          if (made !== 'author-not-found') expect(await storage.posts.find(made.id)).to.deep.equal(made);
          return made;
        }),
      );
      const made = stored.filter((each) => each !== 'author-not-found');
      expect(stored.map((each) => each === 'author-not-found')).to.deep.equal(
        drafts.map(({ authorId }) => authorId === '999999'),
      );
      expect(made.map(({ id }) => Number(id))).to.deep.equal(
        Array.from({ length: 48 }, (_, index) => index + 1),
      );
      const times = made.map(({ createdAt }) => createdAt);
      expect(times).to.deep.equal([...new Set(times)].sort());
      expect(times[0]).to.equal(now);
      expect(made.map(({ title, content }) => [title, content])).to.deep.equal(
        drafts.filter(({ authorId }) => authorId === user.id).map(({ title, content }) => [title, content]),
      );
      expect(await storage.posts.list({ after: undefined, limit: 100 })).to.deep.equal(made);
    } finally {
      await storage.close();
    }
  });
});
