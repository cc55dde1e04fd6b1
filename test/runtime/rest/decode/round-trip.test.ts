/** Tests that a value written in any style reads back the same. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Coercion } from '../../../../src/runtime/contract/contract.js';
import { encodeHeaderValue } from '../../../../src/runtime/http/response-writers.js';
import { decodeOne } from './decode-one.js';
import { serialize, type Notation } from './serialize.js';
import { runs } from '../../../support/budget.js';

const styles = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited'],
  header: ['simple'],
  cookie: ['form'],
} as const;

const notations = (['path', 'query', 'header', 'cookie'] as const).flatMap((location) =>
  styles[location].flatMap((style) =>
    [false, true].map((explode): Notation => ({ in: location, style, explode })),
  ),
);

/** Any well-formed text; what a style cannot write is left out by {@link texts}. */
const anyText = fc.string({ unit: 'binary', maxLength: 12 });

/** The texts that a notation can write as parts of arrays and objects. */
function texts({ in: location, style, explode }: Notation): fc.Arbitrary<string> {
  // Headers have no encoding, so that delimiters and blanks at the ends cannot be written.
  if (location === 'header') return fc.stringMatching(/^[a-z0-9%+;:?"é]{1,8}$/);
  if (style === 'spaceDelimited' && !explode) return anyText.filter((text) => !text.includes(' '));
  if (style === 'pipeDelimited' && !explode) return anyText.filter((text) => !text.includes('|'));
  return anyText;
}

/** Names of cookies are not encoded. */
function names(notation: Notation): fc.Arbitrary<string> {
  return notation.in === 'cookie' ? fc.stringMatching(/^[a-z_]{1,8}$/) : texts(notation);
}

const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

const scalars: readonly (readonly [Coercion, fc.Arbitrary<unknown>])[] = [
  [{ type: 'integer' }, fc.maxSafeInteger()],
  [{ type: 'number' }, numbers],
  [{ type: 'boolean' }, fc.boolean()],
  [{ type: ['integer', 'null'] }, fc.option(fc.maxSafeInteger())],
];

describe('decoding what was written', () => {
  for (const notation of notations) {
    const title = `${notation.in} ${notation.style} explode ${String(notation.explode)}`;
    const roundTrip = (value: Coercion, arbitrary: fc.Arbitrary<unknown>) => {
      fc.assert(
        fc.property(arbitrary, (original) => {
          const text = serialize(notation, 'color', original);
          expect(decodeOne({ ...notation, value }, text)).to.deep.equal(original);
        }),
        { numRuns: runs(200) },
      );
    };
    const items = fc.oneof(texts(notation));
    /** No text tells an empty array from one of an empty string, or from none at all where arrays are exploded. */
    const writable = (values: readonly unknown[]) =>
      values.length > 1 || (values.length === 1 && values[0] !== '');

    it(`gives the scalar back in ${title}`, () => {
      roundTrip({ type: 'string' }, texts(notation));
      for (const [coercion, arbitrary] of scalars) roundTrip(coercion, arbitrary);
    });

    it(`gives the array back in ${title}`, () => {
      roundTrip(
        { type: 'array', items: { type: 'string' } },
        fc.array(items, { maxLength: 5 }).filter(writable),
      );
      for (const [coercion, arbitrary] of scalars) {
        roundTrip({ type: 'array', items: coercion }, fc.array(arbitrary, { minLength: 1, maxLength: 5 }));
      }
    });

    it(`gives the object back in ${title}`, () => {
      const options = { minKeys: 1, maxKeys: 5, noNullPrototype: true };
      for (const [coercion, arbitrary] of [...scalars, [{ type: 'string' }, items] as const]) {
        const value: Coercion = { type: 'object', properties: {}, additional: coercion };
        roundTrip(value, fc.dictionary(names(notation), arbitrary, options));
      }
    });
  }

  it('gives the object back in query deepObject', () => {
    const members = fc.dictionary(
      anyText.filter((name) => !/[[\]]/.test(name)),
      anyText,
      { minKeys: 1, noNullPrototype: true },
    );
    fc.assert(
      fc.property(members, (original) => {
        const notation = { in: 'query', style: 'deepObject', explode: true } as const;
        const text = serialize(notation, 'color', original);
        expect(decodeOne({ ...notation, value: { type: 'object', properties: {} } }, text)).to.deep.equal(
          original,
        );
      }),
    );
  });

  it('reads back the header that the engine itself wrote', () => {
    const item = fc.stringMatching(/^[a-z0-9%+;:?"é]{1,8}$/);
    fc.assert(
      fc.property(fc.dictionary(item, item, { noNullPrototype: true }), fc.boolean(), (original, explode) => {
        const value: Coercion = { type: 'object', properties: {} };
        const text = encodeHeaderValue(original, explode);
        expect(decodeOne({ in: 'header', style: 'simple', explode, value }, text)).to.deep.equal(original);
      }),
    );
  });
});
