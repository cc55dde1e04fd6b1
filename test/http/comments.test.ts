/** Comments over HTTP. */

import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { type UserRecord, createUser, expectError, expectErrorAbout } from './user-requests.js';

onEveryStore('comments', (service) => {
  let user: UserRecord;
  let orderIds: string[];

  const createOrder = async (): Promise<string> => {
    const items = [{ name: 'Engraving', unitPrice: 4.2, quantity: 1 }];
    return ((await service.post('/api/orders', { userId: user.id, items })).body as { id: string }).id;
  };
  const create = async (orderId: string, text = 'At the door, please.') => {
    const answer = await service.post('/api/comments', { orderId, userId: user.id, text });
    expect(answer.status, answer.text).to.equal(201);
    return answer;
  };

  before(async () => {
    user = await createUser(service);
    orderIds = [await createOrder(), await createOrder()];
  });

  it('are created and read', async () => {
    const [orderId = ''] = orderIds;
    const created = await create(orderId);
    const comment = created.body as { id: string };
    expect(comment).to.include({ orderId, userId: user.id, text: 'At the door, please.' });
    expect(created.headers.location).to.equal(`/api/comments/${comment.id}`);
    const read = await service.get(`/api/comments/${comment.id}`);
    expect(read.body).to.deep.equal(comment);
    const etag = read.headers.etag ?? '';
    expect((await service.get(`/api/comments/${comment.id}`, { 'if-none-match': etag })).status).to.equal(
      304,
    );
  });

  it('are listed by order, ascending by id, in pages', async () => {
    const [, orderId = ''] = orderIds;
    const comments = [(await create(orderId, 'one')).body, (await create(orderId, 'two')).body];
    expect((await service.get(`/api/comments?orderId=${orderId}`)).body).to.deep.equal(comments);
    const page = await service.get(`/api/comments?orderId=${orderId}&limit=1`);
    expect(page.body).to.deep.equal([comments[0]]);
    expect(page.headers).to.include({ 'x-total-count': '2' });
    expect(page.headers.link).to.contain(`</api/comments?page=2&limit=1&orderId=${orderId}>; rel="next"`);
    expect((await service.get('/api/comments?orderId=999999')).body).to.deep.equal([]);
  });

  it('require an existing order, an existing user and a text within its bounds', async () => {
    const [orderId] = orderIds;
    const text = 'x';
    expectErrorAbout(await service.post('/api/comments', { orderId, text }), 400, 'userId');
    expectErrorAbout(await service.post('/api/comments', { orderId, userId: '999999', text }), 400, 'userId');
    expectErrorAbout(
      await service.post('/api/comments', { orderId: '999999', userId: user.id, text }),
      400,
      'orderId',
    );
    for (const bad of ['', 'x'.repeat(5001), 1, null]) {
      expectErrorAbout(
        await service.post('/api/comments', { orderId, userId: user.id, text: bad }),
        400,
        'body/text',
      );
    }
    await create(orderId ?? '', 'é'.repeat(5000));
  });

  it('are deleted with their order', async () => {
    const orderId = await createOrder();
    const { id } = (await create(orderId)).body as { id: string };
    await service.delete(`/api/orders/${orderId}`);
    expectError(await service.get(`/api/comments/${id}`), 404, 'Comment not found');
  });
});
