/** PUT /api/users/{id}: replacing a user, with and without If-Match. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, expectErrorAbout, userInput, type UserRecord } from './user-requests.js';

onEveryStore('PUT /api/users/{id}', (service) => {
  let user: UserRecord;
  let path: string;
  let etag: string;

  beforeEach(async () => {
    user = await createUser(service, { phone: '+1 555 0100', city: 'London' });
    path = `/api/users/${user.id}`;
    etag = (await service.get(path)).headers.etag ?? '';
  });

  it('answers in XML', async () => {
    const answer = await service.put(path, userInput({ name: 'Grace' }), { accept: 'application/xml' });
    expect(answer.status).to.equal(200);
    expect(answer.text).to.include('<name>Grace</name>');
  });

  describe('If-Match', () => {
    it('accepts the tags of the XML form and of embedded orders, which belong to the same record', async () => {
      const reads = [
        () => service.get(path, { accept: 'application/xml' }),
        () => service.get(`${path}?embed=orders`),
      ];
      for (const read of reads) {
        const { headers } = await read();
        const answer = await service.put(path, userInput(), { 'if-match': headers.etag ?? '' });
        expect(answer.status).to.equal(200);
      }
    });
  });

  describe('If-None-Match', () => {
    it('comes after If-Match and after all other refusals', async () => {
      const any = { 'if-none-match': '*' };
      expectErrorAbout(
        await service.put(path, userInput(), { ...any, 'if-match': '"other"' }),
        412,
        'changed',
      );
      expect((await service.put(path, userInput(), { ...any, 'if-match': etag })).status).to.equal(412);
      expectError(await service.put('/api/users/99', userInput(), any), 404, 'User not found');
      expectErrorAbout(await service.put(path, { name: '' }, any), 400, 'body');
    });
  });
});
