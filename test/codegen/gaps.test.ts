/** Whatever a contract says and the generator does not support has a name and a place, stops generation, and can be accepted. */

import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  bodyOf,
  documentOf,
  generated,
  operationOf,
  parameterOf,
  schemaOf,
  stopOf,
} from './written-contract.js';

interface Example {
  readonly code: string;
  /** Where the document has it. */
  readonly at: string;
  readonly document: object;
}

const OPERATION = '#/paths/~1a/post';
const PARAMETER = `${OPERATION}/parameters/0`;
const CONTENT = `${OPERATION}/requestBody/content`;
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const FORM_AT = `${CONTENT}/application~1x-www-form-urlencoded`;
const MULTIPART_AT = `${CONTENT}/multipart~1form-data`;
const A = '#/components/schemas/A';
const server = [{ url: 'https://example.com' }];
const nothing = { 204: { description: 'Nothing' } };
const object = (properties: object) => ({ type: 'object', properties });
const file = { type: 'string', format: 'binary' };
const answering = (response: object, status = '200', others: object = {}) =>
  operationOf({ responses: { [status]: { description: 'x', ...response } } }, others);

const examples: readonly Example[] = [
  {
    code: 'servers',
    at: `${OPERATION}/servers`,
    document: operationOf({ servers: server }),
  },
  {
    code: 'servers',
    at: '#/paths/~1a/servers',
    document: documentOf({ paths: { '/a': { servers: server, get: { responses: nothing } } } }),
  },
  {
    code: 'callbacks',
    at: `${OPERATION}/callbacks`,
    document: operationOf({
      callbacks: { done: { '{$request.query.url}': { post: { responses: nothing } } } },
    }),
  },
  {
    code: 'path-with-query',
    at: '#/paths/~1a?b=c',
    document: documentOf({ paths: { '/a?b=c': { get: { responses: nothing } } } }),
  },
  {
    code: 'parameter-media-type',
    at: `${PARAMETER}/content/application~1xml`,
    document: parameterOf({ content: { 'application/xml': { schema: { type: 'string' } } } }),
  },
  {
    code: 'undefined-style',
    at: `${PARAMETER}/style`,
    document: parameterOf({ style: 'deepObject', schema: { type: 'string' } }),
  },
  {
    code: 'nested-parameter',
    at: PARAMETER,
    document: parameterOf({ schema: object({ inner: object({}) }) }),
  },
  {
    code: 'allow-reserved',
    at: `${PARAMETER}/allowReserved`,
    document: parameterOf({ allowReserved: true, schema: { type: 'string' } }),
  },
  {
    code: 'allow-empty-value',
    at: `${PARAMETER}/allowEmptyValue`,
    document: parameterOf({ allowEmptyValue: true, schema: { type: 'integer' } }),
  },
  {
    code: 'undecoded-body',
    at: `${CONTENT}/application~1xml`,
    document: bodyOf('application/xml', { schema: object({}) }),
  },
  {
    code: 'undecoded-body',
    at: `${CONTENT}/text~1csv`,
    document: bodyOf('text/csv', { schema: { type: 'array', items: {} } }),
  },
  {
    code: 'media-type-parameters',
    at: `${CONTENT}/application~1json; version=1`,
    document: bodyOf('application/json; version=1', {}),
  },
  {
    code: 'same-media-type',
    at: `${OPERATION}/responses/200/content/TEXT~1PLAIN; charset=utf-8`,
    document: answering({ content: { 'text/plain': {}, 'TEXT/PLAIN; charset=utf-8': {} } }),
  },
  {
    code: 'encoding-headers',
    at: `${MULTIPART_AT}/encoding/f/headers`,
    document: bodyOf(MULTIPART, {
      schema: object({ f: { type: 'string' } }),
      encoding: { f: { headers: { 'X-A': { schema: { type: 'string' } } } } },
    }),
  },
  {
    code: 'unknown-field',
    at: `${FORM_AT}/encoding/g`,
    document: bodyOf(FORM, { schema: object({ f: { type: 'string' } }), encoding: { g: { style: 'form' } } }),
  },
  {
    code: 'form-shape',
    at: `${FORM_AT}/schema`,
    document: bodyOf(FORM, { schema: { type: 'array', items: { type: 'string' } } }),
  },
  {
    code: 'additional-fields',
    at: `${FORM_AT}/schema`,
    document: bodyOf(FORM, { schema: { type: 'object', additionalProperties: { type: 'integer' } } }),
  },
  {
    code: 'ambiguous-part',
    at: `${MULTIPART_AT}/schema/oneOf/1/properties/f`,
    document: bodyOf(
      MULTIPART,
      { schema: { oneOf: [object({ f: { type: 'string' } }), object({ f: file })] } },
      {},
      '3.0.3',
    ),
  },
  {
    code: 'undecoded-part',
    at: `${MULTIPART_AT}/encoding/f/contentType`,
    document: bodyOf(MULTIPART, {
      schema: object({ f: object({}) }),
      encoding: { f: { contentType: 'application/xml' } },
    }),
  },
  {
    code: 'file-schema',
    at: `${MULTIPART_AT}/schema/properties/f/maxLength`,
    document: bodyOf(MULTIPART, { schema: object({ f: { ...file, maxLength: 5 } }) }, {}, '3.0.3'),
  },
  {
    code: 'mutual-tls',
    at: '#/components/securitySchemes/cert',
    document: operationOf(
      { security: [{ cert: [] }] },
      { components: { securitySchemes: { cert: { type: 'mutualTLS' } } } },
    ),
  },
  {
    code: 'informational-response',
    at: `${OPERATION}/responses/101`,
    document: answering({}, '101'),
  },
  {
    code: 'content-not-sent',
    at: `${OPERATION}/responses/204/content`,
    document: answering({ content: { 'application/json': {} } }, '204'),
  },
  {
    code: 'header-media-type',
    at: `${OPERATION}/responses/200/headers/X-A/content`,
    document: answering({ headers: { 'X-A': { content: { 'application/json': {} } } } }),
  },
  {
    code: 'xml-form',
    at: `${A}/properties/id/xml`,
    document: answering({ content: { 'application/xml': { schema: { $ref: A } } } }, '200', {
      components: {
        schemas: {
          A: { ...object({ id: { type: 'string', xml: { attribute: true } } }), xml: { name: 'a' } },
        },
      },
    }),
  },
  { code: 'unknown-keyword', at: `${A}/minimun`, document: schemaOf({ minimun: 1 }) },
  { code: 'invalid-keyword', at: `${A}/multipleOf`, document: schemaOf({ type: 'integer', multipleOf: 0 }) },
  { code: 'unknown-format', at: `${A}/format`, document: schemaOf({ type: 'string', format: 'postcode' }) },
  { code: 'bad-pattern', at: `${A}/pattern`, document: schemaOf({ type: 'string', pattern: '(' }) },
  {
    code: 'dialect',
    at: '#/jsonSchemaDialect',
    document: documentOf({ jsonSchemaDialect: 'http://json-schema.org/draft-07/schema#' }),
  },
  {
    code: 'endless-reference',
    at: A,
    document: schemaOf({ allOf: [{ $ref: A }] }),
  },
  {
    code: 'default-in-composition',
    at: `${A}/anyOf/0/properties/n/default`,
    document: schemaOf({ anyOf: [object({ n: { type: 'integer', default: 1 } }), { type: 'string' }] }),
  },
  {
    code: 'discriminator-branch',
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
    code: 'discriminator-mapping',
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
    code: 'discriminator-inheritance',
    at: `${A}/discriminator`,
    document: schemaOf({ ...object({ kind: { type: 'string' } }), discriminator: { propertyName: 'kind' } }),
  },
];

