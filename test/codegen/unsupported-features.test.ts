/** Whatever a contract says and the generator does not support has a name and a place, stops generation, and can be accepted. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type GenerateOptions, generate } from 'concordat';
import {
  type FeatureName,
  isNoticed,
  UNSUPPORTED_FEATURES,
} from '../../src/codegen/contract/problems/features.js';
import {
  bodyOf,
  documentOf,
  generated,
  operationOf,
  parameterOf,
  schemaOf,
  textOf,
  problemsOf,
} from './written-contract.js';

interface Example {
  readonly feature: FeatureName;
  /** Where the document has it. */
  readonly at: string;
  readonly document: object;
  /** True where the feature is noticed although it stops generation elsewhere. */
  readonly isNotice?: boolean;
  readonly options?: Pick<GenerateOptions, 'values'>;
}

const OPERATION = '#/paths/~1a/post';
const PARAMETER = `${OPERATION}/parameters/0`;
const CONTENT = `${OPERATION}/requestBody/content`;
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const FORM_AT = `${CONTENT}/application~1x-www-form-urlencoded`;
const MULTIPART_AT = `${CONTENT}/multipart~1form-data`;
const A = '#/components/schemas/A';
const server = [{ url: 'https://example.com/v9' }];
const nothing = { 204: { description: 'Nothing' } };
const object = (properties: object) => ({ type: 'object', properties });
const file = { type: 'string', format: 'binary' };
const withPath = (name: string) => ({
  parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
  responses: nothing,
});
const answering = (response: object, status = '200', others: object = {}) =>
  operationOf({ responses: { [status]: { description: 'x', ...response } } }, others);

const uploading = (schema: object) =>
  operationOf({ 'x-stream': true, requestBody: { content: { [MULTIPART]: { schema } } } });

