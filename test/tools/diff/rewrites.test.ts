/** `concordat diff` does not take another way to write the same contract for a breaking change, in either direction. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Change, SIDES } from '../../../src/tools/diff/change/change.js';
import { diffOpenapi } from '../../../src/tools/diff/openapi/diff-openapi.js';

type Row = readonly [title: string, one: object | boolean, other: object | boolean];

const text = { type: 'string' };
const integer = { type: 'integer' };
const open = { type: 'object', properties: { a: text, b: integer } };
const closed = { ...open, additionalProperties: false };
const list = { type: 'array', items: text };
const person = { $ref: '#/components/schemas/Person' };
const inlined = { type: 'object', properties: { name: text }, required: ['name'] };

/** Schemas that accept the same values. */
const schemas: readonly Row[] = [
  ['an empty pattern', text, { ...text, pattern: '' }],
  ['a pattern of anything', text, { ...text, pattern: '.*' }],
  ['a pattern of any character', text, { ...text, pattern: '^[\\s\\S]*$' }],
  ['a pattern that may find nothing', text, { ...text, pattern: '^a*' }],
  ['a pattern twice', { ...text, pattern: '^a' }, { allOf: [{ ...text, pattern: '^a' }, { pattern: '^a' }] }],
  [
    'two patterns in another order',
    { allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    { allOf: [{ pattern: 'b' }, { pattern: 'a' }] },
  ],
  ['another spelling of a class', { ...text, pattern: '^\\d{2}$' }, { ...text, pattern: '^[0-9]{2}$' }],
  [
    'a pattern that a format implies',
    { ...text, format: 'date' },
    { ...text, format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
  ],
  [
    'a length that a format implies',
    { ...text, format: 'uuid' },
    { ...text, format: 'uuid', maxLength: 36, minLength: 36 },
  ],
  [
    'a length that a pattern implies',
    { ...text, pattern: '^[a-f]{4}$' },
    { ...text, pattern: '^[a-f]{4}$', maxLength: 4 },
  ],
  [
    'a list of what a pattern names',
    { ...text, pattern: '^(asc|desc)$' },
    { ...text, enum: ['asc', 'desc'] },
  ],
  ['an enum of one value as const', { ...text, enum: ['a'] }, { ...text, const: 'a' }],
  ['an enum in another order', { ...text, enum: ['a', 'b'] }, { ...text, enum: ['b', 'a'] }],
  ['a type beside an enum', { enum: ['a', 'b'] }, { ...text, enum: ['a', 'b'] }],
  [
    'an enum as anyOf of const',
    { ...text, enum: ['a', 'b'] },
    { ...text, anyOf: [{ const: 'a' }, { const: 'b', title: 'B' }] },
  ],
  ['an enum as oneOf of const', { ...text, enum: ['a', 'b'] }, { oneOf: [{ const: 'a' }, { const: 'b' }] }],
  ['an enum of both booleans', { type: 'boolean' }, { enum: [true, false] }],
  ['an enum of a range', { ...integer, minimum: 1, maximum: 3 }, { enum: [1, 2, 3] }],
  [
    'a keyword that an enum implies',
    { ...text, enum: ['a', 'b'] },
    { ...text, enum: ['a', 'b'], maxLength: 1, pattern: '^[ab]$', not: { const: 'c' } },
  ],
  [
    'a keyword of another type',
    text,
    { ...text, minimum: 3, minItems: 2, required: ['a'], uniqueItems: true, not: { type: 'object' } },
  ],
  ['allOf of one', text, { allOf: [text] }],
  [
    'allOf, merged',
    { allOf: [inlined, { properties: { age: integer } }] },
    { ...inlined, properties: { name: text, age: integer } },
  ],
  [
    'allOf, merged, with the stricter bound',
    { allOf: [{ ...text, minLength: 1 }, { minLength: 3 }] },
    { ...text, minLength: 3 },
  ],
  [
    'allOf in another order',
    { allOf: [inlined, { required: ['age'] }] },
    { allOf: [{ required: ['age'] }, inlined] },
  ],
  ['anyOf of one', text, { anyOf: [text] }],
  ['oneOf of one', open, { oneOf: [open] }],
  ['anyOf within anyOf', { anyOf: [text, { anyOf: [integer] }] }, { anyOf: [text, integer] }],
  ['anyOf in another order', { anyOf: [inlined, list] }, { anyOf: [list, inlined] }],
  ['types as anyOf', { type: ['string', 'integer'] }, { anyOf: [text, integer] }],
  ['types in another order', { type: ['string', 'null'] }, { type: ['null', 'string'] }],
  ['a list of one type', text, { type: ['string'] }],
  ['null as an alternative', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }],
  ['a whole number beside a number', { type: ['number', 'integer'] }, { type: 'number' }],
  ['minLength: 0', text, { ...text, minLength: 0 }],
  ['minItems: 0 and uniqueItems: false', list, { ...list, minItems: 0, uniqueItems: false }],
  ['minProperties: 0', open, { ...open, minProperties: 0 }],
  ['minProperties that required implies', inlined, { ...inlined, minProperties: 1 }],
  ['maxProperties that the properties imply', closed, { ...closed, maxProperties: 2 }],
  [
    'uniqueItems in a list of at most one',
    { ...list, maxItems: 1 },
    { ...list, maxItems: 1, uniqueItems: true },
  ],
  ['required: []', open, { ...open, required: [] }],
  ['required in another order', { ...open, required: ['a', 'b'] }, { ...open, required: ['b', 'a'] }],
  ['properties in another order', open, { type: 'object', properties: { b: integer, a: text } }],
  ['additionalProperties: true', open, { ...open, additionalProperties: true }],
  ['additionalProperties: {}', open, { ...open, additionalProperties: {} }],
  ['unevaluatedProperties: true', open, { ...open, unevaluatedProperties: true }],
  ['unevaluatedProperties: false', closed, { ...open, unevaluatedProperties: false }],
  ['items: true', { type: 'array' }, { type: 'array', items: true }],
  ['a property of anything', open, { ...open, properties: { ...open.properties, c: {} } }],
  ['a component, inlined', person, inlined],
  ['a component within allOf', person, { allOf: [person] }],
  ['another component', person, { $ref: '#/components/schemas/Human' }],
  [
    'a bound that excludes',
    { ...integer, minimum: 1, maximum: 9 },
    { ...integer, exclusiveMinimum: 0, exclusiveMaximum: 10 },
  ],
  ['a weaker bound beside one', { ...integer, minimum: 1 }, { ...integer, minimum: 1, exclusiveMinimum: -5 }],
  ['a multiple of 1', integer, { ...integer, multipleOf: 1 }],
  [
    'a multiple of a multiple',
    { ...integer, multipleOf: 6 },
    { allOf: [{ ...integer, multipleOf: 6 }, { multipleOf: 3 }] },
  ],
  [
    'a bound between multiples',
    { ...integer, multipleOf: 5, maximum: 10 },
    { ...integer, multipleOf: 5, maximum: 12 },
  ],
  ['not of false', text, { ...text, not: false }],
  ['not of not of anything', text, { ...text, not: { not: {} } }],
  [
    'not of a component, inlined',
    { ...open, not: person },
    { ...open, not: { ...inlined, description: 'A person' } },
  ],
  ['if without then', text, { ...text, if: { minLength: 3 } }],
  ['then without if', text, { ...text, then: { minLength: 3 } }],
  ['then of anything', text, { ...text, if: { minLength: 3 }, then: true, else: {} }],
  ['dependentRequired of what is required', inlined, { ...inlined, dependentRequired: { age: ['name'] } }],
  ['dependentRequired of nothing', open, { ...open, dependentRequired: { a: [] } }],
  ['propertyNames of anything', open, { ...open, propertyNames: true }],
  ['propertyNames of a closed object', closed, { ...closed, propertyNames: { maxLength: 1 } }],
  ['contains with minContains: 0', list, { ...list, contains: { const: 'a' }, minContains: 0 }],
  [
    'minContains: 1',
    { ...list, contains: { const: 'a' } },
    { ...list, contains: { const: 'a' }, minContains: 1 },
  ],
  ['maxContains without contains', list, { ...list, maxContains: 1 }],
  [
    'a wider format that a format implies',
    { ...text, format: 'uri' },
    { allOf: [{ ...text, format: 'uri' }, { format: 'uri-reference' }] },
  ],
  [
    'titles, descriptions and comments',
    open,
    { ...open, title: 'A', description: 'B', $comment: 'C', examples: [{}], 'x-a': 1 },
  ],
  [
    'deprecated: false and readOnly: false',
    open,
    { ...open, deprecated: false, readOnly: false, writeOnly: false },
  ],
  ['a schema of anything', {}, true],
];

/** The same in OpenAPI 3.0. */
const schemas30: readonly Row[] = [
  ['nullable: false', text, { ...text, nullable: false }],
  ['nullable in allOf', { ...integer, nullable: true }, { allOf: [{ ...integer, nullable: true }] }],
  [
    'exclusiveMinimum: false',
    { ...integer, minimum: 1 },
    { ...integer, minimum: 1, exclusiveMinimum: false },
  ],
  ['exclusiveMinimum: true', { ...integer, minimum: 1 }, { ...integer, minimum: 0, exclusiveMinimum: true }],
];

/** Operations that take and give the same. */
const operations: readonly Row[] = [
  [
    'the default style of a query',
    parameter({ in: 'query' }),
    parameter({ in: 'query', style: 'form', explode: true }),
  ],
  [
    'required: false',
    parameter({ in: 'query' }),
    parameter({ in: 'query', required: false, deprecated: false, allowEmptyValue: false }),
  ],
  [
    'a header in another case',
    parameter({ in: 'header', name: 'X-A' }),
    parameter({ in: 'header', name: 'x-a' }),
  ],
  [
    'a parameter as a component',
    parameter({ in: 'query' }),
    { parameters: [{ $ref: '#/components/parameters/Query' }] },
  ],
  ['security of nothing', {}, { security: [] }],
  [
    'alternatives of security in another order',
    { security: [{ key: [] }, { bearer: [] }] },
    { security: [{ bearer: [] }, { key: [] }] },
  ],
  [
    'alternatives of security with the names of members of every object',
    { security: [{ constructor: ['a'] }, { toString: ['a'] }, { constructor: ['a'], toString: ['a'] }] },
    { security: [{ toString: ['a'] }, { constructor: ['a'] }] },
  ],
  ['requestBody: required: false', bodyOf({}), bodyOf({ required: false })],
];

function parameter(more: object): object {
  return { parameters: [{ name: 'q', schema: list, ...more }] };
}

function bodyOf(more: object): object {
  return { requestBody: { content: { 'application/json': { schema: open } }, ...more } };
}

const content = (schema: unknown): object => ({ 'application/json': { schema } });

/** An operation that takes and gives a schema, by itself and in a property. */
const operationOf = (schema: object | boolean): object => ({
  requestBody: { required: true, content: content({ type: 'object', properties: { own: schema } }) },
  responses: { 200: { description: 'Done', content: content(schema) } },
});

const done = { responses: { 204: { description: 'Done' } } };

function documentOf(openapi: string, items: readonly object[]): string {
  const paths = items.map((item, index) => [`/row${String(index)}`, { post: { ...done, ...item } }] as const);
  return JSON.stringify({
    openapi,
    info: { title: 'Rewrites', version: '1.0.0' },
    paths: Object.fromEntries(paths),
    components: {
      schemas: { Person: inlined, Human: inlined },
      parameters: { Query: { name: 'q', in: 'query', schema: list } },
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'key' },
        bearer: { type: 'http', scheme: 'bearer' },
        constructor: { type: 'apiKey', in: 'header', name: 'constructor' },
        toString: { type: 'apiKey', in: 'header', name: 'toString' },
      },
    },
  });
}

