/** Tests creating, reading and listing orders. */
import { expect } from 'chai';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { ada, ids, openFixture, refused } from '../fixture.js';
import { orderOfTwine, twine } from '../../../support/sample-inputs.js';

describe('OrdersService.create', () => {
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
});
