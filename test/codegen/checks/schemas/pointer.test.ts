/** Tests how JSON Pointers are read and followed. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  canonicalPointer,
  joinPointer,
  pointerTokens,
  resolvePointer,
} from '../../../../src/codegen/text/pointer.js';

const tokens = fc.oneof(
  fc.string(),
  fc.constantFrom('%41', '%', '%%41', '\n', '\t', 'a~1b', 'a#b', '\u2028'),
);

describe('JSON Pointers', () => {
  const document = { paths: { '/pets/{id}': { get: [{ 'a~b': 1 }] } }, '': { ' ': 2 }, '%': 3 };

  const places: readonly (readonly [string, unknown])[] = [
    ['#', document],
    ['#/paths/~1pets~1{id}/get/0/a~0b', 1],
    ['#/paths/~1pets~1%7Bid%7D/get/0/a~0b', 1],
    ['#//%20', 2],
    ['#/%', 3],
    ['#/%25', 3],
  ];
  for (const [pointer, value] of places) {
    it(`follows ${pointer}`, () => {
      expect(resolvePointer(document, pointer)).to.equal(value);
    });
  }

  for (const pointer of [
    '#/paths/~1cats',
    '#/paths/~1pets~1{id}/get/1',
    '#/constructor',
    '#/paths/~1pets~1{id}/get/length/x',
  ]) {
    it(`says that ${pointer} points nowhere`, () => {
      expect(() => resolvePointer(document, pointer)).to.throw(`${pointer}: the reference has no target`);
    });
  }

  it('refuses a reference into another document', () => {
    expect(() => resolvePointer(document, 'other.yaml#/a')).to.throw(
      'other.yaml#/a: not a JSON Pointer into this document',
    );
  });

  it('writes one spelling for pointers that mean the same', () => {
    expect(canonicalPointer('#/a%20b/c%7E1d'))
      .to.equal(canonicalPointer('#/a b/c~1d'))
      .and.to.equal('#/a b/c~1d');
  });

  it('reads back the tokens it wrote, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(tokens), (tokens) => {
        expect(pointerTokens(joinPointer('#', ...tokens))).to.deep.equal(tokens);
        // A reference goes through a URI.
        const { hash } = new URL(joinPointer('#', ...tokens, 'end'), 'https://example.com');
        expect(pointerTokens(hash)).to.deep.equal([...tokens, 'end']);
      }),
    );
  });
});
