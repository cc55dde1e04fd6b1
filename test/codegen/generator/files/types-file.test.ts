/** Tests that the types agree with the checks where openapi-typescript alone would not. */

import { expect } from 'chai';
import type { Schema } from '../../../../src/codegen/contract/schemas/document.js';
import { upgraded } from '../../../../src/codegen/contract/load/upgrade.js';
import { code } from '../../../../src/codegen/text/code.js';
import { typesFile } from '../../../../src/codegen/generator/files/types/types-file.js';

/** The type that a schema of OpenAPI 3.0 is written as. */
function typeOf(schema: Schema): string | undefined {
  const document = upgraded({
    openapi: '3.0.3',
    info: { title: 'Types', version: '1' },
    paths: {},
    components: { schemas: { A: schema, B: { type: 'object' as const } } },
  });
  return /^export type A = (.+);$/m.exec(typesFile(document, code`// A banner`).text)?.[1];
}

describe('the types of a nullable schema', () => {
  const rows: readonly (readonly [string, Schema, string])[] = [
    ['have null beside a type', { type: 'string', nullable: true }, 'string | null'],
    ['have none beside a reference', { nullable: true, allOf: [{ $ref: '#/components/schemas/B' }] }, 'B'],
    ['have none that an enum leaves out', { type: 'string', nullable: true, enum: ['a'] }, '"a"'],
    [
      'have null beside a type and other schemas',
      { type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/B' }] },
      'B | null',
    ],
    ['have the null of an enum', { type: 'string', nullable: true, enum: ['a', null] }, '"a" | null'],
  ];
  for (const [what, schema, type] of rows) {
    it(what, () => {
      const written = typeOf(schema);
      expect(written?.split(' | ').sort()).to.deep.equal(type.split(' | ').sort());
    });
  }
});

describe('the type of an object with a schema for unevaluated properties', () => {
  const rows: readonly (readonly [string, Schema, string])[] = [
    [
      'is that of a dictionary',
      { type: 'object', unevaluatedProperties: { type: 'integer' } },
      '{ [key: string]: number; }',
    ],
    [
      'has its own properties, whose types others need not have',
      { type: 'object', properties: { a: { type: 'string' } }, unevaluatedProperties: { type: 'integer' } },
      '{ a?: string; } & { [key: string]: unknown; }',
    ],
    [
      'has the properties of its parts',
      {
        type: 'object',
        allOf: [{ properties: { a: { type: 'string' } } }],
        unevaluatedProperties: { type: 'integer' },
      },
      '{ [key: string]: unknown; } & { a?: string; }',
    ],
    [
      'has no others where they are refused',
      { type: 'object', properties: { a: { type: 'number' } }, unevaluatedProperties: false },
      '{ a?: number; }',
    ],
    [
      'has what additionalProperties evaluates',
      {
        type: 'object',
        additionalProperties: { type: 'boolean' },
        unevaluatedProperties: { type: 'integer' },
      },
      '{ [key: string]: boolean; }',
    ],
    [
      'takes no property for the keyword',
      {
        type: 'object',
        properties: { type: { type: 'string' }, unevaluatedProperties: { type: 'boolean' } },
      },
      '{ type?: string; unevaluatedProperties?: boolean; }',
    ],
  ];
  for (const [what, schema, type] of rows) {
    it(what, () => {
      const document = {
        openapi: '3.1.0',
        info: { title: 'Types', version: '1' },
        paths: {},
        components: { schemas: { A: schema } },
      };
      const written = typesFile(document, code`// A banner`).text;
      expect(written.replaceAll(/\s+/g, ' ')).to.contain(`export type A = ${type};`);
    });
  }
});

describe('the type of a parameter that is written as JSON', () => {
  const sort: Schema = { type: 'object', required: ['by'], properties: { by: { type: 'string' } } };
  const rows: readonly (readonly [string, Schema, string])[] = [
    ['is its value, not its text', sort, '{ by: string; }'],
    ['is the component that it names', { $ref: '#/components/schemas/B' }, 'B'],
  ];
  for (const [what, schema, type] of rows) {
    it(what, () => {
      const document = {
        openapi: '3.1.0',
        info: { title: 'Types', version: '1' },
        paths: {
          '/a': {
            get: {
              parameters: [
                { name: 'sort', in: 'query' as const, content: { 'application/json': { schema } } },
              ],
              responses: { 204: { description: 'Nothing' } },
            },
          },
        },
        components: { schemas: { B: { type: 'object' as const } } },
      };
      const written = typesFile(document, code`// A banner`, { clientTypes: true }).text;
      expect(written.replaceAll(/\s+/g, ' ')).to.contain(`sort?: ${type};`);
    });
  }
});

describe('the types of a discriminator', () => {
  const kind = (schema: Schema): Schema => ({
    type: 'object' as const,
    required: ['kind'],
    properties: { kind: schema },
  });
  const pets = (discriminator: object): Readonly<Record<string, Schema>> => ({
    Cat: kind({ const: 'cat' }),
    Dog: kind({ type: 'string' }),
    Pet: {
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      discriminator,
    },
  });
  const rows: readonly (readonly [what: string, discriminator: object, cat: string, dog: string])[] = [
    ['have the tags that the checks have', { propertyName: 'kind' }, '"cat"', '"Dog"'],
    ['have the tags of bare names', { propertyName: 'kind', mapping: { d: 'Dog' } }, '"cat"', '"d"'],
    [
      'leave the tag open beside a default',
      { propertyName: 'kind', defaultMapping: 'Dog' },
      '"cat"',
      'string',
    ],
  ];
  for (const [what, discriminator, cat, dog] of rows) {
    it(what, () => {
      const document = {
        openapi: '3.2.0',
        info: { title: 'Types', version: '1' },
        paths: {},
        components: { schemas: pets(discriminator) },
      };
      const text = typesFile(document, code`// A banner`).text;
      const tagOf = (name: string) => new RegExp(`type ${name} = [^]*?\\bkind: ([^;]+);`).exec(text)?.[1];
      expect([tagOf('Cat'), tagOf('Dog')]).to.deep.equal([cat, dog]);
    });
  }
});

describe('the type of a schema that adds to a union with a discriminator', () => {
  it('has the tags of the union, and none of its own', () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const alternative = {
      type: 'object' as const,
      required: ['type'],
      properties: { type: { type: 'string' as const } },
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Types', version: '1' },
      paths: {},
      components: {
        schemas: {
          One: alternative,
          Two: alternative,
          Union: { oneOf: [ref('One'), ref('Two')], discriminator: { propertyName: 'type' } },
          More: {
            allOf: [ref('Union'), { type: 'object', properties: { more: { type: 'string' } } }],
          },
        },
      },
    };
    const { text } = typesFile(document, code`// A banner`);
    expect(/^export type More = ([^]*?);\n\}/m.exec(text)?.[1]?.replaceAll(/\s+/g, ' ')).to.equal(
      'Union & { more?: string',
    );
  });
});