const examples: readonly Example[] = [
  {
    feature: 'servers',
    at: `${OPERATION}/servers`,
    document: operationOf({ servers: server }),
  },
  {
    feature: 'servers',
    at: '#/paths/~1a/servers',
    document: documentOf({ paths: { '/a': { servers: server, get: { responses: nothing } } } }),
  },
  {
    feature: 'same-path',
    at: '#/paths/~1a~1{y}',
    document: documentOf({
      paths: { '/a/{x}': { get: withPath('x') }, '/a/{y}': { put: withPath('y') } },
    }),
  },
  {
    feature: 'undeclared-security',
    at: `${OPERATION}/security`,
    document: operationOf({ security: [{ constructor: [] }] }),
  },
  {
    feature: 'path-with-query',
    at: '#/paths/~1a?b=c',
    document: documentOf({ paths: { '/a?b=c': { get: { responses: nothing } } } }),
  },
  {
    feature: 'recursive-callback',
    at: '#/components/callbacks/A/{$url}',
    document: operationOf(
      { callbacks: { a: { $ref: '#/components/callbacks/A' } } },
      {
        components: {
          callbacks: {
            A: {
              '{$url}': {
                post: { responses: nothing, callbacks: { b: { $ref: '#/components/callbacks/A' } } },
              },
            },
          },
        },
      },
    ),
  },
  {
    feature: 'parameter-media-type',
    at: `${PARAMETER}/content/application~1xml`,
    document: parameterOf({ content: { 'application/xml': { schema: { type: 'string' } } } }),
  },
  {
    feature: 'undefined-style',
    at: `${PARAMETER}/style`,
    document: parameterOf({ style: 'deepObject', schema: { type: 'string' } }),
  },
  {
    feature: 'nested-parameter',
    at: PARAMETER,
    document: parameterOf({ schema: object({ inner: object({}) }) }),
  },
  {
    feature: 'allow-reserved',
    at: `${PARAMETER}/allowReserved`,
    document: parameterOf({ allowReserved: true, schema: { type: 'string' } }),
  },
  {
    feature: 'allow-reserved',
    at: '#/paths/~1a~1{id}/get/parameters/0/allowReserved',
    document: documentOf(
      {
        paths: {
          '/a/{id}': {
            get: {
              parameters: [
                { name: 'id', in: 'path', required: true, allowReserved: true, schema: { type: 'string' } },
              ],
              responses: { 204: { description: 'x' } },
            },
          },
        },
      },
      '3.2.0',
    ),
    isNotice: true,
  },
  {
    feature: 'duplicate-operation-id',
    at: '#/paths/~1b/get/operationId',
    document: documentOf({
      paths: Object.fromEntries(
        ['/a', '/b'].map((path) => [
          path,
          { get: { operationId: 'read', responses: { 204: { description: 'x' } } } },
        ]),
      ),
    }),
  },
  {
    feature: 'allow-empty-value',
    at: `${PARAMETER}/allowEmptyValue`,
    document: parameterOf({ allowEmptyValue: true, schema: { type: 'integer' } }),
  },
  {
    feature: 'undecoded-body',
    at: `${CONTENT}/application~1xml`,
    document: bodyOf('application/xml', { schema: object({}) }),
  },
  {
    feature: 'undecoded-body',
    at: `${CONTENT}/text~1csv`,
    document: bodyOf('text/csv', { schema: { type: 'array', items: {} } }),
  },
  {
    feature: 'undecoded-body',
    at: `${CONTENT}/image~1jpeg`,
    document: bodyOf('image/jpeg', { schema: { type: 'string', format: 'byte' } }),
    isNotice: true,
  },
  {
    feature: 'media-type-parameters',
    at: `${CONTENT}/application~1json; version=1`,
    document: bodyOf('application/json; version=1', {}),
  },
  {
    feature: 'same-media-type',
    at: `${OPERATION}/responses/200/content/TEXT~1PLAIN; charset=utf-8`,
    document: answering({ content: { 'text/plain': {}, 'TEXT/PLAIN; charset=utf-8': {} } }),
  },
  {
    feature: 'encoding-headers',
    at: `${MULTIPART_AT}/encoding/f/headers`,
    document: bodyOf(MULTIPART, {
      schema: object({ f: { type: 'string' } }),
      encoding: { f: { headers: { 'X-A': { schema: { type: 'string' } } } } },
    }),
  },
  {
    feature: 'unknown-field',
    at: `${FORM_AT}/encoding/g`,
    document: bodyOf(FORM, { schema: object({ f: { type: 'string' } }), encoding: { g: { style: 'form' } } }),
  },
  {
    feature: 'form-shape',
    at: `${FORM_AT}/schema`,
    document: bodyOf(FORM, { schema: { type: 'array', items: { type: 'string' } } }),
  },
  {
    feature: 'additional-fields',
    at: `${FORM_AT}/schema`,
    document: bodyOf(FORM, { schema: { type: 'object', additionalProperties: { type: 'integer' } } }),
  },
  {
    feature: 'additional-fields',
    at: `${FORM_AT}/schema`,
    document: bodyOf(FORM, { schema: { type: 'object', unevaluatedProperties: { type: 'integer' } } }),
  },
  {
    feature: 'ambiguous-part',
    at: `${MULTIPART_AT}/schema/oneOf/1/properties/f`,
    document: bodyOf(
      MULTIPART,
      { schema: { oneOf: [object({ f: { type: 'string' } }), object({ f: file })] } },
      {},
      '3.0.3',
    ),
  },
  {
    feature: 'ambiguous-part',
    at: `${MULTIPART_AT}/schema/properties/f`,
    document: bodyOf(
      MULTIPART,
      { schema: object({ f: { anyOf: [file, { type: 'string' }] } }) },
      {},
      '3.0.3',
    ),
  },
  {
    feature: 'undecoded-part',
    at: `${MULTIPART_AT}/encoding/f/contentType`,
    document: bodyOf(MULTIPART, {
      schema: object({ f: object({}) }),
      encoding: { f: { contentType: 'application/xml' } },
    }),
  },
  {
    feature: 'file-schema',
    at: `${MULTIPART_AT}/schema/properties/f/maxLength`,
    document: bodyOf(MULTIPART, { schema: object({ f: { ...file, maxLength: 5 } }) }, {}, '3.0.3'),
  },
  {
    feature: 'item-schema',
    at: `${CONTENT}/application~1json/itemSchema`,
    document: bodyOf('application/json', { itemSchema: { type: 'string' } }, {}, '3.2.0'),
  },
  {
    feature: 'sequence-schema',
    at: `${CONTENT}/application~1jsonl/schema`,
    document: bodyOf(
      'application/jsonl',
      { itemSchema: { type: 'string' }, schema: { type: 'array', maxItems: 5 } },
      {},
      '3.2.0',
    ),
  },
  {
    feature: 'sequence-schema',
    at: `${OPERATION}/responses/200/content/text~1event-stream/schema`,
    document: {
      ...answering({
        content: { 'text/event-stream': { itemSchema: { type: 'object' }, schema: { type: 'array' } } },
      }),
      openapi: '3.2.0',
    },
  },
  {
    feature: 'encoding-headers',
    at: `${CONTENT}/multipart~1mixed/itemEncoding/headers`,
    document: bodyOf('multipart/mixed', { itemSchema: {}, itemEncoding: { headers: {} } }, {}, '3.2.0'),
  },
  {
    feature: 'undecoded-part',
    at: `${CONTENT}/multipart~1mixed/prefixEncoding/0/contentType`,
    document: bodyOf(
      'multipart/mixed',
      { itemSchema: object({}), prefixEncoding: [{ contentType: 'image/png' }] },
      {},
      '3.2.0',
    ),
  },
  {
    feature: 'undecoded-part',
    at: `${OPERATION}/responses/200/content/multipart~1mixed/itemEncoding/contentType`,
    document: {
      ...answering({
        content: { 'multipart/mixed': { itemSchema: {}, itemEncoding: { contentType: 'image/*' } } },
      }),
      openapi: '3.2.0',
    },
  },
  {
    feature: 'unchecked-parts',
    at: `${MULTIPART_AT}/schema/minProperties`,
    document: uploading({ ...object({ f: { type: 'string' } }), minProperties: 1 }),
  },
  {
    feature: 'unchecked-parts',
    at: `${MULTIPART_AT}/schema/properties/f/maxItems`,
    document: uploading(object({ f: { type: 'array', items: { type: 'string' }, maxItems: 2 } })),
  },
  {
    feature: 'mutual-tls',
    at: '#/components/securitySchemes/cert',
    document: operationOf(
      { security: [{ cert: [] }] },
      { components: { securitySchemes: { cert: { type: 'mutualTLS' } } } },
    ),
  },
  {
    feature: 'informational-response',
    at: `${OPERATION}/responses/101`,
    document: answering({}, '101'),
  },
  {
    feature: 'content-not-sent',
    at: `${OPERATION}/responses/204/content`,
    document: answering({ content: { 'application/json': {} } }, '204'),
  },
  {
    feature: 'header-name',
    at: `${OPERATION}/responses/200/headers/X A`,
    document: answering({ headers: { 'X A': { schema: { type: 'string' } } } }),
  },
  {
    feature: 'header-name',
    at: `${PARAMETER}/name`,
    document: parameterOf({ name: 'é', in: 'header', schema: { type: 'string' } }),
  },
  {
    feature: 'header-name',
    at: '#/components/securitySchemes/key/name',
    document: operationOf(
      { security: [{ key: [] }], responses: nothing },
      { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: '' } } } },
    ),
  },
  {
    feature: 'header-media-type',
    at: `${OPERATION}/responses/200/headers/X-A/content`,
    document: answering({ headers: { 'X-A': { content: { 'application/json': {} } } } }),
  },
  {
    feature: 'xml-form',
    at: `${A}/properties/id/xml`,
    document: answering({ content: { 'application/xml': { schema: { $ref: A } } } }, '200', {
      components: {
        schemas: {
          A: { ...object({ id: { type: 'string', xml: { attribute: true } } }), xml: { name: 'a' } },
        },
      },
    }),
  },
  { feature: 'unknown-keyword', at: `${A}/minimun`, document: schemaOf({ minimun: 1 }) },
  { feature: 'unknown-keyword', at: `${A}/nullable`, document: schemaOf({ nullable: true }), isNotice: true },
  { feature: 'unknown-keyword', at: `${A}/optional`, document: schemaOf({ optional: true }), isNotice: true },
  {
    feature: 'invalid-keyword',
    at: `${A}/multipleOf`,
    document: schemaOf({ type: 'integer', multipleOf: 0 }),
  },
  {
    feature: 'unknown-format',
    at: `${A}/format`,
    document: schemaOf({ type: 'string', format: 'postcode' }),
  },
  {
    feature: 'slow-pattern',
    at: `${A}/pattern`,
    document: schemaOf({ type: 'string', pattern: '^(a+)+$' }),
  },
  {
    feature: 'undecided-pattern',
    at: `${A}/pattern`,
    document: schemaOf({ type: 'string', pattern: '^(a)\\1$' }),
  },
  { feature: 'bad-pattern', at: `${A}/pattern`, document: schemaOf({ type: 'string', pattern: '(' }) },
  { feature: 'bad-pattern', at: `${A}/pattern`, document: schemaOf({ type: 'string', pattern: '\\Aa\\z' }) },
  {
    feature: 'dialect',
    at: '#/jsonSchemaDialect',
    document: documentOf({ jsonSchemaDialect: 'http://json-schema.org/draft-07/schema#' }),
  },
  {
    feature: 'endless-reference',
    at: '#/components/schemas/Unused',
    document: schemaOf({ type: 'string' }, { Unused: { allOf: [{ $ref: '#/components/schemas/Unused' }] } }),
  },
  {
    feature: 'endless-reference',
    at: A,
    document: schemaOf({ allOf: [{ $ref: A }] }),
  },
  {
    feature: 'default-in-composition',
    at: `${A}/anyOf/0/properties/n/default`,
    document: schemaOf({ anyOf: [object({ n: { type: 'integer', default: 1 } }), { type: 'string' }] }),
  },
  {
    feature: 'discriminator-branch',
    at: `${A}/oneOf/1`,
    document: schemaOf(
      {
        oneOf: [{ $ref: '#/components/schemas/B' }, object({ kind: { type: 'string' } })],
        discriminator: { propertyName: 'kind' },
      },
      { B: object({ kind: { type: 'string' } }) },
    ),
  },
  {
    feature: 'invalid-default',
    at: `${A}/properties/a/default`,
    document: schemaOf(object({ a: { type: 'integer', default: 'x' } })),
  },
  {
    feature: 'invalid-default',
    at: `${PARAMETER}/schema/default`,
    document: parameterOf({ schema: { type: 'integer', minimum: 1, default: 0 } }),
  },
  {
    feature: 'invalid-default',
    at: `${A}/default`,
    document: schemaOf({ ...object({ next: { $ref: '#/components/schemas/A' } }), default: {} }),
  },
  {
    feature: 'invalid-default',
    at: `${A}/properties/a`,
    document: schemaOf(
      object({
        a: { allOf: [{ $ref: '#/components/schemas/B' }], required: ['b'] },
        c: { $ref: '#/components/schemas/B' },
      }),
      { B: { ...object({}), default: {} } },
    ),
  },
  {
    // The nearest default counts, and not one that it hides.
    feature: 'invalid-default',
    at: `${A}/properties/a/default`,
    document: schemaOf(object({ a: { allOf: [{ $ref: '#/components/schemas/B' }], default: 'x' } }), {
      B: { type: 'integer', default: 1 },
    }),
  },
  {
    // Of levels with two members, those with over 1,000 members below them.
    feature: 'invalid-default',
    at: `${A}/properties/a/default`,
    document: schemaOf(
      { properties: { a: { allOf: [{ $ref: '#/components/schemas/Level0' }], default: {} } } },
      Object.fromEntries(
        Array.from({ length: 9 }, (_, level) => {
          const next = { allOf: [{ $ref: `#/components/schemas/Level${String(level + 1)}` }], default: {} };
          const leaf = { default: 1 };
          const member = level < 8 ? next : leaf;
          return [`Level${String(level)}`, { properties: { a: member, b: member } }];
        }),
      ),
    ),
  },
  {
    // That of the object is fit.
    feature: 'invalid-default',
    at: `${A}/properties/a/properties/b/default`,
    document: schemaOf(object({ a: { ...object({ b: { type: 'integer', default: 'x' } }), default: {} } })),
  },
  {
    feature: 'invalid-default',
    at: `${A}/x-b/default`,
    document: schemaOf({ ...object({ b: { $ref: `${A}/x-b` } }), 'x-b': { type: 'string', default: 1 } }),
  },
  {
    feature: 'method',
    at: '#/paths/~1a/additionalOperations/FETCH',
    document: documentOf(
      { paths: { '/a': { additionalOperations: { FETCH: { responses: nothing } } } } },
      '3.2.0',
    ),
  },
  {
    feature: 'parameter-media-type',
    at: `${PARAMETER}/content/application~1xml`,
    document: parameterOf(
      { in: 'querystring', content: { 'application/xml': { schema: object({}) } } },
      '3.2.0',
    ),
  },
  {
    feature: 'discriminator-mapping',
    at: `${A}/discriminator/defaultMapping`,
    document: schemaOf(
      {
        oneOf: [{ $ref: '#/components/schemas/B' }],
        discriminator: { propertyName: 'kind', defaultMapping: 'C' },
      },
      { B: object({ kind: { type: 'string' } }), C: object({ kind: { type: 'string' } }) },
      '3.2.0',
    ),
  },
  {
    feature: 'discriminator-mapping',
    at: `${A}/discriminator/mapping`,
    document: schemaOf(
      {
        oneOf: [{ $ref: '#/components/schemas/B' }],
        discriminator: { propertyName: 'kind', mapping: { c: '#/components/schemas/C' } },
      },
      { B: object({ kind: { type: 'string' } }), C: object({ kind: { type: 'string' } }) },
    ),
  },
  {
    feature: 'discriminator-inheritance',
    at: `${A}/discriminator`,
    document: schemaOf({ ...object({ kind: { type: 'string' } }), discriminator: { propertyName: 'kind' } }),
  },
  {
    feature: 'untyped-value',
    at: `${A}/then`,
    document: schemaOf({ if: {}, then: object({ at: { type: 'string', format: 'date-time' } }) }),
    options: { values: { 'date-time': 'Date' } },
  },
];

