/** Prices and quantities that JSON parsers would round: they are refused as they are given, in every operation. */
import { expect } from 'chai';
import { useService } from '../support/service.js';
import { createUser } from './user-requests.js';

const service = useService();

/** Sends a JSON text as it is. */
const send = (method: string, path: string, body: string): ReturnType<typeof service.send> =>
  service.send({ method, path, headers: { 'content-type': 'application/json' }, body });

const order = (userId: string, item: string): string =>
  `{"userId":"${userId}","items":[{"name":"Twine",${item}}]}`;

describe('numbers that are not representable as given', () => {
  const REFUSED = [
    '1.000000000000000000000000000000000001',
    '0.10000000000000000001',
    '1e-400',
    '100.0000000000000000001e-2',
    '-1e-400',
  ];

  for (const price of REFUSED) {
    it(`are a 400 as a price: ${price}`, async () => {
      const { id } = await createUser(service);
      const created = await service.post('/api/orders', {
        userId: id,
        items: [{ name: 'Twine', unitPrice: 1, quantity: 1 }],
      });
      const { id: orderId } = created.body as { id: string };
      const body = order(id, `"unitPrice":${price},"quantity":1`);
      const items = body.replace(/"userId":"\d+",/, '');
      for (const answer of [
        await send('POST', '/api/orders', body),
        await send('PUT', `/api/orders/${orderId}`, items),
      ]) {
        expect(answer.status, answer.text).to.equal(400);
        expect(answer.text).to.include('body/items/0/unitPrice must be');
      }
    });
  }

  it('are a 400 as a quantity', async () => {
    const { id } = await createUser(service);
    const answer = await send(
      'POST',
      '/api/orders',
      order(id, '"unitPrice":1,"quantity":1.00000000000000000001'),
    );
    expect(answer.status, answer.text).to.equal(400);
    expect(answer.text).to.include('body/items/0/quantity must be integer');
  });

  it('are not confused with long texts of numbers that are', async () => {
    const { id } = await createUser(service);
    for (const price of [
      '1.0000000000000000000000',
      '0.1000000000000000000',
      '1999e-2',
      '0e-400',
      '199900000000000000000e-19',
    ]) {
      const answer = await send(
        'POST',
        '/api/orders',
        order(id, `"unitPrice":${price},"quantity":1.00000000000000000`),
      );
      expect(answer.status, answer.text).to.equal(201);
    }
  });
});
