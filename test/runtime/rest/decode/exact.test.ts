/** Tests that integers beyond 2^53 keep their digits in JSON, and that nothing else changes. */

import { expect } from 'chai';
import fc from 'fast-check';
import { parseExactJson, withoutBigints } from '../../../../src/runtime/rest/decode/exact.js';
import { writeExactJson } from '../../../../src/runtime/http/response-writers.js';

const long = fc
  .bigInt({ min: -(10n ** 20n) + 1n, max: 10n ** 20n - 1n })
  .filter((value) => !Number.isSafeInteger(Number(value)) && Math.log2(Math.abs(Number(value))) % 1 !== 0);

const { tree } = fc.letrec<{ readonly tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    long,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[-"\\:,\d]{0,40}$/),
    fc.constantFrom(null, true, false),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', '12345678901234567890')), tie('tree'), {
      maxKeys: 4,
    }),
  ),
}));

describe('exact integers', () => {
  it('are bigints in any JSON, and written with all digits', () => {
    fc.assert(
      fc.property(tree, (value) => {
        // A double beyond 2^53 is written as digits too.
        const text = writeExactJson(value);
        expect(writeExactJson(parseExactJson(text))).to.equal(text);
      }),
    );
  });

  it('are the same values as JSON.parse gives, where no integer is long', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (text, other) => {
        expect(withoutBigints(parseExactJson(text))).to.deep.equal(JSON.parse(text));
        const quoted = JSON.stringify({ [other]: `${other}"12345678901234567890` });
        expect(parseExactJson(quoted)).to.deep.equal(JSON.parse(quoted));
      }),
    );
  });

  it('are checked as the nearest number, which has no more bits than the integer', () => {
    fc.assert(
      fc.property(long, (value) => {
        expect(withoutBigints(value)).to.equal(Number(value));
      }),
    );
  });

  for (const [value, number] of [
    [2n ** 63n - 1n, 2 ** 63 - 2 ** 10],
    [-(2n ** 63n), -(2 ** 63)],
    [2n ** 63n, 2 ** 63],
    [2n ** 64n - 1n, 2 ** 64 - 2 ** 11],
  ] as const) {
    it(`are checked at the limits: ${String(value)}`, () => {
      expect(withoutBigints([value])).to.deep.equal([number]);
    });
  }

  for (const text of ['0000000000000000001', '[12345678901234567,]', '1234567890123456789x', '']) {
    it(`refuses ${text}`, () => {
      expect(() => parseExactJson(text)).to.throw(SyntaxError);
    });
  }

  it('are left alone where a fraction or an exponent follows, or 64 bits do not hold them', () => {
    const text = '[1234567890123456789.5, 1234567890123456789e2, 123456789012345678901]';
    expect(parseExactJson(text)).to.deep.equal(JSON.parse(text));
  });
});
