/** Tests the schemas of samples: each sample fits, their order does not matter, and nothing grows without a bound. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type { Json } from '@concordat/runtime';
import fc from 'fast-check';
import { ObservedValue, PlaceBudget } from '../../../src/tools/record/observed/observed-value.js';

const written = {
  enums: true,
  examples: true,
  isSecret: () => false,
  isSecretName: () => false,
  isShared: () => true,
};

function observed(values: readonly Json[], most = 10_000): ObservedValue {
  const value = new ObservedValue(new PlaceBudget(most));
  for (const each of values) value.add(each);
  return value;
}

const schemaOf = (...values: readonly Json[]): unknown =>
  observed(values).schema({
    enums: false,
    examples: false,
    isSecret: () => false,
    isSecretName: () => false,
    isShared: () => true,
  });

/** The check of a schema by another implementation. */
function checkOf(schema: unknown): (value: Json) => boolean {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv.compile(schema as object);
}

/** Values with few names and texts, so that samples have much in common. */
const texts = fc.constantFrom(
  ...[
    'a',
    'open',
    '2026-01-31',
    '2026-01-31T12:30:00Z',
    'https://example.com/a',
    '10.0.0.1',
    '::1',
    'x@example.com',
  ],
  ...['123e4567-e89b-12d3-a456-426614174000', '', '12', 'true', '__proto__'],
);
const names = fc.constantFrom(
  'id',
  'name',
  'tags',
  'INV-1',
  '2026-01',
  'x@example.com',
  '__proto__',
  'toString',
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      texts,
      fc.integer({ min: -9, max: 9 }),
      fc.constantFrom(0.5, 1e21),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(names, tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const samples = fc.array(json, { minLength: 1, maxLength: 12 });

describe('record: schemas of samples', () => {
  it('are fit by every sample', () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: 0, max: 12 }), (values, most) => {
        for (const budget of [10_000, most]) {
          const schema = observed(values, budget).schema(written);
          const check = checkOf(schema);
          for (const value of values) expect(check(value), JSON.stringify(schema)).to.equal(true);
        }
      }),
    );
  });

  it('do not depend on the order of the samples', () => {
    fc.assert(
      fc.property(samples, fc.func(fc.integer()), (values, rank) => {
        const other = values.map((value) => [rank(value), value] as const).sort(([a], [b]) => a - b);
        const shuffled = observed(other.map(([, value]) => value));
        expect(shuffled.schema(written)).to.deep.equal(observed(values).schema(written));
      }),
    );
  });

  it('are the same for values that are merged later', () => {
    fc.assert(
      fc.property(samples, samples, (one, other) => {
        const merged = observed(one);
        merged.merge(observed(other));
        expect(merged.schema(written)).to.deep.equal(observed([...one, ...other]).schema(written));
      }),
    );
  });

  it('have optional members, null and several types', () => {
    expect(
      schemaOf({ id: 1, name: null }, { id: 2, name: 'x', tags: [] }, { id: 2.5, name: 'y', tags: ['a'] }),
    ).to.deep.equal({
      type: 'object',
      properties: {
        id: { type: 'number' },
        name: { type: ['string', 'null'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['id', 'name'],
    });
    expect(schemaOf(1, 'a', null)).to.deep.equal({ type: ['string', 'integer', 'null'] });
    expect(schemaOf({ a: 1 }, 'text')).to.deep.equal({
      anyOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        { type: 'string' },
      ],
    });
    expect(schemaOf(null)).to.deep.equal({});
    expect(schemaOf([])).to.deep.equal({ type: 'array', items: {} });
  });

  it('have the format that all texts have', () => {
    expect(schemaOf('2026-01-31T12:30:00Z', '2026-02-28T00:00:00+01:00')).to.deep.equal({
      type: 'string',
      format: 'date-time',
    });
    expect(schemaOf('2026-01-31', '2026-02-30')).to.deep.equal({ type: 'string' });
    expect(schemaOf('https://example.com', 'a:b')).to.deep.equal({ type: 'string' });
    expect(schemaOf('x@example.com')).to.deep.equal({ type: 'string', format: 'email' });
  });

  it('have additionalProperties for keys that are values', () => {
    expect(schemaOf({ 'CHAIR-01': 12 }, { 'MUG-07': 3, total: 15 })).to.deep.equal({
      type: 'object',
      properties: { total: { type: 'integer' } },
      additionalProperties: { type: 'integer' },
    });
    const words = Array.from({ length: 120 }, (_, index) =>
      String.fromCharCode(97 + (index % 26), 97 + index / 26),
    );
    expect(schemaOf(...words.map((word) => ({ [word]: true })))).to.deep.equal({
      type: 'object',
      additionalProperties: { type: 'boolean' },
    });
  });

  it('have an enum for few values of several callers on request only', () => {
    const states = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'open' : 'paid'));
    expect(schemaOf(...states)).to.deep.equal({ type: 'string' });
    const ofOne = observed([...states, null]);
    expect(ofOne.schema({ ...written, examples: false })).to.deep.equal({ type: ['string', 'null'] });
    const ofMany = new ObservedValue(new PlaceBudget(10));
    for (const [index, state] of [...states, null].entries())
      ofMany.add(state, { caller: String(index % 6), isSensitive: false });
    const schema = ofMany.schema({ ...written, examples: false });
    expect(schema).to.deep.equal({ type: ['string', 'null'], enum: ['open', 'paid', null] });
    const isKnown = (text: string) => text === 'open' || text === 'paid';
    const known = observed(states).schema({ ...written, examples: false, isKnown });
    expect(known).to.deep.equal({ type: 'string', enum: ['open', 'paid'] });
    const few = observed(['open', 'paid']).schema({ ...written, examples: false });
    expect(few).to.deep.equal({ type: 'string' });
    const grades = Array.from({ length: 36 }, (_, index) => 'abcdefghi'.charAt(index % 9));
    const isGrade = (text: string) => text.length === 1;
    const many = observed(grades).schema({ ...written, examples: false, isKnown: isGrade });
    expect(many, 'nine values').to.deep.equal({ type: 'string' });
    const eight = observed(grades.filter((grade) => grade !== 'i'));
    expect(eight.schema({ ...written, examples: false, isKnown: isGrade })).to.have.property('enum');
  });

  it('take bounded memory, and stay true', () => {
    const budget = new PlaceBudget(500);
    const value = new ObservedValue(budget);
    for (let index = 0; index < 20_000; index += 1) {
      const name = `n${index.toString(36).replaceAll(/\d/g, 'q')}`;
      value.add({ [name]: { a: { b: [index] } }, same: index });
    }
    const schema = value.schema(written);
    expect(JSON.stringify(schema).length).to.be.below(60_000);
    expect(checkOf(schema)({ other: 'text', same: 1 })).to.equal(true);
    let deep: Json = 1;
    for (let depth = 0; depth < 3000; depth += 1) deep = [deep];
    expect(checkOf(schemaOf(deep))(deep)).to.equal(true);
  });
});
