/** Tests creating, reading and listing orders. */
import { expect } from 'chai';
import { decimalOf } from '../../../../src/core/model/product.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import {
  ada,
  apiKey,
  bob,
  forbidden,
  ids,
  openFixture,
  protectedFixture,
  refused,
  root,
  unauthenticated,
} from '../fixture.js';
import { everyOrder } from '../../../../src/core/ports/order-store.js';
import { anyPage } from '../../../../src/core/model/page.js';
import { orderOfTwine, twine } from '../../../support/sample-inputs.js';

describe('OrdersService.create', () => {
  it('creates a pending order of the caller, with an exact total', async () => {
    const { orders } = (await openFixture()).services;
    const order = await orders.create(ada, {
      userId: undefined,
      items: [twine, { name: 'Shears', unitPrice: 19.99, quantity: 2 }],
    });
    expect(order).to.deep.equal({
      id: '1',
      userId: ids.ada,
      status: 'pending',
      items: [
        { id: '1', productId: undefined, name: 'Twine', quantity: 3, unitPriceCents: 10 },
        { id: '2', productId: undefined, name: 'Shears', quantity: 2, unitPriceCents: 1999 },
      ],
      totalCents: 4028,
      createdAt: '2026-01-01T00:00:04.000000Z',
      updatedAt: '2026-01-01T00:00:04.000000Z',
      version: 1,
    });
    expect(decimalOf(order.totalCents)).to.equal(40.28);
  });

  it('copies name and price from the product, and keeps them when the product changes', async () => {
    const { orders, products } = (await openFixture()).services;
    const { id: productId } = await products.create(anonymous, {
      description: undefined,
      name: 'Shears',
      price: 24.5,
    });
    const order = await orders.create(ada, {
      userId: undefined,
      items: [{ productId, quantity: 2 }, twine, { productId, quantity: 1 }],
    });
    expect(order.items.map(({ name, productId }) => [name, productId])).to.deep.equal([
      ['Shears', productId],
      ['Twine', undefined],
      ['Shears', productId],
    ]);
    expect(order.totalCents).to.equal(3 * 2450 + 30);
    await products.delete(anonymous, productId);
    expect(await orders.get(anonymous, order.id)).to.deep.equal(order);
    const gone = orders.create(ada, { userId: undefined, items: [twine, { productId, quantity: 2 }] });
    await refused(gone, 'invalid-input', 'items/1/productId must be the id of a product');
  });

  it('requires an existing user', async () => {
    const { orders } = (await openFixture()).services;
    await refused(
      orders.create(anonymous, { userId: undefined, ...orderOfTwine }),
      'invalid-input',
      /^userId is required/,
    );
    for (const userId of ['99', '', '01', 'abc']) {
      await refused(
        orders.create(anonymous, { ...orderOfTwine, userId }),
        'invalid-input',
        'userId must be the id of a user',
      );
    }
    expect(await orders.create(anonymous, { ...orderOfTwine, userId: ids.bob })).to.include({
      userId: ids.bob,
    });
    expect(await orders.create(ada, { ...orderOfTwine, userId: ids.bob })).to.include({ userId: ids.bob });
  });

  it('checks the bounds, and names the item', async () => {
    const { orders } = (await openFixture()).services;
    const bad = (change: object) =>
      orders.create(ada, { userId: undefined, items: [twine, { ...twine, ...change }] });
    for (const quantity of [0, -1, 1.5, 10_001, NaN]) {
      await refused(bad({ quantity }), 'invalid-input', /^items\/1\/quantity must/);
    }
    for (const unitPrice of [-0.01, 1_000_000.01, 0.001]) {
      await refused(bad({ unitPrice }), 'invalid-input', /^items\/1\/unitPrice must/);
    }
    await refused(bad({ name: '' }), 'invalid-input', /^items\/1\/name must/);
    await refused(orders.create(ada, { userId: undefined, items: [] }), 'invalid-input', /^items must/);
    const tooMany = Array.from({ length: 101 }, () => twine);
    const { items } = await orders.create(ada, { userId: undefined, items: tooMany.slice(1) });
    expect(items).to.have.lengthOf(100);
    await refused(orders.create(ada, { userId: undefined, items: tooMany }), 'invalid-input', /^items must/);
  });

  it('is allowed for the user and admins under protected', async () => {
    const { orders } = (await protectedFixture()).services;
    await unauthenticated(orders.create(anonymous, { ...orderOfTwine, userId: ids.ada }));
    await forbidden(orders.create(apiKey, { ...orderOfTwine, userId: ids.ada }));
    await forbidden(orders.create(bob, { ...orderOfTwine, userId: ids.ada }));
    expect(await orders.create(ada, { userId: undefined, ...orderOfTwine })).to.include({ userId: ids.ada });
    expect(await orders.create(root, { ...orderOfTwine, userId: ids.ada })).to.include({ userId: ids.ada });
  });
});

