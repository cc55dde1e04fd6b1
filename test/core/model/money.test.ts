/** Tests that money is exact, by comparison with big integers. */
import { expect } from 'chai';
import fc from 'fast-check';
import { decimalOf, parsePrice } from '../../../src/core/model/product.js';
import { maxOrderItems, maxQuantity, orderTotal } from '../../../src/core/model/order.js';

const price = (amount: number) => parsePrice('price', amount);
const maxPrice = 1_000_000_00;
const cents = fc.integer({ min: 0, max: maxPrice });
const decimal = (whole: bigint) => `${whole / 100n}.${String(whole % 100n).padStart(2, '0')}`;

describe('parsePrice', () => {
  it('reads every price with at most two decimals, and writes it back', () => {
    fc.assert(
      fc.property(cents, (whole) => {
        const amount = JSON.parse(decimal(BigInt(whole))) as number;
        expect(price(amount)).to.equal(whole);
        expect(decimalOf(whole)).to.equal(amount);
      }),
    );
  });

  it('refuses every price with a third decimal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: maxPrice - 1 }),
        fc.integer({ min: 1, max: 9 }),
        (whole, third) => {
          const amount = JSON.parse(`${decimal(BigInt(whole))}${third}`) as number;
          expect(() => price(amount)).to.throw('price must have at most two decimals');
        },
      ),
    );
  });

  it('accepts the bounds, and zero without a sign', () => {
    expect(price(0)).to.equal(0);
    expect(Object.is(price(-0), 0)).to.equal(true);
    expect(price(1_000_000)).to.equal(100_000_000);
  });

  for (const amount of [-0.01, -1, 1_000_000.01, 1e300, Infinity, -Infinity, NaN]) {
    it(`refuses ${amount}`, () => {
      expect(() => price(amount))
        .to.throw('price must be 0 to 1000000')
        .with.property('code', 'invalid-input');
    });
  }

  for (const amount of [0.001, 1.005, 19.999, 0.1 + 0.2, 1e-7, 5e-324, 999_999.999]) {
    it(`refuses ${amount}: more than two decimals`, () => {
      expect(() => price(amount))
        .to.throw('price must have at most two decimals')
        .with.property('code', 'invalid-input');
    });
  }
});

describe('orderTotal', () => {
  it('adds 0.1 × 3 + 19.99 × 2 up to 40.28', () => {
    const items = [
      { quantity: 3, unitPriceCents: price(0.1) },
      { quantity: 2, unitPriceCents: price(19.99) },
    ];
    expect(JSON.stringify(decimalOf(orderTotal(items)))).to.equal('40.28');
  });

  it('is exact for every possible order, and so is its decimal form', () => {
    const item = fc.record({ quantity: fc.integer({ min: 1, max: maxQuantity }), unitPriceCents: cents });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: maxOrderItems, size: 'max' }), (items) => {
        const exact = items.reduce(
          (sum, line) => sum + BigInt(line.quantity) * BigInt(line.unitPriceCents),
          0n,
        );
        const total = orderTotal(items);
        expect(BigInt(total)).to.equal(exact);
        expect(Number(JSON.stringify(decimalOf(total)))).to.equal(Number(decimal(exact)));
        expect(JSON.stringify(decimalOf(total))).to.match(/^\d+(\.\d{1,2})?$/);
      }),
    );
  });

  it('is exact at the largest order', () => {
    const items = Array.from({ length: maxOrderItems }, () => ({
      quantity: maxQuantity,
      unitPriceCents: maxPrice - 1,
    }));
    expect(JSON.stringify(decimalOf(orderTotal(items)))).to.equal('999999990000');
  });
});
