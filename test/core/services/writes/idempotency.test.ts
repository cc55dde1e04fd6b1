/** The life of an idempotency key: a day, then it is free; and what protects what is kept of a request. */
import { expect } from 'chai';
import { systemClock, timestampOf } from '../../../../src/core/model/timestamp.js';
import { type KeyedRequest, once } from '../../../../src/core/ports/idempotency-store.js';
import type { Stores } from '../../../../src/core/ports/storage.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { Idempotency } from '../../../../src/core/services/writes/idempotency.js';
import { createServices } from '../../../../src/core/services/services.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { changeInside } from '../../conformance/faults/fault.js';
import { refused, reversingHasher } from '../fixture.js';

const lamp = { name: 'Lamp', description: undefined, price: 1 };
const input = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };

/** Services whose clock a test sets, and the requests that their store was given. */
function open(idempotencySecret?: string) {
  const storage = memoryStorage();
  const requests: KeyedRequest[] = [];
  changeInside(storage, ({ idempotency }) => ({
    idempotency: {
      ...idempotency,
      claim(request, now) {
        requests.push(request);
        return idempotency.claim(request, now);
      },
    },
  }));
  const time = { seconds: 0 };
  const services = createServices<Stores>({
    storage,
    policy: openPolicy,
    clock: { now: () => timestampOf(Date.UTC(2026, 0, 1) + time.seconds * 1000) },
    passwordHasher: reversingHasher,
    ...(idempotencySecret !== undefined && { idempotencySecret }),
  });
  return { storage, services, time, requests };
}

describe('idempotency keys', () => {
  it('are told from each other by a hash that depends on the secret and on the key', async () => {
    const hashes: string[] = [];
    for (const [secret, key] of [
      ['one secret', 'one key'],
      ['another secret', 'one key'],
      ['one secret', 'another key'],
    ] as const) {
      const { services, requests } = open(secret);
      await services.users.createOnce(anonymous, input, key);
      hashes.push(requests[0]?.requestHash ?? '');
      expect(JSON.stringify(requests)).not.to.match(/key"|horse|ada/);
    }
    expect(new Set(hashes).size).to.equal(3);
  });

  it('serve one operation each, also where the input of another is the same', async () => {
    const { idempotency, products, transaction } = memoryStorage();
    const keys = new Idempotency(systemClock, 'secret');
    const product = { name: 'Lamp', description: undefined, priceCents: 100 };
    const run = (operation: string) =>
      keys.run(
        { caller: anonymous, key: 'key', operation, input: product },
        idempotency,
        (id) => products.find(id),
        (request) =>
          transaction((tx) => once(tx, request, systemClock.now(), () => tx.products.create(product))),
      );
    const { record } = await run('products.create');
    expect(await run('products.create')).to.deep.equal({ record, isReplay: true });
    await refused(run('samples.create'), 'key-reused', /was used for another request/);
    expect(await products.count()).to.equal(1);
  });

  it('are refused where the storage keeps none', async () => {
    const { products } = memoryStorage();
    const services = createServices({ storage: { products }, policy: openPolicy });
    const refusal = await services.products
      .createOnce(anonymous, lamp, 'key')
      .catch((error: unknown) => error);
    expect(refusal).to.have.property('code', 'not-implemented');
    expect((await services.products.create(anonymous, lamp)).name).to.equal('Lamp');
  });

  it('cost no hash of a password where the request is a repetition', async () => {
    const { services, requests } = open();
    const first = await services.users.createOnce(anonymous, input, 'key');
    const again = await services.users.createOnce(anonymous, input, 'key');
    expect(again).to.deep.equal({ record: first.record, isReplay: true });
    expect(requests).to.have.lengthOf(1);
  });
});