describe('an unsupported feature', () => {
  for (const { feature, at, document } of examples.filter((each) => isNoticed(each))) {
    it(`${feature} at ${at} is noticed, and stops nothing`, async () => {
      const directory = await mkdtemp(join(tmpdir(), 'concordat-noticed-'));
      try {
        const openapi = join(directory, 'openapi.json');
        await writeFile(openapi, textOf(document));
        const notices: (string | undefined)[] = [];
        await generate({ openapi, notice: ({ pointer }) => void notices.push(pointer) });
        expect(notices).to.deep.equal([at]);
        await generate({ openapi, accept: [feature], notice: ({ pointer }) => expect(pointer).to.equal('') });
      } finally {
        await rm(directory, { recursive: true });
      }
    });
  }

  for (const { feature, at, document, options } of examples.filter((each) => !isNoticed(each))) {
    it(`${feature} at ${at} stops generation, unless it is accepted by its name or at its place`, async () => {
      const problems = await problemsOf(document, [], options);
      expect(problems.map((problem) => [problem.feature, problem.pointer])).to.deep.equal([[feature, at]]);
      const [problem] = problems;
      const { line = 0, column = 0 } = problem ?? {};
      expect(problem?.file).to.match(/openapi\.json$/);
      const name = (at.split('/').pop() ?? '').replaceAll('~1', '/');
      const lines = textOf(document).split('\n');
      const written = lines[line - 1]?.slice(column - 1);
      // An element of a list has no name.
      expect(written).to.match(/^(?:"|\{)/);
      if (written?.startsWith('"')) expect(written.startsWith(`"${name}":`), written).to.equal(true);
      else expect(name).to.match(/^\d+$/);
      expect(problem?.message).to.match(/^\S.*[^.\s]$/);
      expect(await problemsOf(document, [feature], options)).to.deep.equal([]);
      expect(await problemsOf(document, [`${feature} at ${at}`], options)).to.deep.equal([]);
    });
  }

  it('of each name of an OpenAPI document has an example here', () => {
    const ofSchemas = ['federation', 'incremental-delivery'];
    const names = Object.keys(UNSUPPORTED_FEATURES).filter((name) => !ofSchemas.includes(name));
    const shown = new Set(examples.map(({ feature }) => feature));
    expect([...shown].filter((name) => name !== 'unknown-format')).to.have.members(names);
  });

  it('that is accepted and never occurs is a problem itself', async () => {
    const unused = (key: string) => ({
      fault: 'unused-acceptance',
      message: `"${key}" is accepted, and the contract has no such unsupported feature`,
    });
    const [problem, ...others] = await problemsOf(operationOf({}), ['servers']);
    expect(others).to.deep.equal([]);
    expect(problem).to.deep.include(unused('servers'));
    const elsewhere = `servers at ${OPERATION}/servers`;
    const [, path] = examples.filter(({ feature }) => feature === 'servers');
    const problems = await problemsOf(path?.document ?? {}, [elsewhere]);
    expect(problems).to.have.lengthOf(2);
    expect(problems[0]).to.deep.include({ feature: 'servers', pointer: '#/paths/~1a/servers' });
    expect(problems[1]).to.deep.include(unused(elsewhere));
  });

  it('is not the servers of an operation at the path of the contract', async () => {
    const servers = [{ url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } }];
    const contract = { servers: [{ url: '/v1' }] };
    expect(await problemsOf(operationOf({ servers }, contract))).to.deep.equal([]);
    expect(await problemsOf(operationOf({ servers: [] }))).to.deep.equal([]);
    for (const others of [[], [...servers, { url: '/' }]])
      expect(await problemsOf(operationOf({ servers: others }, contract))).to.have.lengthOf(1);
  });

  it('is named once for each of its places, and beside the others', async () => {
    const schema = { type: 'string', minimun: 1 };
    const document = operationOf({
      servers: server,
      parameters: [
        { name: 'p', in: 'query', schema },
        { name: 'q', in: 'query', schema },
      ],
    });
    expect((await problemsOf(document)).map(({ pointer }) => pointer)).to.deep.equal([
      `${OPERATION}/servers`,
      `${PARAMETER}/schema/minimun`,
      `${OPERATION}/parameters/1/schema/minimun`,
    ]);
    const left = await problemsOf(document, ['servers', `unknown-keyword at ${PARAMETER}/schema/minimun`]);
    expect(left).to.have.lengthOf(1);
  });

  it('of an invalid default leaves its property optional for handlers, and others with the default not', async () => {
    const B = { $ref: '#/components/schemas/B' };
    const a = { allOf: [B], required: ['b'] };
    const document = schemaOf(object({ a, c: B, d: { type: 'integer', default: 'x' } }), {
      B: { ...object({}), default: {} },
    });
    const { 'openapi.ts': types } = await generated(document);
    expect(types).to.match(/type AWithDefaults = \{\s*a\?: B;\s*c: B;\s*d\?: number;\s*\}/);
  });

  it('is no invalid default of a response, which inserts none', async () => {
    await generated(
      answering({
        content: { 'application/json': { schema: object({ a: { type: 'integer', default: 'x' } }) } },
      }),
    );
  });

  it('does not stop generation where the specification leaves nothing to do', async () => {
    await generated(
      operationOf({
        deprecated: true,
        tags: ['a'],
        externalDocs: { url: 'https://example.com' },
        parameters: [{ name: 'p', in: 'query', deprecated: true, example: 1, schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'x',
            links: { self: { operationId: 'a', parameters: { p: '$request.query.p' } } },
          },
        },
      }),
    );
  });
});
