/** Schemas with values that they accept and refuse, keyword by keyword. */
import type { AnySchema } from '../any-schema.js';

/** A schema, values that it accepts, and values that it refuses. */
export type Row = readonly [
  what: string,
  schema: AnySchema,
  accepted: readonly unknown[],
  refused: readonly unknown[],
];

/** A recursive schema; its document calls it `Schema`. */
export const tree: AnySchema = {
  type: 'object',
  required: ['value'],
  properties: {
    value: { type: 'integer' },
    children: { type: 'array', items: { $ref: '#/components/schemas/Schema' } },
  },
};

/** Rows that mean the same in both versions. */
export const both: readonly Row[] = [
  ['type', { type: 'integer' }, [1, -3, 2.0], [1.5, '1', null, true, Infinity]],
  ['no type', { minLength: 2 }, ['ab', 1, null, []], ['a']],
  ['minimum and maximum', { type: 'number', minimum: 1, maximum: 3 }, [1, 3], [0.99, 3.01, Infinity]],
  [
    'length in characters, not code units',
    { type: 'string', maxLength: 2 },
    ['ab', '😀😀'],
    ['abc', '😀😀a'],
  ],
  ['a least length in characters', { type: 'string', minLength: 3 }, ['abc', '😀😀😀'], ['ab', '😀😀']],
  ['pattern', { type: 'string', pattern: '^\\p{L}+$' }, ['Zoë'], ['a1', '']],
  ['pattern that only compiles without u', { type: 'string', pattern: '^[\\w\\-]+$\\-?' }, ['a-b'], ['a b']],
  [
    'enum of values of several types',
    { enum: ['a', 1, null, { b: [1] }] },
    ['a', 1, null, { b: [1] }],
    ['b', { b: [2] }],
  ],
  [
    'enum of many values',
    { enum: Array.from({ length: 300 }, (_, index) => `value ${index}`) },
    ['value 0', 'value 299'],
    ['value 300', 0],
  ],
  [
    'items',
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    [['a'], ['a', 'b']],
    [[], [1], ['a', 'b', 'c']],
  ],
  [
    'uniqueItems',
    { type: 'array', items: {}, uniqueItems: true },
    [[1, '1', { a: 1 }]],
    [
      [1, 1],
      [{ a: 1 }, { a: 1 }],
    ],
  ],
  ['uniqueItems: false', { type: 'array', items: {}, uniqueItems: false }, [[1, 1]], [1]],
  ['required', { type: 'object', required: ['a'] }, [{ a: null }], [{}, [], null]],
  [
    'required, many',
    { type: 'object', required: ['a', 'b', 'c', 'd', 'e', 'f'] },
    [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }],
    [{ a: 1, b: 1, c: 1, d: 1, e: 1 }],
  ],
  [
    'additionalProperties: false',
    { type: 'object', properties: { a: {} }, additionalProperties: false },
    [{}, { a: 1 }],
    [{ b: 1 }],
  ],
  [
    'additionalProperties',
    { type: 'object', additionalProperties: { type: 'integer' } },
    [{ a: 1 }],
    [{ a: 'x' }],
  ],
  [
    'property counts',
    { type: 'object', minProperties: 1, maxProperties: 2 },
    [{ a: 1 }],
    [{}, { a: 1, b: 1, c: 1 }],
  ],
  [
    'names that every object inherits',
    { type: 'object', required: ['constructor'], properties: { toString: { type: 'string' } } },
    [{ constructor: 1 }],
    [{}, { constructor: 1, toString: 2 }],
  ],
  [
    'allOf',
    { allOf: [{ type: 'object', required: ['a'] }, { required: ['b'] }] },
    [{ a: 1, b: 1 }],
    [{ a: 1 }, { b: 1 }],
  ],
  ['anyOf', { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 5 }] }, ['a', 5], [4, null]],
  ['oneOf', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] }, [1, 5.5], [6, 'a']],
  ['not', { not: { type: 'string' } }, [1, null], ['a']],
  [
    'recursion',
    tree,
    [{ value: 1, children: [{ value: 2, children: [] }] }],
    [{ value: 1, children: [{ value: 'x' }] }],
  ],
  [
    'multipleOf in decimals',
    { type: 'number', multipleOf: 0.01 },
    [19.99, 0.07, 1_000_000.01, 4.35, 0, -1.1],
    [0.001, 19.999, 1.000_000_1, 0.000_000_01],
  ],
  ['multipleOf of whole numbers', { type: 'integer', multipleOf: 3 }, [9, 0, -3], [10]],
  ['int32', { type: 'integer', format: 'int32' }, [2147483647], [2147483648, -2147483649]],
];

