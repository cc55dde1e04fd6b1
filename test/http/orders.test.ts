/** Orders over HTTP: exact money, the sentences about wrong items, and XML. */

import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { type UserRecord, createUser } from './user-requests.js';

interface OrderRecord {
  readonly total: number;
}

const ITEM = { name: 'Engraving', unitPrice: 4.2, quantity: 1 };

onEveryStore('orders', (service) => {
  let user: UserRecord;

  before(async () => {
    user = await createUser(service);
  });

  const create = async (items: readonly unknown[] = [ITEM]): Promise<OrderRecord> => {
    const answer = await service.post('/api/orders', { userId: user.id, items });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as OrderRecord;
  };
  it('have a total to the cent', async () => {
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

  it('are refused with what is wrong with an item of either kind', async () => {
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

  it('are available as XML', async () => {
    await create();
    const { text } = await service.get('/api/orders', { accept: 'application/xml' });
    expect(text).to.contain('<orders><item>').and.to.contain('<total>4.2</total>');
  });
});
