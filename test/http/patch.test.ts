/** PATCH of users, products and orders: JSON Merge Patch (RFC 7396), with the rights, conditions and checks of PUT. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, expectErrorAbout, type UserRecord } from './user-requests.js';

onEveryStore('PATCH', (service) => {
  const merge = { 'content-type': 'application/merge-patch+json' };
  const created = async (path: string, body: object) => {
    const answer = await service.post(path, body);
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as { readonly id: string };
  };

  describe('of a user', () => {
    let user: UserRecord;
    let path: string;
    beforeEach(async () => {
      user = await createUser(service, { phone: '+1 555 0100', city: 'London' });
      path = `/api/users/${user.id}`;
    });

    for (const headers of [{}, merge]) {
      it(`changes what it gives, and null clears, as ${headers === merge ? 'merge-patch+json' : 'json'}`, async () => {
        const answer = await service.patch(path, { city: 'Paris', phone: null }, headers);
        expect(answer.status, answer.text).to.equal(200);
        const { phone: _, ...others } = user;
        const { updatedAt } = answer.body as UserRecord;
        expect(answer.body).to.deep.equal({ ...others, city: 'Paris', updatedAt });
        const read = await service.get(path);
        expect(read.body).to.deep.equal(answer.body);
        expect(read.headers.etag).to.equal(answer.headers.etag);
      });
    }

    it('takes a representation as it was read', async () => {
      const { body } = await service.get(`${path}?embed=orders`);
      const answer = await service.patch(path, { ...(body as object), name: 'Grace' });
      expect(answer.body).to.include({ name: 'Grace', city: 'London' });
    });

    it('answers in XML, and changes nothing for an empty patch', async () => {
      const answer = await service.patch(path, {}, { accept: 'application/xml' });
      expect(answer.status).to.equal(200);
      expect(answer.text).to.include('<city>London</city>');
    });

    it('loses no field to another patch at once', async () => {
      await Promise.all([
        service.patch(path, { name: 'Grace' }),
        service.patch(path, { city: 'Rome' }),
        service.patch(path, { phone: '7' }),
      ]);
      expect((await service.get(path)).body).to.include({ name: 'Grace', city: 'Rome', phone: '7' });
    });
  });

  it('of a product changes what it gives, and null clears the description', async () => {
    const { id } = await created('/api/products', { name: 'Shears', description: 'For hedges', price: 24.5 });
    const path = `/api/products/${id}`;
    const cheaper = await service.patch(path, { price: 19.99 }, merge);
    expect(cheaper.status, cheaper.text).to.equal(200);
    expect(cheaper.body).to.include({ name: 'Shears', description: 'For hedges', price: 19.99 });
    const plain = await service.patch(path, { description: null, name: 'Scissors' });
    const { links } = plain.body as { readonly links: object };
    expect(plain.body).to.deep.equal({ id, name: 'Scissors', price: 19.99, links });
    expect((await service.get(path)).headers.etag).to.equal(plain.headers.etag);

    for (const body of [{ price: null }, { name: null }, { price: 0.001 }, { shoe: 1 }, { name: '' }])
      expectErrorAbout(await service.patch(path, body), 400, 'body');
    expectError(await service.patch('/api/products/999', { price: 1 }), 404, 'Product not found');
    const stale = { 'if-match': cheaper.headers.etag ?? '' };
    expect((await service.patch(path, { price: 1 }, stale)).status).to.equal(412);
    expect((await service.get(path)).body).to.deep.equal(plain.body);
  });
});
