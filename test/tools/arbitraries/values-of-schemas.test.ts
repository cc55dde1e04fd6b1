/** Tests that arbitraries make values that fit their schemas, are repeated by their seed, and shrink to the smallest that fail. */

import { expect } from 'chai';
import fc from 'fast-check';
import type { Check } from '@concordat/runtime';
import { FORMAT_VALUES } from '../../../src/tools/values/format-values.js';
import { valuesOf } from '../../../src/tools/arbitraries/values-of-schemas.js';
import type { Schema } from '../../../src/tools/values/parts.js';
import { compiledSchema } from '../../codegen/checks/compiler/compiled-schema.js';

function sample(schema: Schema, numRuns: number, seed = 1): readonly unknown[] {
  return fc.sample(valuesOf([schema]), { numRuns, seed });
}

/** The smallest value that shrinking finds for which a condition fails. */
function smallestFailing(schema: Schema, holds: (value: never) => boolean): unknown {
  const property = fc.property(valuesOf([schema]), (value) => holds(value as never));
  const { counterexample } = fc.check(property, { numRuns: 10_000, seed: 7 });
  const [found = expect.fail('nothing was found')] = counterexample ?? [];
  return found;
}

const TREE: Check = Object.assign(() => true, { schema: () => tree });
const tree: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: TREE } } },
};

/** Each schema with a condition, and the smallest value that does not meet it. */
const ROWS: readonly (readonly [schema: Schema, holds: (value: never) => boolean, smallest: unknown])[] = [
  [{ type: 'integer', minimum: -1000, maximum: 1000 }, (value: number) => value < 17, 17],
  [{ type: 'integer' }, (value: number) => value > -300, -300],
  [{ type: 'number' }, (value: number) => value < 100, 100],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.01 }, () => false, 0.01],
  [{ type: 'string' }, (value: string) => Array.from(value).length < 3, '   '],
  [{ type: 'string', minLength: 2, maxLength: 5 }, () => false, '  '],
  [{ type: 'string', pattern: '^[b-d]{2,}x?$' }, (value: string) => !value.endsWith('x'), 'bbx'],
  [{ type: 'array', items: { type: 'integer' } }, (value: number[]) => value.every((each) => each < 5), [5]],
  [
    { type: 'array', items: { type: 'boolean' }, minItems: 2 },
    (value: boolean[]) => !value.includes(true),
    [false, true],
  ],
  [
    { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true },
    (value: number[]) => value.length < 2,
    [2, 1],
  ],
  [{ oneOf: [{ const: 'a' }, { type: 'object', required: ['b'] }] }, () => false, 'a'],
  [
    { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
    (value: { b?: number }) => (value.b ?? 0) < 9,
    { b: 9 },
  ],
  [
    { $ref: TREE },
    (value: { children?: unknown[] }) => (value.children?.length ?? 0) === 0,
    { name: '', children: [{ name: '' }] },
  ],
];

describe('arbitraries of schemas', () => {
  for (const [schema, holds, smallest] of ROWS) {
    it(`shrink to ${JSON.stringify(smallest)} for ${JSON.stringify(schema)}`, () => {
      expect(smallestFailing(schema, holds)).to.deep.equal(smallest);
    });
  }

  it('shrink a long list in few steps', () => {
    let [tries, isFound] = [0, false];
    const found = smallestFailing(
      { type: 'array', items: { type: 'integer' }, maxItems: 20 },
      (items: number[]) => {
        if (isFound) tries += 1;
        const holds = items.length < 15 || !items.some((each) => each > 1000);
        isFound ||= !holds;
        return holds;
      },
    );
    expect(found).to.have.members([...Array<number>(14).fill(0), 1001]);
    expect(tries).to.be.lessThan(1_000);
  });

  it('are the same for the same seed', () => {
    const schema = { $ref: TREE };
    expect(sample(schema, 20, 5)).to.deep.equal(sample(schema, 20, 5));
    expect(sample(schema, 20, 5)).not.to.deep.equal(sample(schema, 20, 6));
  });

  it('reach the ends of ranges and of lengths', () => {
    const numbers = new Set(sample({ type: 'integer', minimum: -5, maximum: 5000 }, 500));
    expect([...numbers]).to.include.members([-5, 0, 5000]);
    const lengths = new Set(
      sample({ type: 'string', minLength: 1, maxLength: 64 }, 200).map(
        (text) => Array.from(String(text)).length,
      ),
    );
    expect([...lengths]).to.include.members([1, 64]);
  });

  it('do not exist for schemas that contradict each other', () => {
    for (const schema of [
      false,
      { enum: [1], type: 'string' },
      { type: 'object', required: ['a'], properties: { a: false } },
    ])
      expect(() => valuesOf([schema]), JSON.stringify(schema)).to.throw('no value fits the schema');
  });

  it('exist deep inside of others, also where those with the least do not fit', () => {
    const optional = (inner: Schema): Schema => ({
      type: 'object',
      properties: { a: { type: 'array', items: inner } },
    });
    const deep = (inner: Schema): Schema => optional(optional(optional(optional(inner))));
    const a = { type: 'object', properties: { a: { type: 'string' } } };
    const b = { type: 'object', properties: { b: { type: 'string' } } };
    for (const inner of [
      { ...a, minProperties: 1 },
      { type: 'string', not: { const: '' } },
      { oneOf: [a, b] },
    ])
      expect(sample(deep(inner), 200), JSON.stringify(inner)).to.have.length(200);
  });

  it('end where no value fits, although each part has some', () => {
    for (const schema of [
      { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 3 },
      { type: 'object', minProperties: 3, propertyNames: { pattern: '^[ab]$' } },
    ])
      expect(() => sample(schema, 1), JSON.stringify(schema)).to.throw('none of 5000 values fits');
  });

  for (const [format, { random }] of Object.entries(FORMAT_VALUES)) {
    if (random === undefined) continue;
    it(`have the format ${format}`, async () => {
      const check = await compiledSchema({ type: 'string', format });
      const texts = sample({ type: 'string', format }, 200);
      expect(texts.filter((text) => !check(text))).to.deep.equal([]);
      expect(new Set(texts).size).to.be.greaterThan(1);
    });
  }
});
