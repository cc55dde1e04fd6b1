/** Tests the use cases around comments. */
import { expect } from 'chai';
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
import { orderOfTwine } from '../../../support/sample-inputs.js';

const text = 'Please leave it at the door.';

/** Ada's order 1 and Bob's order 2. */
async function withOrders(make: typeof openFixture) {
  const { services } = await make();
  await services.orders.create(ada, { userId: undefined, ...orderOfTwine });
  await services.orders.create(bob, { userId: undefined, ...orderOfTwine });
  return services.comments;
}

describe('CommentsService.create', () => {
  it('creates a comment of the caller, or of the user in the input', async () => {
    const comments = await withOrders(openFixture);
    const comment = await comments.create(ada, { userId: undefined, orderId: '1', text });
    expect(comment).to.deep.equal({
      id: '1',
      orderId: '1',
      userId: ids.ada,
      text,
      createdAt: '2026-01-01T00:00:06.000000Z',
    });
    expect(await comments.create(anonymous, { orderId: '1', userId: ids.bob, text })).to.include({
      userId: ids.bob,
    });
    await refused(
      comments.create(anonymous, { userId: undefined, orderId: '1', text }),
      'invalid-input',
      /^userId is required/,
    );
  });

  it('refuses an order or user that does not exist, and text out of bounds', async () => {
    const comments = await withOrders(openFixture);
    for (const odd of ['99', '', '01', 'abc']) {
      await refused(
        comments.create(ada, { userId: undefined, orderId: odd, text }),
        'invalid-input',
        'orderId must be the id of an order',
      );
      const someone = comments.create(ada, { orderId: '1', userId: odd, text });
      await refused(someone, 'invalid-input', 'userId must be the id of a user');
    }
    for (const bad of ['', 'x'.repeat(5_001), 'a\u0000']) {
      await refused(
        comments.create(ada, { userId: undefined, orderId: '1', text: bad }),
        'invalid-input',
        /^text must/,
      );
    }
  });

  it("is allowed for the order's user and admins under protected", async () => {
    const comments = await withOrders(protectedFixture);
    await unauthenticated(comments.create(anonymous, { orderId: '1', userId: ids.ada, text }));
    await forbidden(comments.create(apiKey, { orderId: '1', userId: ids.ada, text }));
    await forbidden(comments.create(ada, { orderId: '1', userId: ids.bob, text }));
    const hidden = comments.create(bob, { userId: undefined, orderId: '1', text });
    await refused(hidden, 'invalid-input', 'orderId must be the id of an order');
    expect(await comments.create(ada, { userId: undefined, orderId: '1', text })).to.include({
      userId: ids.ada,
    });
    expect(await comments.create(root, { userId: undefined, orderId: '1', text })).to.include({
      userId: ids.root,
    });
    expect(await comments.create(root, { orderId: '1', userId: ids.ada, text })).to.include({
      userId: ids.ada,
    });
  });
});

describe('CommentsService reads', () => {
  it('list pages of comments, of all orders or of one', async () => {
    const comments = await withOrders(openFixture);
    for (let number = 0; number < 12; number++)
      await comments.create(ada, { userId: undefined, orderId: number % 2 ? '2' : '1', text });
    expect((await comments.list(anonymous, { orderId: undefined })).pagination).to.include({
      limit: 100,
      total: 12,
    });
    const page = await comments.list(anonymous, { orderId: '2' }, { page: 2, limit: 4 });
    expect(page.data.map(({ id }) => id)).to.deep.equal(['10', '12']);
    expect((await comments.list(anonymous, { orderId: '99' })).pagination.total).to.equal(0);
    expect(await comments.get(anonymous, '1')).to.deep.equal(
      (await comments.list(anonymous, { orderId: undefined })).data[0],
    );
    await refused(comments.get(anonymous, '99'), 'not-found', 'Comment not found');
  });

  it("return under protected the caller's own comments and those on the caller's orders", async () => {
    const comments = await withOrders(protectedFixture);
    const own = await comments.create(ada, { userId: undefined, orderId: '1', text });
    const reply = await comments.create(root, { userId: undefined, orderId: '1', text });
    const his = await comments.create(bob, { userId: undefined, orderId: '2', text });
    const inHerName = await comments.create(root, { orderId: '2', userId: ids.ada, text });

    expect((await comments.list(ada, { orderId: undefined })).data).to.deep.equal([own, reply, inHerName]);
    expect((await comments.list(ada, { orderId: '2' })).data).to.deep.equal([inHerName]);
    expect((await comments.list(bob, { orderId: undefined })).data).to.deep.equal([his, inHerName]);
    for (const caller of [root, apiKey]) {
      const { data, pagination } = await comments.list(caller, { orderId: undefined });
      expect(data).to.deep.equal([own, reply, his, inHerName]);
      expect(pagination.total).to.equal(4);
    }
    for (const seen of [own, reply, inHerName]) expect(await comments.get(ada, seen.id)).to.deep.equal(seen);
    await refused(comments.get(ada, his.id), 'not-found', 'Comment not found');
    await unauthenticated(comments.get(anonymous, own.id));
    await unauthenticated(comments.list(anonymous, { orderId: undefined }));
  });
});
