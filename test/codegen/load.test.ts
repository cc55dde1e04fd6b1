/** A document that is no contract is refused, with one line a fault that names the place and no stack. */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { expect } from 'chai';
import { loadContract } from '../../src/codegen/load.js';
import { removeDirectory } from './generated-contract.js';
import { bodyOf, documentOf, generated, operationOf, parameterOf, stopOf } from './written-contract.js';

const OPERATION = '#/paths/~1a/post';
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const responses = { 204: { description: 'Nothing' } };
const lenient = (schema: object, others: object = {}) =>
  parameterOf({ schema, 'x-lenient': { fallback: 1 }, ...others });
const LENIENT = `${OPERATION}/parameters/0/x-lenient`;

describe('an invalid contract', () => {
  const unreadable: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    ['YAML that does not parse', 'openapi: [\n  oops: {', /flow (?:sequence|collection|mapping)/],
    ['JSON that ends early', '{ "openapi": "3.1.0", ', /unexpected end/],
    ['a text', 'just a text', /must be an object that has `openapi`/],
    ['an empty file', '', /must be an object that has `openapi`/],
    ['a list', '- openapi: 3.1.0', /must be an object that has `openapi`/],
    ['a version that is a number', 'openapi: 3.1\npaths: {}', /version/],
    [
      'a reference to itself',
      '{"openapi":"3.0.0","info":{"title":"x","version":"1"},"paths":{"/a":{"get":{"parameters":[{"$ref":"#/components/parameters/A"}],"responses":{}}}},"components":{"parameters":{"A":{"$ref":"#/components/parameters/A"}}}}',
      /circular/,
    ],
  ];
  for (const [what, text, message] of unreadable) {
    it(`is ${what}`, async () => {
      const stop = (await stopOf(text)) ?? '';
      expect(stop).to.match(/^\S+openapi\.json is not a valid contract:\n {2}[^\n]+$/);
      expect(stop)
        .to.match(message)
        .and.not.match(/\n\s+at /);
    });
  }

  it('is a file that is not there', async () => {
    const failure = await loadContract('/nowhere/openapi.yaml').catch(String);
    expect(failure).to.equal('Error: /nowhere/openapi.yaml is not there');
  });

  const versions: readonly (readonly [text: string, message: string])[] = [
    ['swagger: "2.0"', 'OpenAPI 2.0 is not supported; 3.0 and 3.1 are read'],
    ['openapi: 3.2.0\ninfo: {title: x, version: "1"}\npaths: {}', 'OpenAPI 3.2.0 is not supported'],
    ['asyncapi: 3.0.0', 'this is no OpenAPI document'],
  ];
  for (const [text, message] of versions) {
    it(`is not of a version that is read: ${text.split('\n')[0] ?? ''}`, async () => {
      expect(await stopOf(text))
        .to.include(message)
        .and.not.include('\n');
    });
  }

  const faults: readonly (readonly [what: string, document: object, place: string, message: string])[] = [
    ['lacks a field', documentOf({ info: { title: 'x' } }), '#/info', 'The field `version` must be present'],
    [
      'has a field too many',
      operationOf({ unknown: 1 }),
      `${OPERATION}/unknown`,
      '`unknown` is not expected',
    ],
    [
      'has a path without slash',
      documentOf({ paths: { a: { get: { responses } } } }),
      '#/paths/a',
      'not expected',
    ],
    [
      'refers to nothing',
      operationOf({ responses: { 200: { $ref: '#/components/responses/Nothing' } } }),
      `${OPERATION}/responses/200`,
      "Can't resolve $ref #/components/responses/Nothing",
    ],
    [
      'refers to a file that is not there',
      bodyOf('application/json', { schema: { $ref: 'nothing.yaml' } }),
      `${OPERATION}/requestBody/content/application~1json/schema`,
      "Can't resolve $ref nothing.yaml: ENOENT",
    ],
    [
      'uses an operationId twice',
      documentOf({
        paths: { '/a': { get: { operationId: 'a', responses }, put: { operationId: 'a', responses } } },
      }),
      '#/paths/~1a/put/operationId',
      'unique `operationId`; a is not',
    ],
    [
      'uses an operationId twice by sharing a path item',
      documentOf({
        paths: { '/a': { $ref: '#/components/pathItems/A' }, '/b': { $ref: '#/components/pathItems/A' } },
        components: { pathItems: { A: { get: { operationId: 'a', responses } } } },
      }),
      '#/components/pathItems/A/get',
      'operationId',
    ],
    [
      'has two paths that match the same',
      documentOf({
        paths: {
          '/a/{id}': { get: { parameters: [id], responses } },
          '/a/{key}': { get: { parameters: [{ ...id, name: 'key' }], responses } },
        },
      }),
      '#/paths/~1a~1{key}',
      'already exists',
    ],
    [
      'has two spellings of one path',
      documentOf({ paths: { '/é': { get: { responses } }, '/%C3%A9': { get: { responses } } } }),
      '#/paths/~1%C3%A9/get',
      'is also the path of',
    ],
    [
      'has a path that does not decode',
      documentOf({ paths: { '/100%': { get: { responses } } } }),
      '#/paths/~1100%',
      'percent-encoding',
    ],
    [
      'has a path parameter that nothing describes',
      documentOf({ paths: { '/a/{id}': { get: { responses } } } }),
      '#/paths/~1a~1{id}/get',
      'the path has {id}, which no parameter describes',
    ],
    [
      'describes a path parameter that is not there',
      parameterOf(id),
      `${OPERATION}/parameters/0`,
      'the path has no {id}',
    ],
    [
      'has a parameter twice',
      operationOf({
        parameters: [
          { name: 'p', in: 'query', schema: {} },
          { name: 'p', in: 'query', schema: {} },
        ],
      }),
      `${OPERATION}/parameters/1`,
      'unique',
    ],
    ['has a parameter without a schema', parameterOf({}), `${OPERATION}/parameters/0`, 'schema'],
    [
      'has a parameter with schema and content',
      parameterOf({ schema: {}, content: { 'application/json': {} } }),
      `${OPERATION}/parameters/0`,
      'a schema, or content with one media type',
    ],
    [
      'has a parameter in two media types',
      parameterOf({ content: { 'application/json': {}, 'text/plain': {} } }),
      `${OPERATION}/parameters/0`,
      'content with one media type',
    ],
    [
      'asks for a scheme that is not there',
      operationOf({ security: [{ constructor: [] }] }),
      `${OPERATION}/security`,
      'there is no security scheme constructor',
    ],
    [
      'has a lenient parameter without a fallback',
      parameterOf({ schema: { type: 'integer' }, 'x-lenient': true }),
      LENIENT,
      'say { fallback: <number> }',
    ],
    ['has a lenient text', lenient({ type: 'string' }), LENIENT, 'only an integer or a number'],
    [
      'has a lenient list',
      lenient({ type: 'array', items: { type: 'integer' } }),
      LENIENT,
      'only an integer or a number',
    ],
    [
      'has a lenient number that may be null',
      lenient({ type: ['integer', 'null'] }),
      LENIENT,
      'only an integer or a number',
    ],
    [
      'has a lenient parameter in JSON',
      parameterOf({
        content: { 'application/json': { schema: { type: 'integer' } } },
        'x-lenient': { fallback: 1 },
      }),
      LENIENT,
      'only an integer or a number',
    ],
    [
      'has a lenient parameter that is required',
      lenient({ type: 'integer' }, { required: true }),
      LENIENT,
      'cannot be required',
    ],
    ...Object.entries({
      enum: [1, 2],
      multipleOf: 2,
      exclusiveMinimum: 0,
      exclusiveMaximum: 9,
      not: {},
      allOf: [{ minimum: 1 }],
      format: 'int32',
      const: 1,
    }).map(
      ([keyword, value]) =>
        [
          `has a lenient parameter with ${keyword}`,
          lenient({ type: 'integer', [keyword]: value }),
          LENIENT,
          `cannot honour ${keyword}`,
        ] as const,
    ),
    [
      'has a fallback below the minimum',
      lenient({ type: 'integer', minimum: 2 }),
      LENIENT,
      'the fallback must fit',
    ],
    [
      'has a fallback above the maximum',
      lenient({ type: 'integer', maximum: 0 }),
      LENIENT,
      'the fallback must fit',
    ],
    [
      'has a fallback of another type',
      parameterOf({ schema: { type: 'integer' }, 'x-lenient': { fallback: 1.5 } }),
      LENIENT,
      'the fallback must fit',
    ],
    [
      'has a maximum that is no integer',
      lenient({ type: 'integer', maximum: 9.5 }),
      LENIENT,
      'the maximum must be an integer',
    ],
    [
      'has a range beside the reference of a lenient parameter',
      operationOf(
        {
          parameters: [
            {
              name: 'p',
              in: 'query',
              schema: { $ref: '#/components/schemas/N', maximum: 5 },
              'x-lenient': { fallback: 1 },
            },
          ],
        },
        { components: { schemas: { N: { type: 'integer' } } } },
      ),
      LENIENT,
      'cannot honour maximum',
    ],
  ];
  for (const [what, document, place, message] of faults) {
    it(what, async () => {
      const lines = ((await stopOf(document)) ?? '').split('\n');
      const line = lines.find(
        (each) => each.includes(`${place}:`) || each.includes(`${place}/`) || each.includes(`${place} `),
      );
      expect(line, lines.join('\n')).to.include(message);
      expect(lines.filter((each) => /^\s+at /.test(each))).to.deep.equal([]);
    });
  }

  it('is told of with the file as it is found from here, and the line', async () => {
    const stop = (await stopOf('openapi: 3.1.0\ninfo:\n  title: x\npaths: {}\n')) ?? '';
    const [, file = ''] = stop.split('\n');
    expect(file).to.match(/^ {2}\S+openapi\.json:2:1 #\/info: The field `version` must be present/);
    expect(isAbsolute(file.trim())).to.equal(false);
  });

  it('names all its faults at once, one a line', async () => {
    const document = operationOf({
      parameters: [id, { name: 'p', in: 'query', schema: {}, 'x-lenient': 1 }],
      security: [{ none: [] }],
    });
    expect(((await stopOf(document)) ?? '').split('\n').slice(1)).to.deep.equal([
      `  ${OPERATION}/parameters/0: the path has no {id}`,
      `  ${LENIENT.replace('/0/', '/1/')}: say { fallback: <number> }`,
      `  ${OPERATION}/security: there is no security scheme none`,
    ]);
  });
});

