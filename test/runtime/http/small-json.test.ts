import { expect } from 'chai';
import fc from 'fast-check';
import { writeJson, smallJson } from '../../../src/runtime/http/body-writers.js';

const plain = fc.anything({ withNullPrototype: true, maxDepth: 3, maxKeys: 6 });

describe('the JSON of small values', () => {
  it('is what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), plain, fc.string({ unit: 'binary' })), (value) => {
        const text = smallJson(value);
        if (text !== undefined) expect(text).to.equal(JSON.stringify(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves to JSON.stringify what is large, deep or not plain', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    class Price {
      toJSON(): string {
        return '1.00';
      }
    }
    const others = [
      undefined,
      Symbol('s'),
      10n,
      new Date(0),
      { at: new Date(0) },
      [new Map()],
      { price: new Price() },
      { toJSON: () => 1 },
      Object.assign([1], { toJSON: () => 1 }),
      cycle,
      Array.from({ length: 100 }, () => 1),
      [() => 1],
    ];
    for (const value of others) expect(smallJson(value)).to.equal(undefined);
    expect(() => writeJson(cycle)).to.throw(TypeError);
  });

  it('writes what JSON changes', () => {
    const value = { a: undefined, 'b"\n': [Number.NaN, -0, 1e21, '\ud800', '😀', '\u2028'], __proto__: null };
    expect(smallJson(value)).to.equal(JSON.stringify(value));
  });
});
