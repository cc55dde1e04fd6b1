/** Which events have data that is decoded, and what their schema then is. */

import { expect } from 'chai';
import type { OpenApiDocument, Schema } from '../../../../src/codegen/contract/schemas/document.js';
import { ContractSchemas } from '../../../../src/codegen/contract/schemas/contract-schemas.js';
import { decodedEvent } from '../../../../src/codegen/contract/model/sequences.js';

const text: Schema = { type: 'string' };
const foo: Schema = { type: 'object', required: ['foo'], properties: { foo: { type: 'integer' } } };
const jsonOf = (contentSchema: Schema): Schema => ({ contentMediaType: 'application/json', contentSchema });

const document: OpenApiDocument = {
  openapi: '3.2.0',
  info: { title: 'Events', version: '1' },
  components: {
    schemas: {
      Event: {
        type: 'object',
        required: ['data'],
        properties: { data: text, event: text, id: text, retry: { type: 'integer', minimum: 0 } },
      },
      Closed: { type: 'object', properties: { data: text }, additionalProperties: false },
    },
  },
};
const EVENT = '#/components/schemas/Event';

const decoded = (event: Schema) => decodedEvent(new ContractSchemas(document).made(event, '#'));

describe('the data of an event', () => {
  it('is the value of its contentSchema', () => {
    const event = { type: 'object', properties: { data: { type: 'string', ...(jsonOf(foo) as object) } } };
    expect(decoded(event)).to.deep.equal({
      schema: { type: 'object', properties: { data: foo } },
      data: 'json',
    });
  });

  it('is decoded by alternative, as in the example of the specification', () => {
    const found = decoded({
      $ref: EVENT,
      required: ['event'],
      oneOf: [
        { properties: { event: { const: 'addString' } } },
        { properties: { event: { const: 'addInt64' }, data: { format: 'int64' } } },
        { properties: { event: { const: 'addJSON' }, data: jsonOf(foo) } },
      ],
    });
    const alternative = (event: string, data: Schema): Schema => ({
      type: 'object',
      required: ['data', 'event'],
      properties: {
        data,
        event: { type: 'string', const: event },
        id: text,
        retry: { type: 'integer', minimum: 0 },
      },
    });
    expect(found).to.deep.equal({
      schema: {
        oneOf: [
          alternative('addString', text),
          alternative('addInt64', { type: 'string', format: 'int64' }),
          alternative('addJSON', foo),
        ],
      },
      data: 'mixed',
    });
  });

  it('is JSON throughout where every alternative says so', () => {
    const data = jsonOf({ type: 'integer' });
    const found = decoded({ anyOf: [{ $ref: EVENT, properties: { data } }] });
    expect(found?.data).to.equal('json');
  });

  it('keeps what the event asks for beside an alternative', () => {
    const found = decoded({
      properties: { event: { type: 'string', maxLength: 5 } },
      oneOf: [{ properties: { event: { const: 'a' }, data: jsonOf(foo) } }],
    });
    const event = { allOf: [{ type: 'string', maxLength: 5 }, { const: 'a' }] };
    expect(found?.schema).to.deep.equal({
      oneOf: [{ properties: { event, data: foo }, required: [] }],
    });
  });

  const texts: readonly (readonly [what: string, schema: Schema])[] = [
    ['no contentSchema', { $ref: EVENT }],
    ['another content', { properties: { data: { contentMediaType: 'text/html', contentSchema: foo } } }],
    ['alternatives of text', { oneOf: [{ $ref: EVENT }] }],
    ['a contentSchema in an allOf', { allOf: [{ properties: { data: jsonOf(foo) } }] }],
    [
      'alternatives that cannot be joined with the event',
      { $ref: '#/components/schemas/Closed', oneOf: [{ properties: { data: jsonOf(foo) } }] },
    ],
    ['any event', true],
  ];
  for (const [what, schema] of texts) {
    it(`stays text with ${what}`, () => {
      expect(decoded(schema)).to.equal(undefined);
    });
  }
});
