/** Tests ids: canonical digits in numeric order. */
import { expect } from 'chai';
import fc from 'fast-check';
import { compareIds, parseId, parsePosition } from '../../../src/core/model/id.js';

const id = fc.bigInt({ min: 1n, max: 10n ** 18n - 1n });

describe('parseId', () => {
  it('accepts every number of 1 to 18 digits', () => {
    fc.assert(fc.property(id, (number) => parseId(String(number)) === String(number)));
    expect(parseId('999999999999999999')).to.equal('999999999999999999');
  });

  for (const text of [
    '',
    '0',
    '00',
    '01',
    '-1',
    '+1',
    '1.0',
    '1e3',
    ' 1',
    '1\n',
    '１',
    'abc',
    '\u0000',
    '1000000000000000000',
  ]) {
    it(`returns undefined for ${JSON.stringify(text)}`, () => {
      expect(parseId(text)).to.equal(undefined);
    });
  }
});

describe('compareIds', () => {
  it('orders numerically, "10" after "9"', () => {
    expect(compareIds('10', '9')).to.be.above(0);
    fc.assert(
      fc.property(
        id,
        id,
        (a, b) => Math.sign(compareIds(String(a), String(b))) === Number(a > b) - Number(a < b),
      ),
    );
  });
});

describe('parsePosition', () => {
  it('reads digits as a position, even if there is no such id', () => {
    expect(parsePosition('cursor', '0')).to.equal('0');
    expect(parsePosition('cursor', '000')).to.equal('0');
    expect(parsePosition('cursor', '007')).to.equal('7');
    expect(parsePosition('cursor', '10')).to.equal('10');
    expect(parsePosition('cursor', '9'.repeat(10_000))).to.equal('9'.repeat(18));
  });

  for (const text of ['', 'abc', '-1', '1.5', '1 ', '1\n', '１', '0x1', '\u0000']) {
    it(`refuses ${JSON.stringify(text)}, and names the place`, () => {
      expect(() => parsePosition('cursor', text))
        .to.throw(/^cursor must be/)
        .with.property('code', 'invalid-input');
    });
  }
});
