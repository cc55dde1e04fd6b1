/** Response headers, by OpenAPI's table for style simple. */
import { expect } from 'chai';
import { encodeHeaderValue } from '../../../src/runtime/http/response-writers.js';

const table: readonly (readonly [value: unknown, explode: boolean, text: string])[] = [
  ['', false, ''],
  ['blue', false, 'blue'],
  [['blue', 'black', 'brown'], false, 'blue,black,brown'],
  [['blue', 'black', 'brown'], true, 'blue,black,brown'],
  [{ R: 100, G: 200, B: 150 }, false, 'R,100,G,200,B,150'],
  [{ R: 100, G: 200, B: 150 }, true, 'R=100,G=200,B=150'],
  [[], false, ''],
  [{}, true, ''],
  [0, false, '0'],
  [-1.5, false, '-1.5'],
  [true, false, 'true'],
  [null, false, ''],
  [['a', null, 1], false, 'a,1'],
  [{ a: undefined, b: false }, true, 'b=false'],
  ['</api/users?page=2>; rel="next", é\t', false, '</api/users?page=2>; rel="next", é\t'],
];

describe('encodeHeaderValue', () => {
  for (const [value, explode, text] of table) {
    it(`writes ${JSON.stringify(value)}${explode ? ' exploded' : ''} as ${JSON.stringify(text)}`, () => {
      expect(encodeHeaderValue(value, explode)).to.equal(text);
    });
  }

  for (const code of [0x00, 0x0a, 0x0d, 0x1f, 0x7f, 0x100, 0x1f600]) {
    it(`refuses the character ${code.toString(16)}, wherever it is`, () => {
      const text = `a${String.fromCodePoint(code)}Set-Cookie: b=1`;
      for (const value of [text, [text], { name: text }, { [text]: 1 }]) {
        expect(() => encodeHeaderValue(value)).to.throw(TypeError, 'A header cannot hold');
      }
    });
  }

  it('refuses arrays and objects inside others', () => {
    expect(() => encodeHeaderValue([['a']])).to.throw(TypeError, 'A header cannot hold');
    expect(() => encodeHeaderValue({ a: {} })).to.throw(TypeError, 'A header cannot hold');
  });
});