describe('a gap', () => {
  for (const { code, at, document } of examples) {
    it(`${code} at ${at} stops generation, unless it is accepted by its code or at its place`, async () => {
      const stop = (await stopOf(document)) ?? '';
      const [head = '', ...sentences] = stop.split('\n');
      expect(head).to.match(/openapi\.json: change the contract, or accept the gap by its code:$/);
      expect(sentences).to.have.lengthOf(1);
      expect(sentences[0]).to.match(/^ {2}#[^\n]+: .+ \([a-z-]+\)$/);
      expect(sentences[0]?.startsWith(`  ${at}: `), sentences[0]).to.equal(true);
      expect(sentences[0]?.endsWith(` (${code})`), sentences[0]).to.equal(true);
      expect(await stopOf(document, [code])).to.equal(undefined);
      expect(await stopOf(document, [`${code} at ${at}`])).to.equal(undefined);
    });
  }

  it('of each kind that the sources name has an example here', async () => {
    expect([...new Set(examples.map(({ code }) => code))]).to.have.members(await codesInSources());
  });

  it('that is accepted and never occurs is an error itself', async () => {
    const none = operationOf({});
    expect(await stopOf(none, ['callbacks'])).to.match(
      /openapi\.json: take back what is not needed:\n {2}accepted, but never met: callbacks$/,
    );
    const elsewhere = `servers at ${OPERATION}/servers`;
    const [, path] = examples.filter(({ code }) => code === 'servers');
    const stop = await stopOf(path?.document ?? {}, [elsewhere]);
    expect(stop).to.include(`  accepted, but never met: ${elsewhere}`);
    expect(stop).to.include('  #/paths/~1a/servers: ');
  });

  it('is named once for each of its places, and beside the others', async () => {
    const schema = { type: 'string', format: 'postcode' };
    const document = operationOf({
      servers: server,
      parameters: [
        { name: 'p', in: 'query', schema },
        { name: 'q', in: 'query', schema },
      ],
    });
    const lines = ((await stopOf(document)) ?? '').split('\n').slice(1);
    expect(lines.map((line) => line.trim().split(': ')[0])).to.deep.equal([
      `${OPERATION}/servers`,
      `${PARAMETER}/schema/format`,
      `${OPERATION}/parameters/1/schema/format`,
    ]);
    const one = (await stopOf(document, ['servers', `unknown-format at ${PARAMETER}/schema/format`])) ?? '';
    expect(one.split('\n').slice(1)).to.have.lengthOf(1);
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

/** Every first argument of a call to `gap`, and every code that is chosen before one. */
async function codesInSources(): Promise<readonly string[]> {
  const sources = fileURLToPath(new URL('../../src/codegen/', import.meta.url));
  const files = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((name) => readFile(sources + name, 'utf8')));
  const codes = texts.flatMap((text) => {
    const direct = [...text.matchAll(/\bgap\(\s*'([a-z-]+)'/g)];
    const chosen = [...text.matchAll(/\bcode = [^;]*;/g)].flatMap(([line]) => [
      ...line.matchAll(/'([a-z-]+)'/g),
    ]);
    return [...direct, ...chosen].map((match) => match[1] ?? '');
  });
  return [...new Set(codes)];
}
