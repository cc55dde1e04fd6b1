/** GET /api/users/{id}: one user, with conditional requests and both representations. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, type UserRecord } from './user-requests.js';

onEveryStore('GET /api/users/{id}', (service) => {
  let user: UserRecord;
  let path: string;
  let etag: string;

  before(async () => {
    user = await createUser(service, { city: 'London' });
    path = `/api/users/${user.id}`;
    etag = (await service.get(path)).headers.etag ?? '';
  });

  for (const id of [
    '999',
    '0',
    '01',
    'x',
    '1x',
    '-1',
    '1.0',
    '9'.repeat(19),
    '__proto__',
    'constructor',
    '%20',
    '%2E',
  ]) {
    it(`returns 404 for ${id}`, async () => {
      expectError(await service.get(`/api/users/${id}`), 404, 'User not found');
    });
  }

  it('reads a percent-encoded id as the id', async () => {
    const encoded = user.id.replaceAll(/\d/g, '%3$&');
    expect((await service.get(`/api/users/${encoded}`)).body).to.deep.equal(user);
  });

  it('ignores unknown query parameters', async () => {
    expect((await service.get(`${path}?x=1&id=2&__proto__=3`)).body).to.deep.equal(user);
  });

  describe('HEAD', () => {
    it('answers like GET, without the body', async () => {
      const id = { 'x-request-id': 'the-same' };
      const { headers } = await service.get(path, id);
      const answer = await service.send({ method: 'HEAD', path, headers: id });
      expect(answer.status).to.equal(200);
      expect({ ...answer.headers, date: '' }).to.deep.equal({ ...headers, date: '' });
    });

    it('answers 404 and 304 too', async () => {
      expect((await service.send({ method: 'HEAD', path: '/api/users/999' })).status).to.equal(404);
      const headers = { 'if-none-match': etag };
      expect((await service.send({ method: 'HEAD', path, headers })).status).to.equal(304);
    });
  });

  describe('If-None-Match', () => {
    it('answers 304 while nothing has changed, with the caching headers of the 200', async () => {
      for (const value of [etag, '*', `"other", ${etag}`, `W/${etag}`]) {
        const answer = await service.get(path, { 'if-none-match': value });
        expect(answer.status, value).to.equal(304);
        expect(answer.headers.etag).to.equal(etag);
        // RFC 9110 §15.4.5.
        expect(answer.headers.vary).to.equal((await service.get(path)).headers.vary);
      }
    });

    it('has a different tag per representation, because strong tags promise the same bytes', async () => {
      const tags = await Promise.all([
        service.get(path),
        service.get(path, { accept: 'application/xml' }),
        service.get(`${path}?embed=orders`),
        service.get(`${path}?embed=orders`, { accept: 'application/xml' }),
      ]);
      expect(new Set(tags.map(({ headers }) => headers.etag)).size).to.equal(4);
    });
  });

  describe('XML', () => {
    const accept = 'application/xml';

    it('has the same fields as elements', async () => {
      const answer = await service.get(path, { accept });
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.match(/^application\/xml/);
      const { id, name, email, city, role, status, createdAt, updatedAt } = user;
      const fields = { id, name, email, city, role, status, createdAt, updatedAt };
      for (const [field, text] of Object.entries(fields)) {
        expect(answer.text).to.include(`<${field}>${String(text)}</${field}>`);
      }
      expect(answer.text).to.include(`<links><orders>${path}/orders</orders></links>`);
      expect(answer.text.replace(/^<\?xml[^>]*\?>\s*/, '')).to.match(/^<user>.*<\/user>$/);
    });

    it('escapes markup', async () => {
      const name = `<b>&amp; "quotes" 'n' ]]> <!-- -->`;
      const { id } = await createUser(service, { name });
      const { text } = await service.get(`/api/users/${id}`, { accept });
      expect(text).to.not.include('<b>').and.not.include('<!--');
      expect(text).to.match(/<name>&lt;b&gt;&amp;amp; (?:"|&quot;)quotes/);
    });

    it('is used for errors too', async () => {
      const answer = await service.get('/api/users/999', { accept });
      expect(answer.status).to.equal(404);
      expect(answer.text).to.match(/<error><error>User not found<\/error><\/error>$/);
    });

    it('contains the orders of embed=orders', async () => {
      const { text } = await service.get(`${path}?embed=orders`, { accept });
      expect(text).to.include('<orders/>').and.not.include('<links>');
    });
  });
});
