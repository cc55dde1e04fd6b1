/** What `concordat verify` knows of a server's resources: where they are, what refers to them, and which are gone. */

import { expect } from 'chai';
import { KnownResources, withFreshValues } from '../../../../src/tools/verify/openapi/known-resources.js';
import { randomOf } from '../../../../src/tools/verify/run/known-values.js';

const first = (): number => 0;

describe('verify: known resources', () => {
  let known: KnownResources;
  beforeEach(() => {
    known = new KnownResources(['/users/{id}', '/orders/{id}', '/users/{userId}/orders/{orderId}']);
    known.add('/users/{userId}/orders/{orderId}', ['1', '7']);
    known.add('/orders/{id}', ['7'], { id: '7', userId: '1' });
  });

  it('finds those that a path leads to, also through others', () => {
    expect(known.valuesFor('/users/{id}', first)).to.deep.equal(['1']);
    expect(known.valuesFor('/users/{userId}/orders/{orderId}/items/{itemId}', first)).to.deep.equal([
      '1',
      '7',
    ]);
    expect(known.entityOf('/orders/{order}', ['7'])).to.deep.equal({ id: '7', userId: '1' });
  });

  it('tells what a property refers to', () => {
    expect(known.referredBy('orderId')).to.equal('7');
    expect(known.referredBy('id')).to.equal(undefined);
    expect([known.isReference('user_id'), known.isReference('productId')]).to.deep.equal([true, false]);
    expect([known.isUnknown('orderId', '7'), known.isUnknown('orderId', '8')]).to.deep.equal([false, true]);
    expect(known.isUnknown('productId', '8')).to.equal(false);
  });

  it('forgets one that is gone at each of its paths', () => {
    // As a request may have it.
    known.forget([7], '/orders/{id}');
    expect(known.referredBy('orderId')).to.equal(undefined);
    expect(known.isUnknown('orderId', '7')).to.equal(true);
    expect(known.valuesFor('/users/{userId}/orders/{orderId}', first)).to.deep.equal(['1']);
  });

  it('forgets what is below one that is gone', () => {
    known.forget(['1'], '/users/{id}');
    expect(known.valuesFor('/users/{userId}/orders/{orderId}', first)).to.deep.equal([]);
    expect(known.referredBy('orderId')).to.equal('7');
  });

  it('asks about a large body as a whole and in halves, and not about each value', async () => {
    const body = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, 'text']));
    const fixed = new Set<string>();
    let asked = 0;
    const isSame = (given: unknown): Promise<boolean> => {
      asked += 1;
      return Promise.resolve((given as typeof body)['p700'] === 'text');
    };
    const fresh = await withFreshValues(
      body,
      undefined,
      undefined,
      { known, random: randomOf(1), fixed },
      isSame,
    );
    expect(asked).to.be.below(25);
    expect(
      Object.entries(fresh as typeof body).flatMap(([name, text]) => (text === 'text' ? name : [])),
    ).to.deep.equal(['p700']);
    // It is known for the next body.
    await withFreshValues(body, undefined, undefined, { known, random: randomOf(2), fixed }, isSame);
    expect(asked).to.be.below(26);
  });
});
