/** The sandbox of a mock: what it infers from a contract, and what it remembers. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { type HttpHandler, memoryRequest } from '@concordat/runtime';
import { handlerOf, sandboxOf } from '../../../src/tools/mock/mock-handlers.js';
import type { Sandbox } from '../../../src/tools/mock/state/sandbox.js';
import { type RunningContract, runContract } from '../../../src/tools/running/running-contract.js';
import { answer, inPath, object, sandboxed, sent, text } from './sandboxed.js';

const STUDIO = 'test/tools/mock/studio.yaml';

interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The record in an answer. */
type Artist = Readonly<Record<string, unknown>> & { readonly artistId: string; readonly name: string };
const ADA = { name: 'Ada', email: 'ada@example.com', password: 'secret', address: { city: 'London' } };

describe('the sandbox of a mock', () => {
  let running: RunningContract;
  let sandbox: Sandbox;
  let mock: HttpHandler;
  let count = 0;

  before(async () => {
    running = await runContract(STUDIO);
  });

  beforeEach(() => {
    sandbox = sandboxOf(running);
    mock = handlerOf(STUDIO, running, undefined, sandbox);
  });

  const send = async (
    method: string,
    target: string,
    value?: unknown,
    given: Readonly<Record<string, string>> = {},
  ): Promise<Shown> => {
    const [path = '', query = ''] = target.split('?');
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const body = value === undefined ? {} : { body: JSON.stringify(value) };
    const headers = { ...(value === undefined ? {} : { 'content-type': type }), ...given };
    const answer = await mock(memoryRequest({ method, path, query, headers, ...body }));
    const isJson = typeof answer.body === 'string' && answer.body !== '';
    return { ...answer, body: isJson ? (JSON.parse(answer.body) as unknown) : undefined };
  };
  const create = async (fields: object = {}): Promise<Artist> =>
    (await send('POST', '/artists', { ...ADA, email: `${String((count += 1))}@example.com`, ...fields }))
      .body as Artist;
  const names = async (query: string): Promise<readonly string[]> =>
    ((await send('GET', `/artists?${query}`)).body as { items: Artist[] }).items.map(({ name }) => name);

  it('creates a record with an id, times, a version and links, and never shows what is write-only', async () => {
    const { status, headers, body } = await send('POST', '/artists', ADA);
    const { artistId, created_at: time, ...artist } = body as Artist;
    expect(status).to.equal(201);
    expect(headers['Location']).to.equal(`/artists/${artistId}`);
    expect(headers['X-Mock']).to.equal('state');
    expect(artist).to.deep.equal({
      name: 'Ada',
      email: 'ada@example.com',
      address: { city: 'London' },
      updated_at: time,
      version: 1,
      links: { self: `/artists/${artistId}`, works: `/artists/${artistId}/works` },
    });
    expect((await send('GET', `/artists/${artistId}`)).body).to.deep.equal(body);
  });

  it('makes the same ids in every run', async () => {
    const first = (await create()).artistId;
    sandbox.reset();
    expect((await create()).artistId).to.equal(first);
  });

  it('replaces, changes and deletes records', async () => {
    const { artistId, created_at: time } = await create({ status: 'active' });
    const path = `/artists/${artistId}`;
    const replaced = (await send('PUT', path, { name: 'Grace', email: 'grace@example.com' })).body;
    expect(replaced).to.deep.include({ artistId, name: 'Grace', created_at: time, version: 2 });
    expect(replaced).not.to.have.any.keys('address', 'status');
    expect((await send('PATCH', path, { status: 'resting' })).body).to.include({
      name: 'Grace',
      status: 'resting',
    });
    expect((await send('DELETE', path)).status).to.equal(204);
    const gone = await send('GET', path);
    expect([gone.status, gone.body]).to.deep.equal([404, { message: 'Artist not found' }]);
    expect((await send('DELETE', path)).status).to.equal(404);
  });

  it('changes a state by the last segment of a path', async () => {
    const { artistId } = await create({ status: 'active' });
    const rested = (await send('POST', `/artists/${artistId}/rest`)).body;
    expect(rested).to.include({ status: 'resting' });
    expect((await send('POST', `/artists/${artistId}/rest`)).body).to.deep.equal(rested);
    expect((await send('GET', `/artists/${artistId}`)).body).to.include({ status: 'resting' });
  });

  it('answers conditional requests', async () => {
    const { artistId } = await create();
    const path = `/artists/${artistId}`;
    const tag = String((await send('GET', path)).headers['ETag']);
    expect((await send('GET', path, undefined, { 'if-none-match': `W/${tag}` })).status).to.equal(304);
    expect((await send('PUT', path, ADA, { 'if-match': '"other"' })).status).to.equal(412);
    for (const none of ['*', tag, `W/${tag}`]) {
      expect((await send('PUT', path, ADA, { 'if-none-match': none })).status, none).to.equal(412);
    }
    expect((await send('PUT', path, ADA, { 'if-match': tag, 'if-none-match': '"0"' })).status).to.equal(200);
    expect((await send('PUT', path, ADA, { 'if-match': tag })).status).to.equal(412);
    expect((await send('GET', path, undefined, { 'if-none-match': tag })).status).to.equal(200);
  });

  it('filters, sorts and pages lists', async () => {
    for (const name of ['c', 'a', 'b']) await create({ name, status: name === 'a' ? 'resting' : 'active' });
    expect(await names('')).to.deep.equal(['c', 'a', 'b']);
    expect(await names('sort=name')).to.deep.equal(['a', 'b', 'c']);
    expect(await names('sort=-name&limit=2')).to.deep.equal(['c', 'b']);
    expect(await names('status=active')).to.deep.equal(['c', 'b']);
    expect(await names('status=all')).to.deep.equal(['c', 'a', 'b']);
    expect((await send('GET', '/artists?limit=1&offset=1')).body).to.deep.include({
      total: 3,
      offset: 1,
      next: '/artists?offset=2&limit=1',
    });
    expect((await send('GET', '/artists?limit=1&offset=-1')).status).to.equal(400);
    expect((await send('GET', '/artists?limit=2&offset=2')).body).to.deep.include({ next: null });
  });

  it('keeps the records below another one, and removes them with it', async () => {
    const [one, other] = [await create(), await create()];
    const made = await send('POST', `/artists/${one.artistId}/works`, { title: 'Bust' });
    expect([made.status, made.body]).to.deep.equal([201, { id: 1, title: 'Bust' }]);
    expect((await send('GET', `/artists/${one.artistId}/works`)).body).to.deep.equal([made.body]);
    expect((await send('GET', `/artists/${other.artistId}/works`)).body).to.deep.equal([]);
    expect((await send('GET', `/artists/${one.artistId}/works/1`)).body).to.deep.equal(made.body);
    expect(sandbox.snapshot()[`works/${one.artistId}`]).to.deep.equal([made.body]);
    await send('DELETE', `/artists/${one.artistId}`);
    expect((await send('GET', `/artists/${one.artistId}/works`)).body).to.deep.equal({
      message: 'Artist not found',
    });
    expect(sandbox.snapshot()[`works/${one.artistId}`]).to.equal(undefined);
  });

  it('refuses a reference to a record that is missing, and a value that must be unique', async () => {
    const { artistId } = await create({ email: 'one@example.com' });
    const twice = await send('POST', '/artists', { ...ADA, email: 'ONE@example.com' });
    expect([twice.status, twice.body]).to.deep.equal([409, { message: 'Email already in use' }]);
    expect((await send('POST', '/owners', { kind: 'museum' })).body).to.deep.equal({
      data: { id: 1, kind: 'museum' },
    });
    const work = await send('POST', `/artists/${artistId}/works`, { title: 'Bust', ownerId: 2 });
    expect([work.status, work.body]).to.deep.equal([
      422,
      { message: 'body/ownerId must be the id of a owner' },
    ]);
    expect((await send('POST', `/artists/${artistId}/works`, { title: 'Bust', ownerId: 1 })).status).to.equal(
      201,
    );
  });

  it('knows a record by the member that its path names, which its client may choose', async () => {
    const badge = { code: 'a b\ud800' };
    expect((await send('POST', '/badges', badge)).status).to.equal(201);
    expect((await send('POST', '/badges', { code: 'a b' })).body).to.deep.equal({ code: 'a b' });
    expect((await send('GET', '/badges/a%20b')).body).to.deep.equal({ code: 'a b' });
    expect((await send('PUT', '/badges/new', { code: 'new', id: 7 })).status).to.equal(201);
    expect((await send('PUT', '/badges/new', { code: 'other' })).status).to.equal(200);
    expect((await send('GET', '/badges/new')).body).to.deep.equal({ code: 'new' });
    expect((await send('PUT', '/badges/other')).status).to.equal(404);
  });

  it('counts the characters of a record once that takes the place of another', async () => {
    for (const id of [7, 8]) await send('POST', '/badges', { code: 'a', id });
    const { records, size } =
      sandbox.collections.find(({ parts }) => parts.name === 'badges') ?? expect.fail();
    expect([records.size, size]).to.deep.equal([1, JSON.stringify({ code: 'a', id: 8 }).length]);
  });

  it('sets times and versions itself, where a client may send them too', async () => {
    const room = object({ id: text, name: text, created_at: text, version: { type: 'integer' } });
    const requestBody = sent(room);
    const { send: sendRoom } = await sandboxed({
      '/rooms': { post: { requestBody, responses: { 201: answer(room) } } },
      '/rooms/{id}': {
        parameters: [inPath('id')],
        put: { requestBody, responses: { 200: answer(room) } },
      },
    });
    const own = { name: 'a', created_at: 'never', version: 9 };
    const { body } = await sendRoom('POST', '/rooms', own);
    expect(body).to.include({ name: 'a', version: 1 }).and.not.include({ created_at: 'never' });
    const changed = await sendRoom('PUT', `/rooms/${String(body['id'])}`, own);
    expect(changed.body).to.deep.equal({ ...body, version: 2 });
  });

  it('keeps a single resource, and lists the examples of a collection that no operation adds to', async () => {
    expect((await send('GET', '/settings')).body).to.deep.equal({ theme: 'light' });
    await send('PUT', '/settings', { theme: 'dark' });
    expect((await send('GET', '/settings')).body).to.deep.equal({ theme: 'dark' });
    expect((await send('GET', '/genres')).body).to.deep.equal([{ name: 'Sculpture' }, { name: 'Painting' }]);
  });

  it('answers what a request prefers, and checks requests as before', async () => {
    expect((await send('GET', '/settings', undefined, { prefer: 'code=200' })).headers['X-Mock']).to.equal(
      'true',
    );
    expect((await send('POST', '/artists', {})).status).to.equal(400);
  });

  it('gives its records back, and takes them again', async () => {
    await create({ name: 'Grace' });
    const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as ReturnType<Sandbox['snapshot']>;
    sandbox.reset();
    expect(await names('')).to.deep.equal([]);
    sandbox.load(snapshot);
    expect(await names('')).to.deep.equal(['Grace']);
    expect(sandbox.snapshot()).to.deep.equal(snapshot);
    expect(() => {
      sandbox.load({ painters: [] });
    }).to.throw(
      'The records: the sandbox has no collection painters: it has artists, owners, badges, works, settings, genres',
    );
  });

  it('forgets its oldest records when there are more than 10,000', () => {
    sandbox.load({});
    const artists = sandbox.collections[0];
    const first = artists?.create({ name: 'first', email: '' });
    for (let count = 0; count < 10_000; count += 1) artists?.create({ name: 'next', email: '' });
    expect(artists?.records.size).to.equal(10_000);
    expect(artists?.get(first?.at ?? [])).to.equal(undefined);
  });

  it('keeps nothing that no answer of the contract can show', async () => {
    const { artistId } = await create({ name: 'Grace' });
    const tags = async (): Promise<unknown> => (await send('GET', `/artists/${artistId}`)).headers['ETag'];
    const before = [sandbox.snapshot(), await tags()];
    await send('PATCH', `/artists/${artistId}`, { address: { city: 5 } });
    await send('PATCH', `/artists/${artistId}`, { email: null });
    await send('POST', `/artists/${artistId}/works`, { title: 'Dawn', ownerId: 'first' });
    expect([sandbox.snapshot(), await tags()]).to.deep.equal(before);
  });

  it('removes what a merge patch sets to null, where the contract has no null', async () => {
    const path = `/artists/${(await create({ status: 'active' })).artistId}`;
    const patch = { status: null, address: { city: null } };
    expect((await send('PATCH', path, patch)).headers['X-Mock']).to.equal('state');
    const { body } = await send('GET', path);
    expect(body).to.deep.include({ address: {} });
    expect(body).not.to.have.property('status');
  });

  it('shows nothing on a page of no size', async () => {
    await create();
    expect(await names('limit=0')).to.deep.equal([]);
  });

  it('refuses a body that is too deep to be read', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const levels of [1000, 2000, 20_000]) {
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const body = `{"name":"Ada","email":"","address":{"deep":${deep}}}`;
      const answer = await mock(memoryRequest({ method: 'POST', path: '/artists', headers, body }));
      expect(answer.status).to.equal(400);
    }
    expect(sandbox.snapshot()).to.deep.equal({ genres: sandbox.snapshot()['genres'] });
  });

  it('keeps values as they were sent, where the engine has converted them', () => {
    const body = { ...ADA, address: { since: new Date(0), floor: 3n } };
    const input = { path: {}, query: {}, headers: {}, cookies: {}, body };
    const answer = sandbox.answer('createArtist', input, { request: memoryRequest(), mediaType: undefined });
    expect(answer?.body).to.deep.include({ address: { since: '1970-01-01T00:00:00.000Z', floor: 3 } });
  });

  it('says what it infers for each operation, and why', () => {
    expect(sandbox.explained()).to.include.members([
      'GET /artists: list artists (path and method)',
      'DELETE /artists/{artistId}: delete artists (path and method)',
      'POST /artists/{artistId}/rest: change artists (rest makes its status "resting")',
      'GET /star: no state (its answers show no records of a collection)',
    ]);
  });

  describe('with x-sandbox', () => {
    /** The lines about an operation with the extension. */
    const explained = async (path: string, extension: unknown): Promise<string | undefined> => {
      const document = parse(await readFile(STUDIO, 'utf8')) as {
        paths: Record<string, { get: Record<string, unknown> }>;
      };
      const operation = document.paths[path]?.get ?? {};
      operation['x-sandbox'] = extension;
      const directory = await mkdtemp(join(tmpdir(), 'concordat-sandbox-'));
      const file = join(directory, 'openapi.yaml');
      await writeFile(file, stringify(document));
      try {
        return sandboxOf(await runContract(file))
          .explained()
          .find((line) => line.startsWith(`GET ${path}:`));
      } finally {
        await rm(directory, { recursive: true });
      }
    };

    it('an operation is given a resource, or none', async () => {
      const star = await explained('/star', { resource: 'artists', action: 'read' });
      expect(star).to.equal('GET /star: read artists (x-sandbox)');
      expect(await explained('/genres', 'off')).to.equal('GET /genres: no state (x-sandbox switches it off)');
    });

    it('an extension that is not understood is refused with its place', async () => {
      for (const wrong of ['on', {}, { resource: 'artists', action: 'get' }, { resource: 'artists' }]) {
        const message = await explained('/star', wrong).catch((error: unknown) => (error as Error).message);
        expect(message, JSON.stringify(wrong)).to.equal(
          '#/paths/~1star/get/x-sandbox of GET /star must be off or { resource, action } with one of the actions create, list, read, replace, update, delete',
        );
      }
    });
  });
});
