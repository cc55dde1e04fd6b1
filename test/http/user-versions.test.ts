/** The versions of the user collection, by path, query, header and media type. */
import { expect } from 'chai';
import type { ServiceAnswer } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectErrorAbout, type UserRecord } from './user-requests.js';

interface Version2 {
  readonly version: number;
  readonly data: readonly { readonly id: string }[];
  readonly metadata: { readonly total: number; readonly timestamp: string };
}

const V1 = { accept: 'application/vnd.acme.v1+json' };
const V2 = { accept: 'application/vnd.acme.v2+json' };

onEveryStore('versions of the user collection', (service) => {
  const users: UserRecord[] = [];

  before(async () => {
    users.push(await createUser(service, { phone: '+1 555 0100', city: 'London' }));
    users.push(await createUser(service));
    users.push(await createUser(service));
  });

  /** The version of an answer; undefined for the collection without a version. */
  function versionOf({ status, body, text }: ServiceAnswer): 1 | 2 | undefined {
    expect(status, text).to.equal(200);
    if (Array.isArray(body)) return 1;
    return Object.hasOwn(body as object, 'version') ? 2 : undefined;
  }

  function expectVersion1(answer: ServiceAnswer): void {
    expect(answer.body).to.deep.equal(
      users.map(({ id, name, email, phone }) => ({ id, name, email, ...(phone !== undefined && { phone }) })),
    );
    expect(answer.headers).to.include({
      'x-api-deprecated': 'true',
      'x-api-deprecation-date': '2026-01-01',
      'x-api-sunset-date': '2027-12-31',
      // RFC 9745 §2.1, RFC 8594 §3.
      deprecation: `@${String(Date.UTC(2026, 0, 1) / 1000)}`,
      sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
    });
    expect(answer.headers['link']).to.include('</api/v2/users>; rel="successor-version"');
  }

  function expectVersion2(answer: ServiceAnswer): void {
    const { metadata, ...body } = answer.body as Version2;
    expect(body).to.deep.equal({
      version: 2,
      data: users.map(({ id, name, email, createdAt, updatedAt }) => ({
        id,
        fullName: name,
        emailAddress: email,
        profile: { createdAt, updatedAt },
      })),
    });
    expect(metadata.total).to.equal(users.length);
    expect(Math.abs(Date.parse(metadata.timestamp) - Date.now())).to.be.below(60_000);
    expect(answer.headers).to.not.have.any.keys('x-api-deprecated', 'deprecation', 'sunset', 'link');
  }

  it('are explicit in the path', async () => {
    expectVersion1(await service.get('/api/v1/users'));
    expectVersion2(await service.get('/api/v2/users'));
    expectVersion1(await service.get('/api/v1/users?version=2', { 'x-api-version': '2' }));
    expectVersion2(await service.get('/api/v2/users?version=1', { 'x-api-version': '1' }));
    expect((await service.get('/api/v3/users')).status).to.equal(404);
  });

  it('are selected with version=', async () => {
    expectVersion1(await service.get('/api/users?version=1'));
    expectVersion2(await service.get('/api/users?version=2'));
  });

  it('are selected with X-API-Version', async () => {
    expectVersion1(await service.get('/api/users', { 'x-api-version': '1' }));
    expectVersion2(await service.get('/api/users', { 'X-Api-Version': '2' }));
  });

  it('are selected with a media type of any vendor, and sent as application/json', async () => {
    for (const vendor of ['acme', 'example.com', 'a-b', 'ACME']) {
      const first = await service.get('/api/users', { accept: `application/vnd.${vendor}.v1+json` });
      const second = await service.get('/api/users', { accept: `application/vnd.${vendor}.v2+json` });
      expectVersion1(first);
      expectVersion2(second);
      expect(second.headers['content-type']).to.equal('application/json');
    }
  });

  it('can be combined with other media types in Accept', async () => {
    for (const accept of [
      'application/vnd.acme.v2+json, */*;q=0.1',
      'text/html, application/vnd.acme.v2+json;q=0.9',
      'application/vnd.acme.v2+json; charset=utf-8',
      'application/vnd.acme.v1+json;q=0.5, application/vnd.acme.v2+json',
      'application/vnd.acme.v1+json;q=0, application/vnd.acme.v2+json;q=0.1',
    ]) {
      expect(versionOf(await service.get('/api/users', { accept })), accept).to.equal(2);
    }
  });

  it('are selected by the query before the header, and by the header before Accept', async () => {
    expect(versionOf(await service.get('/api/users?version=2', { 'x-api-version': '1', ...V1 }))).to.equal(2);
    expect(versionOf(await service.get('/api/users?version=1', { 'x-api-version': '2', ...V2 }))).to.equal(1);
    expect(versionOf(await service.get('/api/users', { 'x-api-version': '2', ...V1 }))).to.equal(2);
    expect(versionOf(await service.get('/api/users', { 'x-api-version': '1', ...V2 }))).to.equal(1);
  });

  it('are absent by default', async () => {
    for (const accept of ['application/json', '*/*', 'application/vnd.acme+json', 'application/*']) {
      expect(versionOf(await service.get('/api/users', { accept })), accept).to.equal(undefined);
    }
  });

  it('are decided by the first place that is given, and the others are not read', async () => {
    const V9 = { accept: 'application/vnd.acme.v9+json' };
    for (const header of ['9', 'latest', '1, 2', '']) {
      const headers = { 'x-api-version': header, ...V9 };
      expect(versionOf(await service.get('/api/users?version=1', headers)), header).to.equal(1);
    }
    expect(versionOf(await service.get('/api/users', { 'x-api-version': '2', ...V9 }))).to.equal(2);
    expectErrorAbout(await service.get('/api/users?version=9', { 'x-api-version': '1', ...V1 }), 400, '1, 2');
    expectErrorAbout(await service.get('/api/users', { 'x-api-version': '9', ...V1 }), 400, '1, 2');
  });

  it('are not given by an empty value', async () => {
    expect(versionOf(await service.get('/api/users?version=2', { 'x-api-version': '' }))).to.equal(2);
    expect(versionOf(await service.get('/api/users?version=', { 'x-api-version': '2' }))).to.equal(2);
    expect(versionOf(await service.get('/api/users?version=', { 'x-api-version': '', ...V1 }))).to.equal(1);
    expect(versionOf(await service.get('/api/users?version'))).to.equal(undefined);
    expect(versionOf(await service.get('/api/users', { 'x-api-version': '' }))).to.equal(undefined);
  });

  const unknown: readonly (readonly [query: string, headers: Record<string, string>])[] = [
    ['?version=3', {}],
    ['?version=v2', {}],
    ['?version=2.0', {}],
    ['', { 'x-api-version': '3' }],
    ['', { 'x-api-version': 'latest' }],
    ['', { accept: 'application/vnd.acme.v3+json' }],
    ['', { accept: 'application/vnd.acme.v20+json' }],
    ['', { accept: 'application/vnd.acme.v0+json, application/json' }],
  ];
  for (const [query, headers] of unknown) {
    it(`are refused when unknown: ${query} ${JSON.stringify(headers)}`, async () => {
      expectErrorAbout(await service.get(`/api/users${query}`, headers), 400, '1, 2');
    });
  }

  /** Refusals by the contract's checks, by the operation, by the negotiation and by the rights. */
  const cached: readonly (readonly [status: number, query: string, headers: Record<string, string>])[] = [
    [200, '', {}],
    [200, '', V2],
    [200, '', { 'x-api-version': '1' }],
    [400, '', { 'x-api-version': '3' }],
    [400, '?version=3', {}],
    [400, '', { accept: 'application/vnd.acme.v3+json' }],
    [400, '?cursor=&page=1', {}],
    [401, '', { authorization: 'Bearer x' }],
    [406, '', { accept: 'image/png' }],
  ];
  for (const [status, query, headers] of cached) {
    it(`are separated in caches by Vary on both headers: ${status} ${query} ${JSON.stringify(headers)}`, async () => {
      const answer = await service.get(`/api/users${query}`, headers);
      expect(answer.status, answer.text).to.equal(status);
      const names = String(answer.headers['vary'])
        .toLowerCase()
        .split(/\s*,\s*/);
      expect(names).to.include.members(['accept', 'x-api-version']);
    });
  }

  it('list the versions', async () => {
    for (const path of ['/api/v1/users', '/api/v2/users', '/api/users?version=1', '/api/users?version=2']) {
      expect((await service.get(path)).headers['x-api-supported-versions'], path).to.equal('1, 2');
    }
  });

  it('page by offset', async () => {
    for (const path of ['/api/v2/users?', '/api/users?version=2&']) {
      const { data, metadata } = (await service.get(`${path}page=2&limit=2`)).body as Version2;
      expect([data.map(({ id }) => id), metadata.total]).to.deep.equal([['3'], 3]);
    }
    for (const path of ['/api/v1/users?', '/api/users?version=1&']) {
      const { body, headers } = await service.get(`${path}page=2&limit=1`);
      expect(body).to.have.length(1);
      expect(headers).to.include({ 'x-total-count': '3', 'x-page': '2', 'x-per-page': '1' });
      const relations = [...String(headers['link']).matchAll(/rel="([^"]+)"/g)].map(
        ([, relation]) => relation,
      );
      expect(relations).to.have.members(['prev', 'first', 'next', 'last', 'successor-version']);
    }
  });

  it('filter', async () => {
    expect((await service.get('/api/v1/users?city=London')).body).to.have.length(1);
    expect(((await service.get('/api/v2/users?city=London')).body as Version2).metadata.total).to.equal(1);
  });

  it('cannot be combined with a cursor', async () => {
    expectErrorAbout(await service.get('/api/users?cursor=&version=2'), 400, 'cursor');
    expectErrorAbout(await service.get('/api/users?cursor=', V1), 400, 'cursor');
  });

  it('have XML', async () => {
    const accept = 'application/xml';
    const paths = ['/api/v1/users', '/api/users?version=1', '/api/v2/users', '/api/users?version=2'];
    const roots = await Promise.all(
      paths.map(async (path) => /<\/(\w+)>$/.exec((await service.get(path, { accept })).text)?.[1]),
    );
    expect(roots).to.deep.equal(['users', 'users', 'userV2Collection', 'userV2Collection']);
  });
});
