/** PATCH of users, products and orders: JSON Merge Patch (RFC 7396), with the rights, conditions and checks of PUT. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, expectErrorAbout, userInput, type UserRecord } from './user-requests.js';

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

    it('refuses null for what a user must have, unknown fields and wrong values', async () => {
      for (const field of ['name', 'email', 'password', 'role', 'status'])
        expectErrorAbout(await service.patch(path, { [field]: null }), 400, `body/${field}`);
      expectErrorAbout(await service.patch(path, { shoe: 42 }), 400, 'body');
      expectErrorAbout(await service.patch(path, JSON.parse('{"__proto__": 1}')), 400, 'body');
      expectErrorAbout(await service.patch(path, { city: '' }), 400, 'body/city');
      expectErrorAbout(await service.patch(path, [{ city: 'Paris' }]), 400, 'body');
      expectErrorAbout(await service.patch(path, { name: 'a\u0001' }), 400, 'body/name');
      const text = { 'content-type': 'text/plain' };
      expect((await service.patch(path, { city: 'Paris' }, text)).status).to.equal(415);
      expect((await service.get(path)).body).to.deep.equal(user);
    });

    it('has the rights of PUT: role, status and password', async () => {
      for (const field of [{ role: 'admin' }, { status: 'inactive' }, { password: 'correct horse' }])
        expectError(await service.patch(path, field), 401, 'Not authenticated');
      const same = await service.patch(path, { role: user.role, status: user.status });
      expect(same.status).to.equal(200);
    });

    it('refuses the email of another user, and does not create users', async () => {
      const other = await createUser(service);
      expectError(await service.patch(path, { email: other.email }), 409, 'Email already in use');
      expectError(await service.patch('/api/users/999', userInput()), 404, 'User not found');
      expectError(await service.patch('/api/users/__proto__', {}), 404, 'User not found');
    });

    it('compares tags', async () => {
      const { headers } = await service.get(path);
      const etag = headers.etag ?? '';
      expect((await service.patch(path, { city: 'A' }, { 'if-match': etag })).status).to.equal(200);
      expectErrorAbout(await service.patch(path, { city: 'B' }, { 'if-match': etag }), 412, 'changed');
      expect((await service.patch(path, { city: 'B' }, { 'if-none-match': '*' })).status).to.equal(412);
      const now = (await service.get(path)).headers.etag ?? '';
      const all = await Promise.all(
        Array.from({ length: 8 }, () => service.patch(path, { city: 'C' }, { 'if-match': now })),
      );
      expect(all.map(({ status }) => status).toSorted()).to.deep.equal([200, ...Array<number>(7).fill(412)]);
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

  it('of an order replaces its items, or moves it', async () => {
    const user = await createUser(service);
    const items = [{ name: 'Twine', unitPrice: 0.1, quantity: 3 }];
    const { id } = await created('/api/orders', { userId: user.id, items });
    const path = `/api/orders/${id}`;
    const changed = await service.patch(path, { items: [{ ...items[0], quantity: 5 }] }, merge);
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.body).to.include({ status: 'pending', total: 0.5 });
    expectErrorAbout(await service.patch(path, { status: 'processing', items }), 400, 'body/items');
    expectErrorAbout(await service.patch(path, { items: null }), 400, 'body/items');
    expectErrorAbout(await service.patch(path, { status: null }), 400, 'body/status');
    expect((await service.patch(path, { status: 'processing' }, merge)).body).to.include({ total: 0.5 });
    expectErrorAbout(await service.patch(path, { items }), 409, 'pending');
    expect((await service.patch(path, {})).body).to.include({ status: 'processing', total: 0.5 });
  });
});