describe('OrdersService reads', () => {
  async function two(make: typeof openFixture) {
    const { orders } = (await make()).services;
    return {
      orders,
      hers: await orders.create(ada, { userId: undefined, ...orderOfTwine }),
      his: await orders.create(bob, { userId: undefined, ...orderOfTwine }),
    };
  }

  it("hides another's order under protected as if it did not exist", async () => {
    const { orders, hers, his } = await two(protectedFixture);
    for (const caller of [ada, root, apiKey]) expect(await orders.get(caller, hers.id)).to.deep.equal(hers);
    await refused(orders.get(bob, hers.id), 'not-found', 'Order not found');
    await refused(orders.get(bob, '99'), 'not-found', 'Order not found');
    await unauthenticated(orders.get(anonymous, hers.id));
    await unauthenticated(orders.get(anonymous, '99'));

    const seen = async (...asked: Parameters<typeof orders.list>) => {
      const { data, pagination } = await orders.list(...asked);
      expect(pagination.total).to.equal(data.length);
      return data;
    };
    expect(await seen(ada, everyOrder)).to.deep.equal([hers]);
    expect(await seen(ada, { userId: ids.ada })).to.deep.equal([hers]);
    expect(await seen(ada, { userId: ids.bob })).to.deep.equal([]);
    for (const caller of [root, apiKey]) {
      expect(await seen(caller, everyOrder)).to.deep.equal([hers, his]);
      expect(await seen(caller, { userId: ids.bob })).to.deep.equal([his]);
    }
    await unauthenticated(orders.list(anonymous, everyOrder));
    expect((await orders.listOfUser(ada, ids.bob)).data).to.deep.equal([]);
    await refused(orders.getOfUser(ada, ids.bob, his.id), 'not-found', 'Order not found');
    await unauthenticated(orders.listOfUser(anonymous, '99'));
  });

  it('lists pages of orders, of all users or of one', async () => {
    const { orders } = (await openFixture()).services;
    for (let number = 0; number < 12; number++)
      await orders.create(number % 2 ? bob : ada, { userId: undefined, ...orderOfTwine });
    expect((await orders.list(anonymous, everyOrder)).pagination).to.include({
      page: 1,
      limit: 100,
      total: 12,
    });
    const page = await orders.list(anonymous, { userId: ids.ada }, { page: 2, limit: 4 });
    expect(page.data.map(({ id }) => id)).to.deep.equal(['9', '11']);
    expect((await orders.listOfUser(anonymous, ids.ada, { ...anyPage, limit: 1 })).pagination).to.include({
      total: 6,
      totalPages: 6,
    });
    expect((await orders.list(anonymous, { userId: 'abc' })).pagination.total).to.equal(0);
    await refused(orders.listOfUser(anonymous, '99'), 'not-found', 'User not found');
  });

  it('finds an order and an item only under their user', async () => {
    const { orders, hers } = await two(openFixture);
    expect(await orders.getOfUser(anonymous, ids.ada, hers.id)).to.deep.equal(hers);
    await refused(orders.getOfUser(anonymous, ids.bob, hers.id), 'not-found', 'Order not found');
    await refused(orders.getOfUser(anonymous, '99', hers.id), 'not-found', 'User not found');
    const itemId = hers.items[0]?.id ?? '';
    const found = await orders.getItemOfUser(anonymous, ids.ada, hers.id, itemId);
    expect(found).to.deep.equal({ item: hers.items[0], order: hers });
    await refused(orders.getItemOfUser(anonymous, ids.ada, hers.id, '99'), 'not-found', 'Item not found');
    await refused(orders.getItemOfUser(anonymous, ids.bob, hers.id, itemId), 'not-found', 'Order not found');
  });

  it('summarizes by user, up to a hundred orders each, and only those that the caller may see', async () => {
    const { orders, hers, his } = await two(protectedFixture);
    const brief = [[{ id: his.id, totalCents: 30 }], [], [{ id: hers.id, totalCents: 30 }]];
    const asked = [ids.bob, '99', ids.ada];
    expect(await orders.summarize(root, asked)).to.deep.equal(brief);
    expect(await orders.summarize(ada, asked)).to.deep.equal([[], [], brief[2]]);
    expect(await orders.summarize(anonymous, asked)).to.deep.equal([[], [], []]);
    for (let number = 0; number < 101; number++)
      await orders.create(ada, { userId: undefined, ...orderOfTwine });
    expect(await orders.summarize(ada, [ids.ada])).to.have.nested.property('[0].length', 100);
  });
});
