/** Texts made for patterns match them. */

import { expect } from 'chai';
import fc from 'fast-check';
import { matchesPattern, textOfPattern } from '../../../src/tools/values/texts.js';

const PATTERNS = [
  '^[a-z]+$',
  '^[A-Z]{2}-\\d{3,5}$',
  '^(?:red|green|blue)$',
  '^\\+?[1-9]\\d{1,14}$',
  '^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$',
  '^\\p{Lu}\\p{L}*$',
  '^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$',
  '^\\u{1F600}?\\x41\\u0042$',
  '\\bword\\b',
  '^[\\w.-]+$',
  '^$',
  '^(?<q>["\'])(a|b)\\k<q>\\2$',
  'a|',
  '^[-a]{3}[\\]]$',
];

describe('texts for patterns', () => {
  for (const pattern of PATTERNS) {
    it(`match ${pattern}`, () => {
      for (const repeat of [1, 2, 5]) {
        for (const choice of [0, 1, 2]) {
          const text = textOfPattern(pattern, repeat, choice);
          expect(text, `${String(repeat)} ${String(choice)}`).to.satisfy(
            (made: string | undefined) => made !== undefined && matchesPattern(pattern, made),
          );
        }
      }
    });
  }

  it('are not made for what is not read', () => {
    for (const pattern of ['(?<=a)b', '(', '[a', 'a{2}{']) {
      const text = textOfPattern(pattern, 1);
      expect(text === undefined || !matchesPattern(pattern, text) || text.length > 0, pattern).to.equal(true);
      if (pattern !== 'a{2}{') expect(text, pattern).to.equal(undefined);
    }
  });

  it('match random patterns of the forms that are read', () => {
    const atom = fc.constantFrom('a', '[b-d]', '[^a]', '\\d', '\\w', '.', '(?:x|yz)', '(k)', '\\.', '\\p{L}');
    const quantifier = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{2,}', '+?');
    const piece = fc.tuple(atom, quantifier).map((parts) => parts.join(''));
    const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => `^${pieces.join('')}$`);
    fc.assert(
      fc.property(pattern, fc.nat(4), fc.nat(4), (source, repeat, choice) => {
        const text = textOfPattern(source, repeat, choice);
        return text !== undefined && matchesPattern(source, text);
      }),
    );
  });

  it('never fail, whatever the pattern', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(3), (pattern, repeat) => {
        const text = textOfPattern(pattern, repeat);
        return text === undefined || typeof text === 'string';
      }),
    );
  });
});
