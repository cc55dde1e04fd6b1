/** Tests that long numbers of JSON texts are found wherever they are, and nowhere else. */

import { expect } from 'chai';
import fc from 'fast-check';
import { replaceLongNumbers } from '../../../../src/runtime/rest/decode/exact.js';

const LONG = '1234567890123456789';
const MEBIBYTE = 2 ** 20;

describe('replaceLongNumbers', () => {
  it('gives each number outside of strings and none inside', () => {
    const texts = fc.stringMatching(/^["\\\d,:[\]{}-]{0,40}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, fc.bigInt({ min: 10n ** 15n }))), (pairs) => {
        const numbers = pairs.map(([, number]) => String(number));
        const written = (each: (number: string) => string): string =>
          `[${pairs.flatMap(([text], index) => [JSON.stringify(text), each(numbers[index] ?? '')]).join()}]`;
        const found: string[] = [];
        const replaced = replaceLongNumbers(written(String), (number) => {
          found.push(number);
          return '0';
        });
        expect(found).to.deep.equal(numbers);
        expect(replaced).to.equal(written(() => '0'));
      }),
    );
  });

  it('leaves a text where nothing is replaced', () => {
    const text = `{"${LONG}":[1,${LONG}.5,-2e3]}`;
    expect(replaceLongNumbers(text, () => undefined)).to.equal(text);
  });

  for (const [what, piece] of Object.entries({
    letters: 'x'.repeat(16),
    quotes: '\\"'.repeat(8),
    backslashes: '\\\\'.repeat(8),
    digits: '1'.repeat(16),
  })) {
    it(`reads over a string of 10 MB of ${what} in linear time`, () => {
      const string = `"${piece.repeat((10 * MEBIBYTE) / 16)}"`;
      const start = process.cpuUsage();
      const replaced = replaceLongNumbers(`[${string},${LONG}]`, () => '0');
      const { user, system } = process.cpuUsage(start);
      expect(replaced.endsWith('",0]') && replaced.startsWith('["') && replaced.length).to.equal(
        string.length + 4,
      );
      // It takes 0.3 s at most; in quadratic time it would take hours.
      expect((user + system) / 1e6).to.be.below(10);
    });
  }

  it('ends with a string that does not', () => {
    expect(replaceLongNumbers(`[${LONG},"${LONG}`, () => '0')).to.equal(`[0,"${LONG}`);
  });
});
