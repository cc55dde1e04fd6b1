/** Tests that an invalid document is refused, with one line per fault that names the place, and no stack. */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { ContractError, generate } from 'concordat';
import { expect } from 'chai';
import { loadContract } from '../../src/codegen/contract/load/load.js';
import { removeDirectory } from './generated-contract.js';
import {
  bodyOf,
  documentOf,
  generated,
  operationOf,
  parameterOf,
  problemsOf,
  stopOf,
  textOf,
} from './written-contract.js';

const OPERATION = '#/paths/~1a/post';
const servers = [{ url: '/v9' }];
const bytes = { content: { 'application/octet-stream': {} } };
const jsonBody = { content: { 'application/json': {} } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const responses = { 204: { description: 'Nothing' } };
const lenient = (schema: object, others: object = {}) =>
  parameterOf({ schema, 'x-lenient': { fallback: 1 }, ...others });
const LENIENT = `${OPERATION}/parameters/0/x-lenient`;

describe('an invalid contract', () => {
  const unreadable: readonly (readonly [what: string, text: string, problem: object, message: RegExp])[] = [
    [
      'YAML that does not parse',
      'openapi: [\n  oops: {',
      { fault: 'invalid-syntax', line: 2, column: 10 },
      /flow (?:sequence|collection|mapping)/,
    ],
    [
      'JSON that ends early',
      '{ "openapi": "3.1.0", ',
      { fault: 'invalid-syntax', line: 1 },
      /unexpected end/,
    ],
    [
      'JSON that has a name twice',
      '{ "openapi": "3.1.0", "paths": {\n"/a \\":": {},\n "/a \\":": {} } }',
      { fault: 'invalid-syntax', line: 3 },
      /duplicated mapping key/,
    ],
    [
      'a text',
      'just a text',
      { fault: 'invalid-structure', pointer: '#' },
      /must be an object that has `openapi`/,
    ],
    ['an empty file', '', { fault: 'invalid-structure' }, /must be an object that has `openapi`/],
    ['a list', '- openapi: 3.1.0', { fault: 'invalid-structure' }, /must be an object that has `openapi`/],
    ['a version that is a number', 'openapi: 3.1\npaths: {}', { fault: 'unsupported-version' }, /version/],
    [
      'a reference to itself',
      '{"openapi":"3.0.0","info":{"title":"x","version":"1"},"paths":{"/a":{"get":{"parameters":[{"$ref":"#/components/parameters/A"}],"responses":{}}}},"components":{"parameters":{"A":{"$ref":"#/components/parameters/A"}}}}',
      { fault: 'unresolved-reference', pointer: '#/components/parameters/A' },
      /leads back to itself/,
    ],
  ];
  for (const [what, text, problem, message] of unreadable) {
    it(`is ${what}`, async () => {
      const problems = await problemsOf(text);
      expect(problems).to.have.lengthOf(1);
      expect(problems[0]).to.deep.include(problem);
      expect(problems[0]?.file).to.match(/openapi\.json$/);
      expect(problems[0]?.message).to.match(message).and.not.match(/\n/);
    });
  }

  it('is a file that does not exist', async () => {
    const failure = await loadContract('/nowhere/openapi.yaml').catch(String);
    expect(failure).to.equal('ContractError: /nowhere/openapi.yaml missing-file: the file does not exist');
  });

  const versions: readonly (readonly [text: string, message: string])[] = [
    ['swagger: "2.0"', 'OpenAPI 2.0 is not supported; 3.0, 3.1 and 3.2 are read'],
    ['openapi: 3.3.0\ninfo: {title: x, version: "1"}\npaths: {}', '3.3.0'],
    ['asyncapi: 3.0.0', 'this is not an OpenAPI document'],
  ];
  for (const [text, message] of versions) {
    it(`is not of a version that is read: ${text.split('\n')[0] ?? ''}`, async () => {
      const problems = await problemsOf(text);
      expect(problems).to.have.lengthOf(1);
      expect(problems[0]?.fault).to.equal('unsupported-version');
      expect(problems[0]?.message).to.include(message);
    });
  }

  const faults: readonly (readonly [what: string, document: object, place: string, message: string])[] = [
    [
      'lacks a field',
      operationOf({ requestBody: {} }),
      `${OPERATION}/requestBody`,
      'The field `content` must be present',
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
      'has two spellings of one path',
      documentOf({ paths: { '/é': { get: { responses } }, '/%C3%A9': { get: { responses } } } }),
      '#/paths/~1%25C3%25A9/get',
      'is also the path of',
    ],
    [
      'has a path that does not decode',
      documentOf({ paths: { '/100%': { get: { responses } } } }),
      '#/paths/~1100%',
      'percent-encoding',
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
      const problems = await problemsOf(document);
      const problem = problems.find(
        ({ pointer = '', message: said }) => pointer.startsWith(place) && said.includes(message),
      );
      expect(problem, JSON.stringify(problems)).to.have.property('fault');
      expect(problem?.line, 'line').to.be.above(0);
    });
  }

  it('is told of with the file as it is found from here, line, column, kind and pointer', async () => {
    const stop = await stopOf('openapi: 3.1.0\ninfo:\n  title: x\npaths:\n  a: {}\n');
    expect(stop?.message).to.match(
      /^\S+openapi\.json:5:3 invalid-structure at #\/paths\/a: Property `a` is not expected here[^\n]+$/,
    );
    expect(isAbsolute(stop?.message ?? '')).to.equal(false);
  });

  const extensions: readonly (readonly [what: string, operation: object, name: string, message: string])[] = [
    ['streams no known way', { 'x-stream': 'yes', requestBody: bytes }, 'x-stream', 'true or false'],
    ['streams a body that it does not have', { 'x-stream': true }, 'x-stream', 'has no body'],
    ['streams JSON', { 'x-stream': true, requestBody: jsonBody }, 'x-stream', 'only bytes and multipart'],
    ['limits a body by a text', { 'x-body-limit': '10 MiB', requestBody: bytes }, 'x-body-limit', 'bytes'],
    [
      'limits a body to less than nothing',
      { 'x-body-limit': -1, requestBody: bytes },
      'x-body-limit',
      'bytes',
    ],
    ['limits a body that it does not have', { 'x-body-limit': 1 }, 'x-body-limit', 'has no body'],
  ];
  const deprecations: readonly (readonly [given: unknown, message: string])[] = [
    [true, 'it must be an object with date, sunset or successor'],
    [{ date: '2026-02-30' }, 'date must be a day, such as 2027-12-31'],
    [{ sunset: 'soon' }, 'sunset must be a day'],
    [{ date: '2026-01-31', sunset: '2025-12-31' }, 'its sunset is before its date'],
    [{ sunsett: '2025-12-31' }, 'but no sunsett'],
    [{ successor: '/v2/users/{id}' }, 'successor must be the address of one resource, such as /v2/users'],
  ];
  for (const [what, operation, name, message] of extensions) {
    it(what, async () => {
      const problems = await problemsOf(operationOf(operation));
      expect(problems).to.have.lengthOf(1);
      expect(problems[0]).to.deep.include({ fault: 'invalid-extension', pointer: `${OPERATION}/${name}` });
      expect(problems[0]?.message).to.include(message);
    });
  }

  for (const [given, message] of deprecations) {
    it(`announces ${JSON.stringify(given)}`, async () => {
      const extension = { 'x-deprecation': given };
      const problems = [
        ...(await problemsOf(operationOf(extension))),
        ...(await problemsOf(operationOf({}, extension))),
      ];
      const pointers = [`${OPERATION}/x-deprecation`, '#/x-deprecation'];
      expect(problems.map(({ pointer }) => pointer)).to.deep.equal(pointers);
      for (const problem of problems) expect(problem.message).to.include(message);
    });
  }

  it('announces a day without another', async () => {
    for (const given of [{ sunset: '2027-12-31' }, { date: '2026-01-31' }])
      expect(await problemsOf(operationOf({ 'x-deprecation': given }))).to.deep.equal([]);
  });

  it('names all its faults and unsupported features at once, each at its line', async () => {
    const document = operationOf({
      servers,
      parameters: [
        id,
        { name: 'p', in: 'query', schema: {}, 'x-lenient': 1 },
        { name: 'q', in: 'query', schema: { type: 'string', minLenght: 1 } },
      ],
      security: [{ none: [] }],
    });
    const problems = await problemsOf(document, ['mutual-tls']);
    expect(problems.map(({ fault, feature, pointer }) => [fault ?? feature, pointer])).to.deep.equal([
      ['invalid-structure', `${OPERATION}/parameters/0`],
      ['invalid-leniency', LENIENT.replace('/0/', '/1/')],
      ['servers', `${OPERATION}/servers`],
      ['undeclared-security', `${OPERATION}/security`],
      ['unknown-keyword', `${OPERATION}/parameters/2/schema/minLenght`],
    ]);
    const lines = textOf(document).split('\n');
    expect(problems.map(({ line = 0 }) => lines[line - 1]?.trim())).to.deep.equal([
      '{',
      '"x-lenient": 1',
      '"servers": [',
      '"security": [',
      '"minLenght": 1',
    ]);
  });

  it('does not hide what is wrong with the GraphQL schema', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-both-'));
    try {
      const [openapi, schema] = [join(directory, 'openapi.json'), join(directory, 'schema.graphql')];
      await writeFile(openapi, textOf(operationOf({ servers, security: [{ none: [] }] })));
      await writeFile(schema, 'type Query {\n  a: Nope\n  b: Neither\n}\n');
      const error: unknown = await generate({ openapi, schema }).catch((reason: unknown) => reason);
      if (!(error instanceof ContractError)) throw error;
      expect(error.problems.map(({ fault, feature, line }) => [fault ?? feature, line])).to.deep.equal([
        ['servers', 16],
        ['undeclared-security', 21],
        ['invalid-schema', 2],
        ['invalid-schema', 3],
      ]);
    } finally {
      await removeDirectory(directory);
    }
  });

  it('names the place in the file that a part was read from', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-files-'));
    try {
      await writeFile(
        join(directory, 'parts.yaml'),
        'A:\n  type: object\n  properties:\n    p: { minLenght: 1 }\n',
      );
      await writeFile(
        join(directory, 'path.yaml'),
        'get:\n  servers: [{ url: /v9 }]\n  responses: { 204: { description: x } }\n',
      );
      const media = { schema: { $ref: 'parts.yaml#/A' } };
      const file = join(directory, 'openapi.json');
      const { paths } = bodyOf('application/json', media) as { readonly paths: object };
      await writeFile(file, textOf(documentOf({ paths: { ...paths, '/b': { $ref: 'path.yaml' } } })));
      const error: unknown = await generate({ openapi: file }).catch((reason: unknown) => reason);
      if (!(error instanceof ContractError)) throw error;
      expect(
        error.problems.map(({ file, line, column, pointer }) => [basename(file), line, column, pointer]),
      ).to.deep.equal([
        ['path.yaml', 2, 3, '#/paths/~1b/get/servers'],
        ['parts.yaml', 4, 10, '#/components/schemas/A/properties/p/minLenght'],
      ]);
    } finally {
      await removeDirectory(directory);
    }
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
    expect(await problemsOf(document('3.1.0'))).to.deep.equal([]);
    expect((await stopOf(document('3.0.0')))?.message).to.include('got `boolean`');
  });

  it('may merge statuses of YAML and replace one of them', async () => {
    const merging = (key: string): string => `openapi: 3.1.0
info: { title: A, version: '1' }
paths:
  /a:
    get:
      operationId: a
      responses: &shared
        404: { description: One }
        '409': { description: Two }
  /b:
    get:
      operationId: b
      responses:
        <<: *shared
        ${key}: { description: Other }
  /c:
    get: { operationId: c, responses: { <<: *shared, ${key}: { description: Other } } }`;
    for (const key of ['404', '409', '"404"']) {
      const routing = (await generated(merging(key)))['openapi.ts'];
      expect(routing?.match(/Other/g), key).to.have.length(2);
    }
    expect(await problemsOf(merging('404: { description: First }\n        404'))).to.have.length(1);
    // The places of other faults are looked up in the same text.
    const circular = `${merging('404')}\ncomponents: { schemas: { A: { $ref: '#/components/schemas/A' } } }`;
    const [problem] = await problemsOf(circular);
    expect(problem).to.include({ fault: 'unresolved-reference', line: 18 });
  });

  it('is read from YAML that is as deep as JSON may be', async () => {
    const schemaText = (depth: number): string =>
      `${'{ type: array, items: '.repeat(depth)}{ type: string }${' }'.repeat(depth)}`;
    const deep = (depth: number): string =>
      `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: {}\ncomponents: { schemas: { A: ${schemaText(depth)} } }`;
    await generated(deep(150));
    const [problem] = await problemsOf(deep(450));
    expect(problem?.message).to.include('nested over 400 levels deep');
  });

  it('is read with the files beside it, YAML or JSON', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-files-'));
    try {
      const parts = 'Id: { type: integer }\n';
      await writeFile(join(directory, 'parts.yml'), parts);
      const document = bodyOf('application/json', { schema: { $ref: 'parts.yml#/Id' } });
      await writeFile(join(directory, 'openapi.json'), JSON.stringify(document));
      const { document: read, files } = await loadContract(join(directory, 'openapi.json'));
      expect(read.components?.schemas).to.deep.equal({ Id: { type: 'integer' } });
      expect(files).to.have.members([join(directory, 'openapi.json'), join(directory, 'parts.yml')]);
    } finally {
      await removeDirectory(directory);
    }
  });

  it('names what a component refers to in another file by the component, as a discriminator does', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-files-'));
    const write = (name: string, part: object): Promise<void> =>
      writeFile(join(directory, name), JSON.stringify(part));
    try {
      const object = (name: string): object => ({
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' }, [name]: { $ref: 'dog.json' } },
      });
      await write('cat.json', object('cat'));
      await write('dog.json', object('dog'));
      await write('one.json', { $ref: 'dog.json' });
      await write('pets.json', {
        oneOf: [{ $ref: 'cat.json' }, { $ref: 'openapi.json#/components/schemas/A%20Dog' }],
        discriminator: { propertyName: 'kind', mapping: { c: 'cat.json' } },
      });
      const schemas = {
        Cat: { $ref: 'cat.json' },
        'A Dog': { $ref: 'one.json' },
        Other: { $ref: 'dog.json' },
        Alias: { $ref: '#/components/schemas/Cat' },
      };
      const body = bodyOf('application/json', { schema: { $ref: 'pets.json' } }, { components: { schemas } });
      await write('openapi.json', body);
      const { document, position } = await loadContract(join(directory, 'openapi.json'));
      const loaded = document.components?.schemas as Readonly<Record<string, object>>;
      expect(Object.keys(loaded)).to.have.members([...Object.keys(schemas), 'pets']);
      expect(loaded).to.deep.include({
        'A Dog': {
          ...object('dog'),
          properties: { kind: { type: 'string' }, dog: { $ref: '#/components/schemas/A Dog' } },
        },
        Other: { $ref: '#/components/schemas/A Dog' },
        Alias: { $ref: '#/components/schemas/Cat' },
        pets: {
          oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/A Dog' }],
          discriminator: { propertyName: 'kind', mapping: { c: '#/components/schemas/Cat' } },
        },
      });
      expect(position('#/components/schemas/Cat/properties/cat').file).to.include('cat.json');
    } finally {
      await removeDirectory(directory);
    }
  });
});
