/** Tests that whatever is not supported is named with its place, and then left out. */
import { expect } from 'chai';
import type { OpenApiDocument } from '../../../../src/codegen/contract/schemas/document.js';
import type { AnySchema } from '../any-schema.js';
import { compiled, component, documentOf, imported } from './compiled.js';

type Row = readonly [
  version: '3.0.3' | '3.1.0',
  schema: AnySchema,
  unsupported: readonly string[],
  text?: string,
];

const rows: readonly Row[] = [
  [
    '3.0.3',
    { type: 'string', const: 'a' },
    ['unknown-keyword #/const'],
    '"const" is not a schema keyword of OpenAPI 3.0',
  ],
  [
    '3.1.0',
    { type: 'string', nullable: true },
    ['unknown-keyword #/nullable (notice)'],
    '"nullable" is not a schema keyword of OpenAPI 3.1',
  ],
  ['3.1.0', { properties: { 'a/b': { colour: 1 } } }, ['unknown-keyword #/properties/a~1b/colour (notice)']],
  ['3.0.3', { examples: [1] }, ['unknown-keyword #/examples (notice)']],
  ['3.1.0', { id: 'a', note: 'b' }, ['unknown-keyword #/id (notice)', 'unknown-keyword #/note (notice)']],
  ...['maxLenght', 'maxlength', 'maxLengths', 'maxLegth', 'mxaLength', 'axLength'].map((keyword): Row => [
    '3.1.0',
    { [keyword]: 3 },
    [`unknown-keyword #/${keyword}`],
    `"${keyword}" is not a schema keyword of OpenAPI 3.1; did you mean "maxLength"?`,
  ]),
  [
    '3.0.3',
    { type: ['string', 'integer'] },
    ['invalid-keyword #/type'],
    '"type" must be one of array, boolean, integer, number, object, string',
  ],
  ['3.1.0', { type: 'file' }, ['invalid-keyword #/type']],
  [
    '3.1.0',
    { minimum: '1', required: true, enum: 'a', pattern: 1 },
    [
      'invalid-keyword #/minimum',
      'invalid-keyword #/required',
      'invalid-keyword #/enum',
      'invalid-keyword #/pattern',
    ],
  ],
  [
    '3.1.0',
    { exclusiveMinimum: true },
    ['invalid-keyword #/exclusiveMinimum'],
    '"exclusiveMinimum" must be a number',
  ],
  [
    '3.1.0',
    { allOf: [], properties: [], items: 'string' },
    ['invalid-keyword #/allOf', 'invalid-keyword #/properties', 'invalid-keyword #/items'],
  ],
  ['3.1.0', { items: [{}] }, ['invalid-keyword #/items'], 'a schema must be an object or a boolean'],
  [
    '3.0.3',
    { type: 'string', format: 'colour' },
    ['unknown-format #/format'],
    'the format "colour" is not known, so nothing checks it; --value colour=Colour gives its values a type',
  ],
  [
    '3.1.0',
    { pattern: '(?i)a', patternProperties: { '[': {} } },
    ['bad-pattern #/pattern', 'bad-pattern #/patternProperties/['],
  ],
  [
    '3.1.0',
    { pattern: String.raw`\A[a-z]+\h\x{41}\Z` },
    ['bad-pattern #/pattern'],
    String.raw`"\A[a-z]+\h\x{41}\Z" is not a regular expression of ECMA-262; did you mean "^[a-z]+[ \t]\u{41}$"?`,
  ],
  ['3.1.0', { pattern: String.raw`^\\A\-\x41\u{41}$` }, []],
  ['3.1.0', { $id: 'https://a.example/b' }, []],
  ['3.1.0', { $schema: 'http://json-schema.org/draft-07/schema#' }, ['dialect #/$schema']],
  ['3.1.0', { $schema: 'https://json-schema.org/draft/2020-12/schema' }, []],
  ['3.0.3', { allOf: [{ $ref: '#/components/schemas/Schema' }] }, ['endless-reference #']],
  [
    '3.1.0',
    { anyOf: [{ $ref: '#/components/schemas/Schema' }, { type: 'string' }] },
    ['endless-reference #'],
  ],
  [
    '3.0.3',
    {
      title: 'a',
      description: 'b',
      deprecated: true,
      example: 1,
      externalDocs: {},
      xml: {},
      readOnly: true,
      'x-a': 1,
    },
    [],
  ],
  [
    '3.1.0',
    { $comment: 'a', examples: [1], contentMediaType: 'a/b', contentEncoding: 'base64', contentSchema: {} },
    [],
  ],
];

