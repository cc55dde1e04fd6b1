/** Tests changing and deleting orders: items, states and races. */
import { expect } from 'chai';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { ada, openFixture, orderIn, refused, root } from '../fixture.js';
import { orderOfShears, orderOfTwine } from '../../../support/sample-inputs.js';

describe('OrdersService.replace', () => {
  it('writes items back over those that were written since they were read', async () => {
    const { services, storage } = await openFixture();
    const id = await orderIn(services, 'pending');
    const find = storage.orders.find.bind(storage.orders);
    let reads = 0;
    storage.orders.find = async (asked) => {
      const read = await find(asked);
      reads += 1;
      if (reads === 1) {
        const [item] = orderOfShears.items;
        const items = [{ name: item?.name ?? '', quantity: 1, unitPriceCents: 1, productId: undefined }];
        const pending = { version: undefined, status: 'pending' } as const;
        await storage.orders.update(id, { items, totalCents: 1 }, pending, '2026-01-02T00:00:00.000000Z');
      }
      return read;
    };
    const order = await services.orders.replace(anonymous, id, { userId: undefined, ...orderOfTwine });
    expect(order).to.include({ totalCents: 30, version: 3 });
    expect(order.items.map(({ name }) => name)).to.deep.equal(['Twine']);
  });
});

for (const [name, from] of [
  ['cancel', 'pending'],
  ['refund', 'completed'],
] as const) {
  describe(`OrdersService.${name}`, () => {
    it('answers concurrent calls the same', async () => {
      const { services } = await openFixture();
      const id = await orderIn(services, from);
      const orders = await Promise.all(Array.from({ length: 8 }, () => services.orders[name](anonymous, id)));
      for (const order of orders) expect(order).to.deep.equal(orders[0]);
    });
  });
}

describe('OrdersService and other writers', () => {
  it('decides again when the state changes between reading and writing', async () => {
    const { services, storage } = await openFixture();
    const id = await orderIn(services, 'pending');
    const find = storage.orders.find.bind(storage.orders);
    let overtaken = false;
    storage.orders.find = async (asked) => {
      const read = await find(asked);
      if (!overtaken) {
        overtaken = true;
        await storage.orders.update(
          id,
          { status: 'processing' },
          { version: undefined, status: 'pending' },
          '2026-01-02T00:00:00.000000Z',
        );
      }
      return read;
    };
    expect(await services.orders.cancel(anonymous, id)).to.include({ status: 'cancelled', version: 3 });
  });

  it('refuses an outdated version with precondition-failed', async () => {
    const { services, storage } = await openFixture();
    const id = await orderIn(services, 'pending');
    const find = storage.orders.find.bind(storage.orders);
    storage.orders.find = async (asked) => {
      const read = await find(asked);
      await storage.orders.update(
        id,
        { items: [], totalCents: 0 },
        { version: undefined, status: 'pending' },
        '2026-01-02T00:00:00.000000Z',
      );
      return read;
    };
    await refused(services.orders.cancel(anonymous, id, { ifVersion: [1] }), 'precondition-failed');
  });

  it('checks the version on every write, before the state', async () => {
    const { orders } = (await openFixture()).services;
    const { id } = await orders.create(ada, { userId: undefined, ...orderOfTwine });
    await orders.changeStatus(root, id, 'processing');
    const old = { ifVersion: [1] };
    await refused(
      orders.replace(root, id, { userId: undefined, ...orderOfShears }, old),
      'precondition-failed',
      /^Order has changed/,
    );
    await refused(orders.changeStatus(root, id, 'processing', old), 'precondition-failed');
    await refused(orders.cancel(root, id, old), 'precondition-failed');
    await refused(orders.refund(root, id, old), 'precondition-failed');
    await refused(orders.delete(root, id, old), 'precondition-failed');
    expect(await orders.changeStatus(root, id, 'completed', { ifVersion: [1, 2] })).to.include({
      version: 3,
    });
    await orders.delete(root, id, { ifVersion: [3] });
  });
});
