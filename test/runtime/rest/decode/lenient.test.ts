/** `x-lenient` parameters never fail. */
import { expect } from 'chai';
import { decodeOne } from './decode-one.js';

const limit = {
  in: 'query',
  name: 'limit',
  style: 'form',
  explode: true,
  value: { type: 'integer' },
  lenient: { fallback: 10, minimum: 1, maximum: 100 },
} as const;

const table: readonly (readonly [query: string, expected: unknown, withoutMaximum?: unknown])[] = [
  ['', 10],
  ['other=1', 10],
  ['limit=5', 5],
  ['limit=1', 1],
  ['limit=100', 100],
  ['limit=101', 100, 101],
  ['limit=0', 10],
  ['limit=-5', 10],
  ['limit=', 10],
  ['limit', 10],
  ['limit=abc', 10],
  ['limit=5abc', 10],
  ['limit=5.5', 10],
  ['limit=100.5', 100, 10],
  ['limit=1e1', 10],
  ['limit=1e999', 100, 10],
  ['limit=-1e999', 10],
  ['limit=99999999999999999999', 100, 10],
  ['limit=-99999999999999999999', 10],
  ['limit=Infinity', 10],
  ['limit=NaN', 10],
  ['limit=%zz', 10],
  ['limit=%ff', 10],
  ['limit=+5', 10],
  ['limit=5&limit=6', 10],
  ['limit=500&limit=600', 10],
];

describe('x-lenient', () => {
  for (const [query, expected, withoutMaximum = expected] of table) {
    it(`makes ${String(expected)} of ?${query}`, () => {
      expect(decodeOne({ ...limit, default: 10 }, query)).to.equal(expected);
    });
    it(`makes ${String(withoutMaximum)} of ?${query} where there is no maximum`, () => {
      expect(decodeOne({ ...limit, default: 10, lenient: { fallback: 10, minimum: 1 } }, query)).to.equal(
        withoutMaximum,
      );
    });
  }

  it('leaves an absent parameter absent when there is no default', () => {
    expect(decodeOne(limit, '')).to.equal(undefined);
    expect(decodeOne(limit, 'limit=x')).to.equal(10);
  });

  it('gives each request its own copy of the fallback', () => {
    const ids = {
      in: 'query',
      style: 'form',
      explode: true,
      value: { type: 'array', items: { type: 'integer' } },
      lenient: { fallback: [1] },
    } as const;
    const first = decodeOne(ids, 'color=x') as number[];
    first.push(2);
    expect(decodeOne(ids, 'color=x')).to.deep.equal([1]);
  });
});
