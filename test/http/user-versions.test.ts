/** The versions of the user collection, by path, query, header and media type. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectErrorAbout } from './user-requests.js';

const V1 = { accept: 'application/vnd.acme.v1+json' };
const V2 = { accept: 'application/vnd.acme.v2+json' };

onEveryStore('versions of the user collection', (service) => {
  const list = (headers: Record<string, string>) => service.get('/api/users', headers);
  before(() => createUser(service));

  it('are sent as application/json for a media type of any vendor', async () => {
    for (const vendor of ['acme', 'example.com', 'a-b', 'ACME']) {
      const { body, headers } = await list({ accept: `application/vnd.${vendor}.v2+json` });
      expect(body).to.include({ version: 2 });
      expect(headers['content-type']).to.equal('application/json');
    }
  });

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
