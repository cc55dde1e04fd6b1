/** What a client reads, it can write back with PUT: read-only fields are ignored, and equal rights are not given. */

import { expect } from 'chai';
import { protectedPolicy } from '../../src/core/services/rights/policy.js';
import { bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { expectErrorAbout } from './user-requests.js';

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

    /** A new order of Ada, of a product and of something else. */
    async function orderOf(price: number): Promise<{
      readonly path: string;
      readonly product: string;
      readonly read: Body & { readonly items: readonly Body[] };
    }> {
      const made = await service.post('/api/products', { name: 'Twine', price }, admin);
      const { id: productId } = made.body as { readonly id: string };
      const items = [
        { productId, quantity: 2 },
        { name: 'Work', unitPrice: 0.1, quantity: 3 },
      ];
      const order = await service.post('/api/orders', { items }, ada.headers);
      const read = order.body as Body & { readonly id: string; readonly items: readonly Body[] };
      return { path: `/api/orders/${read.id}`, product: `/api/products/${productId}`, read };
    }

    it('is an order whose product has another name and price now, or is gone, with its items as they are', async () => {
      const { path, product, read } = await orderOf(2.5);
      for (const change of [
        () => service.put(product, { name: 'Rope', price: 99 }, admin),
        () => service.delete(product, admin),
      ]) {
        expect((await change()).status).to.be.below(300);
        const { status, body } = await service.put(path, read, ada.headers);
        expect(status).to.equal(200);
        // Their ids too.
        expect(body).to.deep.include({ items: read.items, total: 5.3 });
        await writesBack(path, ada.headers);
      }
    });

    it('is an order to which an item is added, and an item of a product that is gone stays', async () => {
      const { path, product, read } = await orderOf(2.5);
      await service.delete(product, admin);
      const [kept, free] = read.items;
      const more = { name: 'More', unitPrice: 1, quantity: 1 };
      const put = (items: readonly unknown[]) => service.put(path, { items }, ada.headers);
      const { body } = await put([more, kept, free]);
      const { items, total } = body as { readonly items: readonly Body[]; readonly total: number };
      const bare = (some: readonly Body[]) => some.map((item) => ({ ...item, id: '' }));
      expect(bare(items)).to.deep.equal(bare([more, kept ?? {}, free ?? {}]));
      expect(total).to.equal(6.3);
      const again = { productId: kept?.['productId'], quantity: 2 };
      expect((await put([again])).body).to.deep.include({ total: 5 });
      // Anything else would be an order of the product, which there is not.
      for (const item of [
        { ...kept, quantity: 3 },
        { ...kept, name: 'Rope' },
        { ...kept, unitPrice: 1 },
      ]) {
        expectErrorAbout(await put([item]), 400, 'body/items/0/productId must be the id of a product');
      }
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
