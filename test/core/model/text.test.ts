/** Tests texts: their length is counted as in JSON Schema, and they contain only characters that every format can carry. */
import { expect } from 'chai';
import fc from 'fast-check';
import { checkLength, checkText } from '../../../src/core/model/text.js';

const bounds = { min: 2, max: 4 };
const check = (text: string) => () => {
  checkText('name', text, bounds);
};

describe('checkText', () => {
  for (const text of ['ab', 'abcd', '💡💡', '💡💡💡💡', 'a\tb', '\r\n', 'é\u0301', '\uFFFD\uE000']) {
    it(`accepts ${JSON.stringify(text)}`, () => {
      expect(check(text)).not.to.throw();
    });
  }

  for (const text of ['', 'a', '💡', 'abcde', '💡💡💡💡💡', 'a'.repeat(1_000)]) {
    it(`refuses the length of ${JSON.stringify(text.slice(0, 12))}`, () => {
      expect(check(text))
        .to.throw(/^name must NOT have (?:fewer than 2|more than 4) characters$/)
        .with.property('code', 'invalid-input');
    });
  }

  for (const text of [
    'a\u0000',
    '\u0001b',
    'a\u000B',
    'a\u001F',
    'ab\uD83D',
    '\uDCA1ab',
    'a\uFFFE',
    'a\uFFFF',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(check(text))
        .to.throw(/^name must (?:not hold|match pattern)/)
        .with.property('code', 'invalid-input');
    });
  }

  it('counts code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 8 }), (text) => {
        const length = Array.from(text).length;
        const fits = length >= bounds.min && length <= bounds.max;
        let passed = true;
        try {
          checkLength('name', text, bounds);
        } catch {
          passed = false;
        }
        return passed === fits;
      }),
    );
  });
});
