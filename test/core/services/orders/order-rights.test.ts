/** Tests who may change and delete an order under `protected`, by its state. */
import { orderStatuses } from '../../../../src/core/model/order.js';
import { expect } from 'chai';
import { anonymous, type Caller } from '../../../../src/core/services/rights/caller.js';
import {
  ada,
  apiKey,
  bob,
  forbidden,
  orderIn,
  protectedFixture,
  refused,
  root,
  unauthenticated,
} from '../fixture.js';
import { orderOfShears, orderOfTwine, statusesBut } from '../../../support/sample-inputs.js';

describe('OrdersService writes under protected', () => {
  it('answer not-found to another user, and refuse anonymous callers and keys', async () => {
    const { services } = await protectedFixture();
    const { orders } = services;
    const { id } = await orders.create(ada, { userId: undefined, ...orderOfTwine });
    const writes: ((caller: Caller) => Promise<unknown>)[] = [
      (caller) => orders.replace(caller, id, { userId: undefined, ...orderOfShears }),
      (caller) => orders.changeStatus(caller, id, 'processing'),
      (caller) => orders.cancel(caller, id),
      (caller) => orders.refund(caller, id),
      (caller) => orders.delete(caller, id),
    ];
    for (const write of writes) {
      await refused(write(bob), 'not-found', 'Order not found');
      await unauthenticated(write(anonymous));
      await forbidden(write(apiKey));
    }
    expect(await orders.get(ada, id)).to.include({ version: 1 });
  });

  it('let the owner replace and delete a pending order, and cancel one that is not completed', async () => {
    const { services } = await protectedFixture();
    const { orders } = services;
    expect(
      await orders.replace(ada, await orderIn(services, 'pending'), { userId: undefined, ...orderOfShears }),
    ).to.include({
      totalCents: 3998,
    });
    for (const status of ['pending', 'processing'] as const) {
      expect(await orders.cancel(ada, await orderIn(services, status))).to.include({ status: 'cancelled' });
    }
    await refused(orders.cancel(ada, await orderIn(services, 'completed')), 'conflict');
    await orders.delete(ada, await orderIn(services, 'pending'));
    for (const status of statusesBut('pending'))
      await forbidden(orders.delete(ada, await orderIn(services, status)));
    for (const status of orderStatuses) await orders.delete(root, await orderIn(services, status));
  });

  it('leave status changes and refunds to admins', async () => {
    const { services } = await protectedFixture();
    await forbidden(services.orders.changeStatus(ada, await orderIn(services, 'pending'), 'processing'));
    await forbidden(services.orders.refund(ada, await orderIn(services, 'completed')));
    expect(await services.orders.refund(root, await orderIn(services, 'completed'))).to.include({
      status: 'refunded',
    });
  });
});
