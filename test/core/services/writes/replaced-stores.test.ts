/** Stores that a team puts in the place of a storage's own: their writes are in its transactions, or are refused at the start. */
import { expect } from 'chai';
import type { OrderStore } from '../../../../src/core/ports/order-store.js';
import type { StoreTransaction } from '../../../../src/core/ports/transaction.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices } from '../../../../src/core/services/services.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { refused } from '../fixture.js';

const hooks = { 'orders.create': { after: () => undefined } };

/** Another store of orders, whose users are the same. */
async function replaced() {
  const storage = memoryStorage();
  const own = memoryStorage();
  const ada = { name: 'Ada', email: 'ada@example.com' };
  const { users, products } = createServices({ storage: own, policy: openPolicy });
  const { id: userId } = await users.create(anonymous, ada);
  await createServices({ storage, policy: openPolicy }).users.create(anonymous, ada);
  const { id: productId } = await products.create(anonymous, {
    name: 'Lamp',
    description: undefined,
    price: 1,
  });
  const input = { userId, items: [{ productId, quantity: 1 }] };
  return { storage: { ...storage, products: own.products }, own: own.orders, input, products: own.products };
}

const joining = <Store extends object>(
  store: Store,
  within: (tx: StoreTransaction) => Store = () => store,
) => ({
  ...store,
  within,
});

describe('a store that has replaced another', () => {
  it('is refused at the start if it takes no part in transactions, with what to do', async () => {
    const { storage, own } = await replaced();
    const { products } = memoryStorage();
    for (const given of [
      { ...memoryStorage(), orders: own },
      { ...storage, orders: own },
    ])
      expect(() => createServices({ storage: given, policy: openPolicy })).to.throw(
        /^the store (orders|products) is not the storage's own, .*give it a method "within"/,
      );
    const { joined, ...others } = memoryStorage();
    expect(() => createServices({ storage: { ...others, joined, products }, policy: openPolicy })).to.throw(
      'the store products',
    );
  });

  it('gets the creations under a key, which are repeated, and the hooks after them', async () => {
    const { storage, own, products, input } = await replaced();
    const transactions: unknown[] = [];
    const orders = joining<OrderStore>(own, (tx) => {
      transactions.push(tx.database);
      return own;
    });
    const services = createServices({
      storage: { ...storage, orders, products: joining(products) },
      policy: openPolicy,
      hooks,
    });
    const first = await services.orders.createOnce(anonymous, input, 'key');
    expect(transactions).to.deep.equal([undefined]);
    const everyOrder = { userId: undefined };
    expect((await services.orders.list(anonymous, everyOrder)).data).to.deep.equal([first.record]);
    const again = await services.orders.createOnce(anonymous, input, 'key');
    expect(again).to.deep.equal({ record: first.record, isReplay: true });
    expect(await storage.orders.count(everyOrder), 'in the store that was replaced').to.equal(0);
  });

  it('is used alone where the storage has no transactions, without keys', async () => {
    const { storage, own, input } = await replaced();
    const { transaction, ...others } = { ...storage, orders: own };
    expect(transaction).to.be.a('function');
    const services = createServices({ storage: others, policy: openPolicy });
    const order = await services.orders.create(anonymous, input);
    expect(await own.find(order.id)).to.deep.equal(order);
    await refused(
      services.orders.createOnce(anonymous, input, 'key'),
      'not-implemented',
      /no idempotency keys/,
    );
  });
});
