/** Tests what a request check inserts for absent properties, and that nothing else does. */
import { expect } from 'chai';
import type { AnySchema } from '../any-schema.js';
import { checkOf, compiled, component, documentOf, imported } from './compiled.js';

const ref = (name: string): AnySchema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Readonly<Record<string, AnySchema>>): AnySchema => ({
  type: 'object',
  properties,
});

type Row = readonly [
  what: string,
  schemas: Readonly<Record<string, AnySchema>>,
  before: unknown,
  after: unknown,
];

const rows: readonly Row[] = [
  ['an absent property', { A: object({ a: { type: 'integer', default: 1 } }) }, {}, { a: 1 }],
  ['no property that is there', { A: object({ a: { type: 'integer', default: 1 } }) }, { a: 2 }, { a: 2 }],
  [
    'no property that is null',
    { A: object({ a: { type: 'integer', nullable: true, default: 1 } }) },
    { a: null },
    { a: null },
  ],
  [
    'false and null',
    { A: object({ a: { default: false }, b: { default: null } }) },
    {},
    { a: false, b: null },
  ],
  [
    'a default of what a property refers to',
    { A: object({ a: ref('B') }), B: { type: 'string', default: 'x' } },
    {},
    { a: 'x' },
  ],
  [
    'the nearest default',
    { A: object({ a: { allOf: [ref('B')], default: 'y' } }), B: { type: 'string', default: 'x' } },
    {},
    { a: 'y' },
  ],
  [
    'inside what is there',
    { A: object({ a: ref('B') }), B: object({ b: { default: 1 } }) },
    { a: {} },
    { a: { b: 1 } },
  ],
  ['nothing inside what is absent', { A: object({ a: ref('B') }), B: object({ b: { default: 1 } }) }, {}, {}],
  [
    'items',
    { A: object({ a: { type: 'array', items: ref('B') } }), B: object({ b: { default: 1 } }) },
    { a: [{}, { b: 2 }] },
    { a: [{ b: 1 }, { b: 2 }] },
  ],
  [
    'through allOf',
    { A: { allOf: [ref('B'), object({ a: { default: 2 } })] }, B: object({ b: { default: 1 } }) },
    {},
    { a: 2, b: 1 },
  ],
  [
    'a recursive schema',
    { A: object({ a: { default: 1 }, next: ref('A') }) },
    { next: {} },
    { a: 1, next: { a: 1 } },
  ],
  [
    'the branch that a discriminator picks',
    {
      A: { oneOf: [ref('B'), ref('C')], discriminator: { propertyName: 'kind' } },
      B: object({ kind: { type: 'string' }, b: { default: 1 } }),
      C: object({ kind: { type: 'string' }, c: { default: 1 } }),
    },
    { kind: 'C' },
    { kind: 'C', c: 1 },
  ],
];

describe('a request check inserts', () => {
  for (const [what, schemas, before, after] of rows) {
    it(what, async () => {
      const value = structuredClone(before);
      const check = await checkOf(documentOf('3.0.3', schemas), 'A');
      expect(check(value)).to.equal(true);
      expect(value).to.deep.equal(after);
    });
  }

  it('a list of its own into every value', async () => {
    const check = await checkOf(
      documentOf('3.0.3', { A: object({ a: { type: 'array', items: {}, default: [] } }) }),
      'A',
    );
    const [one, other]: { a?: unknown[] }[] = [{}, {}];
    check(one);
    one?.a?.push(1);
    check(other);
    expect(other).to.deep.equal({ a: [] });
  });

  it('nothing beside a reference (3.0), where nothing else counts', async () => {
    const contract = documentOf('3.0.3', {
      A: object({ a: Object.assign({ default: 'y' }, ref('B')) }),
      B: { type: 'string', default: 'x' },
    });
    const value = {};
    expect((await checkOf(contract, 'A'))(value)).to.equal(true);
    expect(value).to.deep.equal({ a: 'x' });
  });

  it('what an alternative to null says (3.1)', async () => {
    const A = { oneOf: [{ type: 'null' }, { type: 'object', properties: { a: { default: 1 } } }] };
    const check = await checkOf(documentOf('3.1.0', { A }), 'A');
    const value = {};
    expect(check(null)).to.equal(true);
    expect(check(value)).to.equal(true);
    expect(value).to.deep.equal({ a: 1 });
  });
});

describe('defaults that are not inserted', () => {
  const schemas = {
    A: { anyOf: [ref('B'), object({ c: { default: 1 } })] },
    B: object({ b: { default: 1 }, more: { not: object({ d: { default: 1 } }) } }),
    C: object({ a: { oneOf: [{ type: 'string', default: 'x' }, { type: 'integer' }] } }),
  };

  it('are unsupported in requests, each at its place', () => {
    const { unsupported } = compiled(documentOf('3.0.3', schemas), [component('A'), component('C')]);
    expect(unsupported.map(({ feature, at }) => `${feature} ${at}`)).to.have.members([
      'default-in-composition #/components/schemas/A/anyOf/1/properties/c/default',
      'default-in-composition #/components/schemas/B/properties/b/default',
      'default-in-composition #/components/schemas/B/properties/more/not/properties/d/default',
      'default-in-composition #/components/schemas/C/properties/a/oneOf/0/default',
    ]);
  });

  it('leave a value alone that an alternative with defaults refused', async () => {
    const document = documentOf('3.0.3', {
      A: { anyOf: [ref('B'), ref('C')] },
      B: { type: 'object', properties: { b: { default: 1 } }, required: ['x'] },
      C: { type: 'object', properties: { c: { type: 'integer' } }, additionalProperties: false },
    });
    const { requests } = compiled(document, [component('A')]);
    const check = (await imported(requests.js))['checkA'];
    const value = { c: 1 };
    expect(check?.(value)).to.equal(true);
    expect(value).to.deep.equal({ c: 1 });
  });

  it('are no matter in responses', async () => {
    const document = documentOf('3.0.3', schemas);
    expect(compiled(document, [component('A', 'response')]).unsupported).to.deep.equal([]);
    const check = await checkOf(document, 'B', 'response');
    const value = {};
    expect(check(value)).to.equal(true);
    expect(value).to.deep.equal({});
  });
});
