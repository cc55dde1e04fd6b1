/** The representation of an answer by the Accept header, and the answer when none is acceptable. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectErrorAbout } from './user-requests.js';

const JSON_TYPE = 'application/json';
const XML = 'application/xml';

onEveryStore('representations', (service) => {
  let path: string;

  before(async () => {
    path = `/api/users/${(await createUser(service)).id}`;
  });

  const chosen: Readonly<Record<string, string>> = {
    '*/*': JSON_TYPE,
    'application/*': JSON_TYPE,
    '': JSON_TYPE,
    'application/vnd.acme.v2+json': JSON_TYPE,
    'application/vnd.acme+json': JSON_TYPE,
    [XML]: XML,
    'APPLICATION/XML': XML,
    [`${XML}, ${JSON_TYPE}`]: JSON_TYPE,
    [`${JSON_TYPE};q=0.5, ${XML}`]: XML,
    [`${XML};q=0.9, */*;q=0.8`]: XML,
    [`${JSON_TYPE};q=0, */*`]: XML,
    [`text/html, ${XML};q=0.9, */*;q=0.8`]: XML,
  };
  for (const [accept, mediaType] of Object.entries(chosen)) {
    it(`are ${mediaType} for Accept: ${accept}`, async () => {
      expect((await service.get(path, { accept })).headers['content-type']).to.equal(mediaType);
      expect((await service.get('/api/users/999', { accept })).headers['content-type']).to.equal(mediaType);
    });
  }

  it('of GraphQL are JSON for the media type of a vendor', async () => {
    const headers = { accept: 'application/vnd.acme.v2+json' };
    const answer = await fetch(`${service.url}/graphql?query={__typename}`, { headers });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^application\/json/);
  });

  it('are JSON without Accept', async () => {
    expect((await service.get(path)).headers['content-type']).to.equal(JSON_TYPE);
  });

  for (const accept of ['text/html', 'application/json;q=0, application/xml;q=0', '*/*;q=0', 'image/*']) {
    it(`are not available with Accept: ${accept}, and the error is JSON`, async () => {
      const answer = await service.get(path, { accept });
      expectErrorAbout(answer, 406, JSON_TYPE, XML);
      expect(answer.headers['content-type']).to.equal(JSON_TYPE);
    });
  }

  it('are negotiated before anything is written', async () => {
    const input = { name: 'Ada', email: 'not-acceptable@example.com' };
    expect((await service.post('/api/users', input, { accept: 'text/html' })).status).to.equal(406);
    expect((await service.post('/api/users', input)).status).to.equal(201);
  });
});
