/** Posts over HTTP: oldest first by keyset, newest first as a feed. */

import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, expectErrorAbout } from './user-requests.js';

interface PostRecord {
  readonly id: string;
  readonly createdAt: string;
}
interface KeysetPage {
  readonly data: readonly PostRecord[];
  readonly pagination: { readonly since: string | null; readonly limit: number };
}
interface FeedPage {
  readonly data: readonly PostRecord[];
  readonly hasMore: boolean;
  readonly lastId: string | null;
}

const COUNT = 25;

onEveryStore('posts', (service) => {
  let ids: string[];

  const keyset = async (query: string): Promise<KeysetPage> =>
    (await service.get(`/api/posts?${query}`)).body as KeysetPage;
  const feed = async (query: string): Promise<FeedPage> =>
    (await service.get(`/api/feed?${query}`)).body as FeedPage;

  before(async () => {
    // No REST operation creates posts, so this uses the mutation createPost.
    const { id: authorId } = await createUser(service);
    const made = await Promise.all(
      Array.from({ length: COUNT }, (_, index) =>
        service.services.posts.create(
          { kind: 'anonymous' },
          { authorId, title: `Post ${String(index)}`, content: 'x' },
        ),
      ),
    );
    ids = made.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
  });

  it('have exactly the fields of the contract', async () => {
    const { data } = await keyset('limit=1');
    expect(Object.keys(data[0] ?? {}).sort()).to.deep.equal([
      'authorId',
      'content',
      'createdAt',
      'id',
      'title',
    ]);
  });

  it('are read one by one, and not again while nothing changed', async () => {
    const { data } = await keyset('limit=1');
    const [post] = data;
    const answer = await service.get(`/api/posts/${post?.id ?? ''}`);
    expect(answer.body).to.deep.equal(post);
    const { etag = '' } = answer.headers;
    const again = await service.get(`/api/posts/${post?.id ?? ''}`, { 'if-none-match': etag });
    expect(again.status).to.equal(304);
    for (const id of ['999999', 'x'])
      expectError(await service.get(`/api/posts/${id}`), 404, 'Post not found');
  });

  it('page by keyset: ascending, each once, to the end', async () => {
    const seen: PostRecord[] = [];
    let since: string | null = null;
    for (let page = 0; page < COUNT; page += 1) {
      const { data, pagination }: KeysetPage = await keyset(
        `limit=7${since === null ? '' : `&since=${since}`}`,
      );
      expect(pagination).to.deep.equal({ since: data.at(-1)?.createdAt ?? null, limit: 7 });
      if (data.length === 0) break;
      seen.push(...data);
      since = pagination.since;
    }
    expect(seen.map(({ id }) => id)).to.deep.equal(ids);
    const times = seen.map(({ createdAt }) => createdAt);
    expect(times).to.deep.equal([...new Set(times)].sort());
  });

  it('accept since with any offset', async () => {
    const { data } = await keyset('limit=1');
    const [first] = data;
    const local = encodeURIComponent((first?.createdAt ?? '').replace('Z', '+00:00'));
    expect((await keyset(`limit=1&since=${local}`)).data[0]?.id).to.equal(ids[1]);
  });

  it('page as a feed: descending, each once, with hasMore', async () => {
    const seen: PostRecord[] = [];
    let last: FeedPage = { data: [], hasMore: true, lastId: null };
    while (last.hasMore && seen.length <= COUNT) {
      last = await feed(`limit=7${last.lastId === null ? '' : `&lastId=${last.lastId}`}`);
      expect(last.lastId).to.equal(last.data.at(-1)?.id ?? null);
      seen.push(...last.data);
    }
    expect(seen.map(({ id }) => id)).to.deep.equal(ids.toReversed());
  });

  it('have default limits: 10 by keyset, 20 in the feed', async () => {
    expect((await keyset('')).data).to.have.length(10);
    expect((await feed('')).data).to.have.length(20);
    for (const limit of ['abc', '-1', '0', '1.5', '']) {
      expect((await keyset(`limit=${limit}`)).pagination.limit, limit).to.equal(10);
      expect((await feed(`limit=${limit}`)).data, limit).to.have.length(20);
    }
    expect((await keyset('limit=1e999')).pagination.limit).to.equal(100);
  });

  it('end with an empty page', async () => {
    expect(await keyset('since=9999-01-01T00:00:00Z')).to.deep.equal({
      data: [],
      pagination: { since: null, limit: 10 },
    });
    expect(await feed(`lastId=${ids[0] ?? ''}`)).to.deep.equal({ data: [], hasMore: false, lastId: null });
  });

  it('refuse a bad since and a bad lastId', async () => {
    for (const since of ['abc', '2026-01-01', '2026-13-01T00:00:00Z', '']) {
      expectErrorAbout(await service.get(`/api/posts?since=${since}`), 400, 'query/since');
    }
    for (const lastId of ['abc', '-1', '1.5']) {
      expectErrorAbout(await service.get(`/api/feed?lastId=${lastId}`), 400, 'query/lastId');
    }
  });
});