describe('a valid contract', () => {
  it('may have a lenient parameter with what leniency honours', async () => {
    const schema = {
      type: 'integer',
      minimum: 1,
      maximum: 9,
      default: 5,
      title: 'x',
      description: 'y',
      'x-own': 1,
    };
    expect((await generated(lenient(schema)))['routing.ts']).to.include(
      'lenient: { fallback: 1, minimum: 1, maximum: 9 }',
    );
  });

  it('may have fields beside the reference of a path item, which win', async () => {
    const files = await generated(
      documentOf({
        paths: {
          '/a/{id}': {
            $ref: '#/components/pathItems/A',
            parameters: [id],
            put: { operationId: 'own', responses },
          },
        },
        components: {
          pathItems: {
            A: { get: { operationId: 'shared', responses }, put: { operationId: 'hidden', responses } },
          },
        },
      }),
    );
    expect(files['routing.ts'])
      .to.include('operations: { GET: "shared", PUT: "own" }')
      .and.not.include('hidden');
    expect(files['openapi.ts']).to.include('put: operations["own"]').and.include('get: operations["shared"]');
  });

  it('may have extensions among its paths and responses', async () => {
    const files = await generated(
      documentOf({
        paths: {
          'x-note': 'a',
          '/a': { 'x-note': 1, get: { operationId: 'a', responses: { ...responses, 'x-note': 1 } } },
        },
      }),
    );
    expect(files['operations.ts']).to.include(
      'export type AResponse =\n  | { readonly status: 204; readonly body?: never };',
    );
  });

  it('may have booleans for schemas in 3.1, not in 3.0', async () => {
    const document = (version: string) => bodyOf('application/json', { schema: true }, {}, version);
    expect(await stopOf(document('3.1.0'))).to.equal(undefined);
    expect(await stopOf(document('3.0.0'))).to.include('got `boolean`');
  });

  it('is read with the files beside it, YAML or JSON', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-files-'));
    try {
      const parts = 'Id: { type: integer }\n';
      await writeFile(join(directory, 'parts.yml'), parts);
      const document = bodyOf('application/json', { schema: { $ref: 'parts.yml#/Id' } });
      await writeFile(join(directory, 'openapi.json'), JSON.stringify(document));
      const { components } = await loadContract(join(directory, 'openapi.json'));
      expect(components?.schemas).to.deep.equal({ Id: { type: 'integer' } });
    } finally {
      await removeDirectory(directory);
    }
  });
});
