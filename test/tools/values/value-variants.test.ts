/** Tests that the values around the edges of a schema name the keyword that they test. */

import { expect } from 'chai';
import type { Schema } from '../../../src/tools/values/parts.js';
import { type Variant, variantsOf } from '../../../src/tools/values/value-variants.js';

function edgesOf(schema: Schema): readonly (readonly [unknown, unknown])[] {
  const variants: readonly Variant[] = [...variantsOf([{ schema, at: '#' }], 'value')];
  return variants.map(({ keyword, value }) => [keyword, value]);
}

/** Each schema with values just inside and just outside, and the keyword that the latter break. */
const ROWS: readonly (readonly [schema: Schema, keyword: string, values: readonly unknown[]])[] = [
  [{ type: 'integer', minimum: 3 }, 'minimum', [3, 2]],
  [{ type: 'integer', exclusiveMaximum: 3 }, 'exclusiveMaximum', [3, 2]],
  [{ type: 'number', multipleOf: 0.5 }, 'multipleOf', [0.25]],
  [{ type: 'string', maxLength: 2 }, 'maxLength', ['te', 'tea', '\u{1F600}\u{1F600}']],
  [{ type: 'string', minLength: 6 }, 'minLength', ['textaa', 'texta']],
  [{ type: 'string', pattern: '^[b-d]$' }, 'pattern', ['!']],
  [{ type: 'string', format: 'date' }, 'format', ['2026-02-30', 'no date']],
  [{ type: 'integer', format: 'int8' }, 'format', [127, 128]],
  [{ type: 'array', minItems: 2, items: { type: 'integer' } }, 'minItems', [[1, 1], [1]]],
  [{ type: 'array', maxItems: 1, items: { type: 'integer' } }, 'maxItems', [[1], [1, 2]]],
  [{ type: 'array', uniqueItems: true, items: { type: 'integer' } }, 'uniqueItems', [[1, 1]]],
  [{ type: 'object', required: ['a'], properties: { a: true, b: true } }, 'required', [{ b: 'text' }]],
  [{ type: 'object', properties: { a: true } }, 'properties', [{}]],
  [{ enum: [1, 2] }, 'enum', [2, 'not-in-the-enum']],
  [{ type: 'string' }, 'type', [7, null]],
];

describe('values around edges', () => {
  for (const [schema, keyword, values] of ROWS) {
    it(`of ${JSON.stringify(schema)}`, () => {
      const found = edgesOf(schema);
      for (const value of values) expect(found).to.deep.include([keyword, value]);
    });
  }

  it('are bounded where schemas are on every path through others', () => {
    const all = Array.from({ length: 40 }, () => ({ type: 'object', anyOf: [] as Schema[] }));
    for (const { anyOf } of all)
      anyOf.push(...all.map((each, index) => ({ type: 'object', properties: { [`p${index}`]: each } })));
    const variants = [...variantsOf([{ schema: all[0] ?? true, at: '#' }], 'value')];
    const depths = variants.map(({ path }) => path.length);
    expect(variants.length).to.be.within(3000, 6000);
    expect(depths, 'those near to the whole are first').to.deep.equal(depths.toSorted((a, b) => a - b));
  });
});
