/** Tests how text becomes a value of each scalar type, and which texts are refused. */
import { expect } from 'chai';
import type { ScalarType } from '../../../../src/runtime/contract/contract.js';
import { Mismatch } from '../../../../src/runtime/rest/decode/mismatch.js';
import { compileScalar } from '../../../../src/runtime/rest/decode/value.js';

const refused = Symbol('refused');

const table: readonly (readonly [ScalarType | readonly ScalarType[], Readonly<Record<string, unknown>>])[] = [
  ['string', { '': '', '1': '1', null: 'null', '\0': '\0' }],
  ['boolean', { true: true, false: false, True: refused, '1': refused, '': refused, 'true ': refused }],
  ['null', { null: null, '': null, '0': refused, undefined: refused }],
  [
    'integer',
    {
      '0': 0,
      '-0': 0,
      '42': 42,
      '-42': -42,
      '9007199254740991': 9007199254740991,
      '9007199254740992': refused,
      '-9007199254740992': refused,
      '99999999999999999999': refused,
      '007': refused,
      '+1': refused,
      '1.0': refused,
      '1e3': refused,
      '0x10': refused,
      ' 1': refused,
      '1\n': refused,
      '١': refused,
      '': refused,
    },
  ],
  [
    'number',
    {
      '0': 0,
      '-0': 0,
      '-0.5': -0.5,
      '1e3': 1000,
      '1E+3': 1000,
      '2.5e-1': 0.25,
      '99999999999999999999': 1e20,
      '1e999': refused,
      '-1e999': refused,
      '.5': refused,
      '5.': refused,
      '01': refused,
      '1e': refused,
      Infinity: refused,
      NaN: refused,
      '0x10': refused,
      ' 1': refused,
      '': refused,
    },
  ],
  [['integer', 'null'], { '1': 1, null: null, '': null, x: refused }],
  [
    ['string', 'null', 'boolean', 'integer'],
    { '1': 1, true: true, null: null, '': null, '1.5': '1.5', x: 'x' },
  ],
  [['number', 'integer'], { '1': 1, '1.5': 1.5, x: refused }],
];

describe('compileScalar', () => {
  for (const [type, texts] of table) {
    for (const [text, expected] of Object.entries(texts)) {
      it(`makes ${String(expected)} of ${JSON.stringify(text)} as ${type.toString()}`, () => {
        const value = compileScalar(type)(text);
        // Strict equality, and no -0.
        if (expected === refused) expect(value).to.be.instanceOf(Mismatch);
        else expect(Object.is(value, expected), String(value)).to.equal(true);
      });
    }
  }

  it('says which types it wanted, in the order of the contract', () => {
    expect(compileScalar(['string', 'null'])('x')).to.equal('x');
    expect(compileScalar(['integer', 'null'])('x')).to.include({ reason: 'must be integer,null', text: 'x' });
  });

  it('says the range to an integer that is out of it', () => {
    expect(compileScalar('integer')('9007199254740993')).to.include({
      reason: 'must be integer from -9007199254740991 to 9007199254740991',
    });
  });
});