/** Rows in the words of OpenAPI 3.0. */
export const only30: readonly Row[] = [
  ['nullable widens type', { type: 'string', nullable: true }, ['a', null], [1]],
  ['nullable does not widen enum', { type: 'string', nullable: true, enum: ['a'] }, ['a'], [null]],
  ['nullable with null in enum', { type: 'string', nullable: true, enum: ['a', null] }, ['a', null], ['b']],
  ['nullable without type has no effect', { nullable: true, allOf: [{ type: 'string' }] }, ['a'], [null]],
  ['nullable: false', { type: 'string', nullable: false }, ['a'], [null]],
  ['exclusiveMinimum: true', { type: 'number', minimum: 1, exclusiveMinimum: true }, [1.1], [1, 0]],
  ['exclusiveMinimum: false', { type: 'number', minimum: 1, exclusiveMinimum: false }, [1], [0]],
  ['exclusiveMaximum: true', { type: 'number', maximum: 1, exclusiveMaximum: true }, [0.9], [1, 2]],
  ['exclusiveMaximum without maximum', { type: 'number', exclusiveMaximum: true }, [1e9], ['a']],
  [
    '$ref with ignored siblings',
    { type: 'array', items: { $ref: '#/components/schemas/Word', maxLength: 1 } },
    [['abc']],
    [[1]],
  ],
];

/** Rows in the words of JSON Schema 2020-12. */
export const only31: readonly Row[] = [
  ['several types', { type: ['string', 'null'] }, ['a', null], [1]],
  ['const', { const: { a: 1 } }, [{ a: 1 }], [{ a: 2 }, {}]],
  ['exclusive bounds', { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  ['$ref with honoured siblings', { $ref: '#/components/schemas/Word', maxLength: 1 }, ['a'], ['ab', 1]],
  ['boolean schemas', { type: 'object', properties: { a: true, b: false } }, [{ a: 1 }], [{ b: 1 }]],
  [
    'prefixItems',
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    [[], ['a']],
    [['a', 1], [1]],
  ],
  [
    'contains, in a list that is shorter than its prefix',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }], contains: { const: 'a' } },
    [['a'], ['b', 'a']],
    [[], ['b'], ['a', 1]],
  ],
  [
    'contains',
    { type: 'array', contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [[1, 1, 0]],
    [[1], [1, 1, 1, 1]],
  ],
  ['minContains: 0', { type: 'array', contains: { const: 1 }, minContains: 0 }, [[], [2]], ['a']],
  [
    'patternProperties',
    { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    [{ 'x-a': 'b' }, 1],
    [{ 'x-a': 1 }, { a: 'b' }],
  ],
  ['propertyNames', { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [
    'dependentSchemas',
    { dependentSchemas: { a: { required: ['b'] } } },
    [{ b: 1 }, { a: 1, b: 1 }],
    [{ a: 1 }],
  ],
  [
    'if, then, else',
    { if: { type: 'string' }, then: { minLength: 2 }, else: { type: 'null' } },
    ['ab', null],
    ['a', 1],
  ],
  [
    'null or a schema',
    { anyOf: [{ $ref: '#/components/schemas/Word' }, { type: 'null' }] },
    ['a', null],
    [1],
  ],
  [
    'one of null and a schema that takes null',
    { oneOf: [{ type: ['string', 'null'] }, { type: 'null' }] },
    ['a'],
    [null, 1],
  ],
  [
    'unevaluatedProperties across references',
    { allOf: [{ $ref: '#/components/schemas/Named' }], properties: { b: {} }, unevaluatedProperties: false },
    [{ name: 'x', b: 1 }],
    [{ name: 'x', c: 1 }],
  ],
  [
    'unevaluatedProperties after alternatives',
    {
      anyOf: [
        { properties: { a: { const: 1 } }, required: ['a'] },
        { properties: { b: {} }, required: ['b'] },
      ],
      unevaluatedProperties: false,
    },
    [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [
      { a: 2, b: 2 },
      { a: 1, c: 1 },
    ],
  ],
  [
    'unevaluatedItems after what never holds',
    { dependentSchemas: { a: { not: {}, if: { unevaluatedItems: false } } } },
    [{}, []],
    [{ a: 1 }],
  ],
  ['unevaluatedItems', { prefixItems: [{ type: 'string' }], unevaluatedItems: false }, [['a']], [['a', 'b']]],
  [
    '$defs',
    {
      $defs: { n: { type: 'integer' } },
      type: 'array',
      items: { $ref: '#/components/schemas/Schema/$defs/n' },
    },
    [[1]],
    [['a']],
  ],
];

/** What stands beside `Schema` in the documents of the rows. */
export const beside = {
  '3.0.3': { Word: { type: 'string' } },
  '3.1.0': {
    Word: { type: 'string' },
    Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  },
} as const;
