/** What a client reads, it can write back with PUT: read-only fields are ignored, and equal rights are not given. */

import { expect } from 'chai';
import { protectedPolicy } from '../../src/core/services/policy.js';
import { bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';

/** A record of any kind. */
type Body = Readonly<Record<string, unknown>>;

onEveryStore(
  'a record that was read',
  (service) => {
    let admin: Readonly<Record<string, string>>;
    let ada: { readonly id: string; readonly headers: Readonly<Record<string, string>> };

    before(async () => {
      admin = await signInAsAdmin(service);
      const account = await signUp(service);
      ada = { id: account.id, headers: bearer((await signIn(service, account)).accessToken) };
    });

    /** Reads, writes back, and expects nothing else to change than the time of the change. */
    async function writesBack(
      path: string,
      headers: Readonly<Record<string, string>>,
      query = '',
    ): Promise<void> {
      const before = (await service.get(path + query, headers)).body as Body;
      const answer = await service.put(path, before, headers);
      expect(answer.status, answer.text).to.equal(200);
      const after = (await service.get(path + query, headers)).body as Body;
      expect({ ...after, updatedAt: '', items: '' }).to.deep.equal({ ...before, updatedAt: '', items: '' });
      const itemsOf = ({ items }: Body) =>
        (items as Body[] | undefined)?.map((item) => ({ ...item, id: '' }));
      expect(itemsOf(after)).to.deep.equal(itemsOf(before));
    }

    it('is a user, by that user', () => writesBack(`/api/users/${ada.id}`, ada.headers));

    it('is a user with orders', () => writesBack(`/api/users/${ada.id}`, ada.headers, '?embed=orders'));

    it('is a user, of whom only an admin may change role and status', async () => {
      const path = `/api/users/${ada.id}`;
      const user = (await service.get(path, ada.headers)).body as Body;
      expect((await service.put(path, { ...user, role: 'admin' }, ada.headers)).status).to.equal(403);
      expect((await service.put(path, { ...user, status: 'inactive' }, ada.headers)).status).to.equal(403);
      expect((await service.get(path, ada.headers)).body).to.deep.equal(user);
    });

    it('is an order with a product and a free item, by its user', async () => {
      const product = await service.post('/api/products', { name: 'Twine', price: 2.5 }, admin);
      const { id: productId } = product.body as { readonly id: string };
      const items = [
        { productId, quantity: 2 },
        { name: 'Work', unitPrice: 0.1, quantity: 3 },
      ];
      const order = await service.post('/api/orders', { items }, ada.headers);
      const { id } = order.body as { readonly id: string };
      await writesBack(`/api/orders/${id}`, ada.headers);
    });

    it('is a product and its categories, by an admin', async () => {
      const made = await service.post(
        '/api/products',
        { name: 'Shears', description: 'x', price: 24.5 },
        admin,
      );
      const { id } = made.body as { readonly id: string };
      const path = `/api/products/${id}/categories`;
      expect((await service.put(path, [{ name: 'Garden' }, { name: 'Steel' }], admin)).status).to.equal(200);
      const before = (await service.get(path, admin)).body;
      expect((await service.put(path, before, admin)).status).to.equal(200);
      expect((await service.get(path, admin)).body).to.deep.equal(before);
      await writesBack(`/api/products/${id}`, admin);
    });
  },
  () => ({ ...signInSettings, policy: protectedPolicy }),
);
