/** Orders over HTTP: items, exact money, the state machine, races, and the paths below a user. */

import { expect } from 'chai';
import type { ServiceAnswer } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { type UserRecord, createUser, expectError, expectErrorAbout } from './user-requests.js';

interface OrderRecord {
  readonly id: string;
  readonly userId: string;
  readonly status: string;
  readonly items: readonly { readonly id: string; readonly productId?: string; readonly name: string }[];
  readonly total: number;
}

const ITEM = { name: 'Engraving', unitPrice: 4.2, quantity: 1 };

onEveryStore('orders', (service) => {
  let user: UserRecord;

  before(async () => {
    user = await createUser(service);
  });

  const create = async (items: readonly unknown[] = [ITEM], userId = user.id): Promise<OrderRecord> => {
    const answer = await service.post('/api/orders', { userId, items });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as OrderRecord;
  };
  const patch = (id: string, status: string): Promise<ServiceAnswer> =>
    service.patch(`/api/orders/${id}`, { status });
  const post = (path: string): Promise<ServiceAnswer> => service.send({ method: 'POST', path });
  /** Creates an order and brings it to a state. */
  const inState = async (state: string): Promise<OrderRecord> => {
    const order = await create();
    if (state !== 'pending' && state !== 'cancelled') await patch(order.id, 'processing');
    if (state === 'completed' || state === 'refunded') await patch(order.id, 'completed');
    if (state === 'cancelled') await post(`/api/orders/${order.id}/cancel`);
    if (state === 'refunded') await post(`/api/orders/${order.id}/refund`);
    expect(((await service.get(`/api/orders/${order.id}`)).body as OrderRecord).status).to.equal(state);
    return order;
  };

  describe('POST /api/orders', () => {
    it('creates a pending order and returns its location', async () => {
      const answer = await service.post('/api/orders', { userId: user.id, items: [ITEM] });
      const order = answer.body as OrderRecord;
      expect(answer.status).to.equal(201);
      expect(answer.headers.location).to.equal(`/api/orders/${order.id}`);
      expect(order).to.include({ userId: user.id, status: 'pending', total: 4.2 });
      expect((await service.get(`/api/orders/${order.id}`)).body).to.deep.equal(order);
    });

    it("copies the product's current name and price", async () => {
      const product = (await service.post('/api/products', { name: 'Can', price: 19.99 })).body as {
        id: string;
      };
      const order = await create([{ productId: product.id, quantity: 2 }]);
      expect(order.items[0]).to.deep.include({
        productId: product.id,
        name: 'Can',
        quantity: 2,
        unitPrice: 19.99,
      });
      await service.put(`/api/products/${product.id}`, { name: 'Pot', price: 1 });
      expect((await service.get(`/api/orders/${order.id}`)).body).to.deep.equal(order);
    });

    it('computes the total to the cent', async () => {
      const items = [
        { name: 'a', unitPrice: 0.1, quantity: 3 },
        { name: 'b', unitPrice: 19.99, quantity: 2 },
      ];
      expect((await create(items)).total).to.equal(40.28);
      const largest = Array.from({ length: 100 }, () => ({
        name: 'x',
        unitPrice: 999_999.99,
        quantity: 10_000,
      }));
      expect((await create(largest)).total).to.equal(999_999_990_000);
    });

    it('refuses a total from the client', async () => {
      const answer = await service.post('/api/orders', { userId: user.id, items: [ITEM], total: 1 });
      expectErrorAbout(answer, 400, 'body', 'total');
    });

    it('requires an existing user', async () => {
      expectErrorAbout(await service.post('/api/orders', { items: [ITEM] }), 400, 'userId');
      for (const userId of ['999999', 'x', '0']) {
        expectErrorAbout(await service.post('/api/orders', { userId, items: [ITEM] }), 400, 'userId');
      }
    });

    it('refuses items out of bounds', async () => {
      const bad = [
        [],
        [{ ...ITEM, quantity: 0 }],
        [{ ...ITEM, quantity: 10_001 }],
        [{ ...ITEM, quantity: 1.5 }],
        [{ ...ITEM, unitPrice: -1 }],
        [{ ...ITEM, unitPrice: 1_000_000.01 }],
        [{ ...ITEM, unitPrice: 0.001 }],
        [{ name: 'no price', quantity: 1 }],
        [{ productId: '999999', quantity: 1 }],
        [{ ...ITEM, productId: '1' }],
        Array.from({ length: 101 }, () => ITEM),
      ];
      for (const items of bad) {
        expectErrorAbout(await service.post('/api/orders', { userId: user.id, items }), 400, 'items');
      }
    });

    it('explains what is wrong with an item of either kind', async () => {
      const wrong: readonly (readonly [item: unknown, place: string])[] = [
        [{ ...ITEM, unitPrice: 0.005 }, 'body/items/1/unitPrice must be multiple of 0.01'],
        [{ ...ITEM, unitPrice: '1' }, 'body/items/1/unitPrice must be number'],
        [{ ...ITEM, quantity: 0 }, 'body/items/1/quantity must be >= 1'],
        [{ ...ITEM, note: 'x' }, 'body/items/1 must NOT have additional properties: note'],
        [{ productId: '1', quantity: 10_001 }, 'body/items/1/quantity must be <= 10000'],
        [
          { quantity: 1 },
          "body/items/1 must have required property 'productId' or must have required property 'name'",
        ],
      ];
      for (const [item, error] of wrong) {
        const answer = await service.post('/api/orders', { userId: user.id, items: [ITEM, item] });
        expect(answer.body).to.deep.equal({ error });
      }
    });
  });

  describe('the states', () => {
    /** The state after each request from each state; undefined is a 409. */
    const TRANSITIONS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
      pending: { processing: 'processing', cancel: 'cancelled' },
      processing: { completed: 'completed', cancel: 'cancelled' },
      completed: { refund: 'refunded' },
      cancelled: { cancel: 'cancelled' },
      refunded: { refund: 'refunded' },
    };
    const REQUESTS = ['processing', 'completed', 'cancel', 'refund'];

    /** What a 409 says: the states from which the request leads on. */
    function refusalOf(request: string, state: string): string {
      const from = Object.keys(TRANSITIONS).filter((each) => TRANSITIONS[each]?.[request] !== undefined);
      const to = { cancel: 'cancelled', refund: 'refunded' }[request] ?? request;
      const move = to === request ? 'status change' : request;
      const states = from.filter((each) => each !== to).join(' or ');
      return `An order becomes ${to} only by ${move} from ${states}; this one is ${state}`;
    }

    for (const [state, allowed] of Object.entries(TRANSITIONS)) {
      for (const request of REQUESTS) {
        const next = allowed[request];
        it(`${request} of a ${state} order is ${next ?? 'a 409 with the allowed states'}`, async () => {
          const { id } = await inState(state);
          const isAction = request === 'cancel' || request === 'refund';
          const answer = await (isAction ? post(`/api/orders/${id}/${request}`) : patch(id, request));
          if (next === undefined) expectError(answer, 409, refusalOf(request, state));
          else expect(answer).to.have.property('status', 200);
          const { status } = (await service.get(`/api/orders/${id}`)).body as OrderRecord;
          expect(status).to.equal(next ?? state);
        });
      }
    }

    it('answers a repeated change the same', async () => {
      const { id } = await inState('processing');
      const first = await post(`/api/orders/${id}/cancel`);
      expect((await post(`/api/orders/${id}/cancel`)).body).to.deep.equal(first.body);
    });

    it('lets one of many concurrent requests from one state succeed', async () => {
      const { id } = await inState('pending');
      const answers = await Promise.all(Array.from({ length: 8 }, () => patch(id, 'processing')));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        200, 409, 409, 409, 409, 409, 409, 409,
      ]);
    });

    it('has no other status', async () => {
      const { id } = await inState('pending');
      for (const status of ['shipped', 'toString', ''])
        expect((await patch(id, status)).status, status).to.equal(400);
      for (const status of ['pending', 'cancelled', 'refunded']) {
        expect((await patch(id, status)).status, status).to.be.oneOf([400, 409]);
      }
      expect(((await service.get(`/api/orders/${id}`)).body as OrderRecord).status).to.equal('pending');
    });
  });

  describe('PUT /api/orders/{id}', () => {
    it('replaces the items of a pending order', async () => {
      const order = await create();
      const answer = await service.put(`/api/orders/${order.id}`, {
        items: [ITEM, { ...ITEM, quantity: 2 }],
      });
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.include({ id: order.id, userId: user.id, status: 'pending', total: 12.6 });
    });

    it('answers 409 for an order that is not pending', async () => {
      const { id } = await inState('processing');
      expectErrorAbout(await service.put(`/api/orders/${id}`, { items: [ITEM] }), 409, 'processing');
    });

    it('lets one of two writers with the same tag succeed', async () => {
      const order = await create();
      const { headers } = await service.get(`/api/orders/${order.id}`);
      const write = () =>
        service.put(`/api/orders/${order.id}`, { items: [ITEM] }, { 'if-match': headers.etag ?? '' });
      const statuses = (await Promise.all([write(), write()])).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, 412]);
    });
  });

  describe('DELETE /api/orders/{id}', () => {
    it('answers 204 without a body, and then the order is gone', async () => {
      const { id } = await create();
      const answer = await service.delete(`/api/orders/${id}`);
      expect({ status: answer.status, text: answer.text }).to.deep.equal({ status: 204, text: '' });
      expectError(await service.get(`/api/orders/${id}`), 404, 'Order not found');
      expectError(await service.delete(`/api/orders/${id}`), 404, 'Order not found');
    });

    it('answers 412 for any tag of an order that exists, like PUT and PATCH', async () => {
      const path = `/api/orders/${(await create()).id}`;
      const current = (await service.get(path)).headers.etag ?? '';
      for (const tags of ['*', current]) {
        const unless = { 'if-none-match': tags };
        expect((await service.put(path, { items: [ITEM] }, unless)).status).to.equal(412);
        expect((await service.patch(path, { status: 'processing' }, unless)).status).to.equal(412);
        expect((await service.delete(path, unless)).status).to.equal(412);
      }
      expect((await service.delete(path, { 'if-none-match': '"other"' })).status).to.equal(204);
    });

    it('answers 412 for a stale tag', async () => {
      const { id } = await create();
      const { headers } = await service.get(`/api/orders/${id}`);
      await patch(id, 'processing');
      expect((await service.delete(`/api/orders/${id}`, { 'if-match': headers.etag ?? '' })).status).to.equal(
        412,
      );
      expect((await service.get(`/api/orders/${id}`)).status).to.equal(200);
    });
  });

  describe('lists', () => {
    let other: UserRecord;
    let own: OrderRecord[];

    before(async () => {
      other = await createUser(service);
      own = [await create([ITEM], other.id), await create([ITEM], other.id), await create([ITEM], other.id)];
    });

    it('are bare arrays, ascending by id, of one user or of all', async () => {
      expect((await service.get(`/api/orders?userId=${other.id}`)).body).to.deep.equal(own);
      expect((await service.get(`/api/users/${other.id}/orders`)).body).to.deep.equal(own);
      const ids = ((await service.get('/api/orders?limit=100')).body as OrderRecord[]).map(({ id }) =>
        Number(id),
      );
      expect(ids).to.deep.equal(ids.toSorted((a, b) => a - b));
      expect((await service.get('/api/orders?userId=999999')).body).to.deep.equal([]);
    });

    it('have paging headers', async () => {
      const answer = await service.get(`/api/users/${other.id}/orders?page=2&limit=1`);
      expect(answer.body).to.deep.equal([own[1]]);
      expect(answer.headers).to.include({ 'x-total-count': '3', 'x-page': '2', 'x-per-page': '1' });
      expect(answer.headers.link).to.equal(
        [
          'page=1&limit=1>; rel="prev"',
          'page=1&limit=1>; rel="first"',
          'page=3&limit=1>; rel="next"',
          'page=3&limit=1>; rel="last"',
        ]
          .map((link) => `</api/users/${other.id}/orders?${link}`)
          .join(', '),
      );
    });

    it('can be embedded in the user', async () => {
      const embedded = (await service.get(`/api/users/${other.id}?embed=orders`)).body as UserRecord;
      expect(embedded.orders).to.deep.equal(own.map(({ id, total }) => ({ id, total })));
      expect(embedded).not.to.have.property('links');
    });

    it('contain an order and an item only below their user', async () => {
      const [order] = own;
      const path = `/api/users/${other.id}/orders/${order?.id ?? ''}`;
      expect((await service.get(path)).body).to.deep.equal(order);
      expect((await service.get(`${path}/items/${order?.items[0]?.id ?? ''}`)).body).to.deep.equal(
        order?.items[0],
      );
      expectError(await service.get(`${path}/items/999`), 404, 'Item not found');
      expectError(
        await service.get(`/api/users/${user.id}/orders/${order?.id ?? ''}`),
        404,
        'Order not found',
      );
      expectError(await service.get('/api/users/999999/orders'), 404, 'User not found');
    });

    it('are available as XML', async () => {
      const { text } = await service.get(`/api/orders?userId=${other.id}&limit=1`, {
        accept: 'application/xml',
      });
      expect(text).to.contain('<orders><item>').and.to.contain('<total>4.2</total>');
    });
  });

  it('keep orders whose user is deleted', async () => {
    const leaving = await createUser(service);
    const order = await create([ITEM], leaving.id);
    await service.services.users.delete({ kind: 'user', id: '0', role: 'admin' }, leaving.id);
    expect((await service.get(`/api/orders/${order.id}`)).body).to.deep.equal(order);
  });
});