const all = (openapi: string, rows: readonly Row[], of: (one: Row[1]) => object) => ({
  openapi: [openapi, openapi] as const,
  titles: rows.map(([title]) => title),
  old: rows.map(([, one]) => of(one)),
  new: rows.map(([, , other]) => of(other)),
});

const nullable: readonly Row[] = [
  ['nullable as a type', { ...text, nullable: true }, { type: ['string', 'null'] }],
  [
    'nullable with a format as anyOf',
    { ...text, format: 'date', nullable: true },
    { anyOf: [{ ...text, format: 'date' }, { type: 'null' }] },
  ],
  ['a nullable list', { ...list, nullable: true }, { ...list, type: ['array', 'null'] }],
  [
    'exclusiveMinimum',
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 0 },
  ],
  ['a schema of both versions', inlined, inlined],
];

const groups = {
  'schemas of 3.1': all('3.1.0', schemas, (schema) => operationOf(schema)),
  'schemas of 3.0': all('3.0.3', schemas30, (schema) => operationOf(schema)),
  operations: all('3.1.0', operations, (operation) => operation as object),
  'from 3.0 to 3.1': {
    ...all('3.0.3', nullable, (schema) => operationOf(schema)),
    openapi: ['3.0.3', '3.1.0'] as const,
  },
};