describe('an unsupported feature', () => {
  for (const [version, schema, unsupported, text] of rows) {
    it(`${unsupported.join(', ') || 'is not'} found in ${JSON.stringify(schema)}, OpenAPI ${version}`, () => {
      const found = compiled(documentOf(version, { Schema: schema }), [component('Schema')]).unsupported;
      const places = found.map(
        ({ feature, at, isNotice }) =>
          `${feature} ${at.replace('#/components/schemas/Schema', '#')}${isNotice === true ? ' (notice)' : ''}`,
      );
      expect(places).to.have.members(unsupported);
      if (text !== undefined) expect(found[0]?.message).to.equal(text);
    });
  }

  it('is found once, however often the schema is used', () => {
    const document = documentOf('3.0.3', {
      A: {
        type: 'object',
        properties: { a: { $ref: '#/components/schemas/B' }, b: { $ref: '#/components/schemas/B' } },
      },
      B: {
        type: 'object',
        properties: { c: { type: 'string', readOnly: true, format: 'colour' }, d: { format: 'shade' } },
      },
    });
    const { unsupported } = compiled(document, [
      component('A'),
      { ...component('A', 'response'), name: 'other' },
    ]);
    expect(unsupported.map(({ at }) => at)).to.deep.equal([
      '#/components/schemas/B/properties/d/format',
      '#/components/schemas/B/properties/c/format',
    ]);
  });

  it('is not looked for where nothing is compiled', () => {
    const document = documentOf('3.0.3', { A: { type: 'string' }, Unused: { format: 'colour' } });
    expect(compiled(document, [component('A')]).unsupported).to.deep.equal([]);
  });

  it('is a dialect of the document that is not 2020-12', () => {
    const document: OpenApiDocument = {
      ...documentOf('3.1.0', {}),
      jsonSchemaDialect: 'http://json-schema.org/draft-07/schema',
    };
    expect(compiled(document, []).unsupported.map(({ feature, at }) => [feature, at])).to.deep.equal([
      ['dialect', '#/jsonSchemaDialect'],
    ]);
    const base = { ...document, jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base' };
    expect(compiled(base, []).unsupported).to.deep.equal([]);
  });

  it('once accepted, leaves the rest of the schema in force', async () => {
    const document = documentOf('3.1.0', {
      A: { type: 'string', format: 'colour', pattern: '(?i)a', maxLength: 2 },
    });
    const check = (await imported(compiled(document, [component('A')]).requests.js))['checkA'];
    expect(check?.('xy')).to.equal(true);
    expect(check?.('xyz')).to.equal(false);
  });

  it('of a place in an operation is named by that place', () => {
    const document = {
      openapi: '3.1.0',
      paths: {
        '/pets/{id}': {
          get: {
            parameters: [{ name: 'id', in: 'path' as const, schema: { format: 'colour', maxLength: 9 } }],
          },
        },
      },
    };
    const pointer = '#/paths/~1pets~1%7Bid%7D/get/parameters/0/schema';
    const { unsupported } = compiled(document, [{ name: 'id', schema: { pointer }, direction: 'request' }]);
    expect(unsupported.map(({ at }) => at)).to.deep.equal([
      '#/paths/~1pets~1{id}/get/parameters/0/schema/format',
    ]);
  });
});

describe('a document that is broken', () => {
  it('is refused with the place of a reference that points nowhere', () => {
    const document = documentOf('3.0.3', { A: { type: 'array', items: { $ref: '#/components/schemas/B' } } });
    expect(() => compiled(document, [component('A')])).to.throw(
      '#/components/schemas/A/items: #/components/schemas/B: the reference has no target',
    );
  });

  it('is refused when a reference leaves it for what is not given', () => {
    const document = documentOf('3.1.0', { A: { $ref: 'other.yaml' } });
    expect(() => compiled(document, [component('A')])).to.throw(
      '#/components/schemas/A: other.yaml: not a JSON Pointer into this document',
    );
  });

  it('is refused when it is none of 3.0, 3.1 and 3.2', () => {
    expect(() => compiled({ openapi: '3.3.0' }, [])).to.throw('openapi: 3.3.0 is none of 3.0, 3.1 and 3.2');
  });
});