describe('concordat diff: other ways to write the same', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-rewrites-'));
  });
  after(() => rm(directory, { recursive: true }));

  for (const [group, { openapi, titles, old, new: next }] of Object.entries(groups)) {
    describe(group, () => {
      let changes: readonly Change[] = [];
      before(async () => {
        const files = { old: join(directory, 'old.json'), new: join(directory, 'new.json') };
        await writeFile(files.old, documentOf(openapi[0], old));
        await writeFile(files.new, documentOf(openapi[1], next));
        const now = new Date();
        const [there, back] = [
          await diffOpenapi(files.old, files.new, now),
          await diffOpenapi(files.new, files.old, now),
        ];
        changes = [...there.changes, ...back.changes];
      });

      for (const [index, title] of titles.entries()) {
        it(title, () => {
          const own = changes.filter(({ operations: names }) => names.includes(`POST /row${String(index)}`));
          const breaking = own.flatMap(({ message, ...change }) =>
            SIDES.filter((side) => change[side].severity === 'breaking').map((side) => `${side}: ${message}`),
          );
          expect(breaking).to.deep.equal([]);
        });
      }
    });
  }

  it('has 40 rows at least', () => {
    const count = Object.values(groups).reduce((sum, { titles }) => sum + titles.length, 0);
    expect(count).to.be.at.least(40);
  });
});
