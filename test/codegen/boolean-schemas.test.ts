/** A boolean is a schema in every position (JSON Schema, Core §4.3.2), and means there what `{}` and `{ not: {} }` mean. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Check, memoryRequest } from '@concordat/runtime';
import { arbitraryOf } from '@concordat/tools/fast-check';
import { ContractError, generate } from 'concordat';
import { mockHandler } from '@concordat/tools/mock';
import { diffContract } from '../../src/tools/diff/diff.js';
import { type RunningContract, runContract } from '../../src/tools/running/running-contract.js';
import { ContractTools } from '../../src/runtime/mcp/contract-tools.js';
import { toolTableOf } from '../support/tool-table.js';
import { generateContract, removeDirectory, temporaryPackage } from './generated-contract.js';
import { complaints } from './strict-compiler.js';
import { textOf } from './written-contract.js';

type Schema = object | boolean;

/** A reference to a component that is such a schema. */
const named = (schema: Schema): string =>
  `#/components/schemas/${schema === true || JSON.stringify(schema) === '{}' ? 'True' : 'False'}`;

/** Where a schema may be, each around another schema. */
const SCHEMAS: Readonly<Record<string, (s: Schema) => Schema>> = {
  itself: (s) => s,
  properties: (s) => ({ type: 'object', properties: { a: s, b: { type: 'string' } } }),
  required: (s) => ({ type: 'object', required: ['a'], properties: { a: s } }),
  items: (s) => ({ type: 'array', items: s }),
  minItems: (s) => ({ type: 'array', items: s, minItems: 1 }),
  prefixItems: (s) => ({ type: 'array', prefixItems: [{ type: 'string' }, s] }),
  contains: (s) => ({ type: 'array', contains: s }),
  allOf: (s) => ({ allOf: [s] }),
  allOf2: (s) => ({ allOf: [{ type: 'object', properties: { a: { type: 'string' } } }, s] }),
  anyOf: (s) => ({ anyOf: [s, { type: 'string' }] }),
  anyOfAlone: (s) => ({ anyOf: [s] }),
  anyOfNull: (s) => ({ anyOf: [s, { type: 'null' }] }),
  oneOf: (s) => ({ oneOf: [{ type: 'string' }, s] }),
  oneOfNull: (s) => ({ oneOf: [{ type: 'null' }, s] }),
  not: (s) => ({ not: s }),
  notnot: (s) => ({ not: { not: s } }),
  if: (s) => ({ if: s, then: { type: 'string' }, else: { type: 'integer' } }),
  then: (s) => ({ if: { type: 'string' }, then: s, else: { type: 'integer' } }),
  else: (s) => ({ if: { type: 'string' }, then: { maxLength: 3 }, else: s }),
  additionalProperties: (s) => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: s,
  }),
  patternProperties: (s) => ({ type: 'object', patternProperties: { '^a': s } }),
  propertyNames: (s) => ({ type: 'object', propertyNames: s }),
  dependentSchemas: (s) => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    dependentSchemas: { a: s },
  }),
  dependencies: (s) => ({ type: 'object', dependencies: { a: s, b: ['a'] } }),
  unevaluatedProperties: (s) => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    unevaluatedProperties: s,
  }),
  unevaluatedItems: (s) => ({ type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: s }),
  contentSchema: (s) => ({ type: 'string', contentMediaType: 'application/json', contentSchema: s }),
  defs: (s) => ({ type: 'object', $defs: { x: s }, properties: { a: { type: 'string' } } }),
  definitions: (s) => ({ type: 'object', definitions: { x: s } }),
  ref: (s) => ({ $ref: named(s) }),
  refBeside: (s) => ({ type: 'string', $ref: named(s) }),
  dynamicRef: (s) => ({ $dynamicRef: named(s) }),
  deepRef: (s) => ({
    type: 'object',
    properties: {
      x: s,
      y: { $ref: '#/paths/~1deepRef/post/requestBody/content/application~1json/schema/properties/x' },
    },
  }),
  discriminator: (s) => ({
    type: 'object',
    discriminator: { propertyName: 'k' },
    required: ['k'],
    properties: { k: { type: 'string' } },
    oneOf: [{ $ref: '#/components/schemas/K' }, s],
  }),
  inherit: (s) => ({ allOf: [{ $ref: '#/components/schemas/Parent' }, s] }),
  default: (s) => ({ type: 'object', properties: { a: { type: 'string', default: 'x', allOf: [s] } } }),
  readOnly: (s) => ({ type: 'object', required: ['a'], properties: { a: { allOf: [s], readOnly: true } } }),
  nested: (s) => ({
    type: 'object',
    properties: { a: { type: 'array', items: { anyOf: [{ type: 'object', additionalProperties: s }, s] } } },
  }),
};

const content = (schema: Schema, mediaType = 'application/json') => ({
  content: { [mediaType]: { schema } },
});

/** Where a document has a schema, as a part of an operation. */
const PLACES: Readonly<Record<string, (s: Schema) => object>> = {
  parameter: (s) => ({ parameters: [{ name: 'p', in: 'query', schema: s }] }),
  header: (s) => ({ parameters: [{ name: 'p', in: 'header', schema: s }] }),
  cookie: (s) => ({ parameters: [{ name: 'p', in: 'cookie', schema: s }] }),
  contentParameter: (s) => ({
    parameters: [{ name: 'p', in: 'query', content: { 'application/json': { schema: s } } }],
  }),
  deepObject: (s) => ({
    parameters: [
      { name: 'p', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { a: s } } },
    ],
  }),
  arrayParameter: (s) => ({ parameters: [{ name: 'p', in: 'query', schema: { type: 'array', items: s } }] }),
  querystringlike: (s) => ({
    parameters: [{ name: 'p', in: 'query', schema: { type: 'object', properties: { a: s } } }],
  }),
  form: (s) => ({ requestBody: { content: { 'application/x-www-form-urlencoded': { schema: s } } } }),
  formProperty: (s) => ({
    requestBody: {
      content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { a: s } } } },
    },
  }),
  formRest: (s) => ({
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': { schema: { type: 'object', additionalProperties: s } },
      },
    },
  }),
  multipart: (s) => ({ requestBody: { content: { 'multipart/form-data': { schema: s } } } }),
  multipartProperty: (s) => ({
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { a: s, b: { type: 'array', items: s } } },
        },
      },
    },
  }),
  multipartHeader: (s) => ({
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { a: { type: 'string' } } },
          encoding: { a: { headers: { 'X-A': { schema: s } } } },
        },
      },
    },
  }),
  text: (s) => ({ requestBody: { content: { 'text/plain': { schema: s } } } }),
  bytes: (s) => ({ requestBody: { content: { 'application/octet-stream': { schema: s } } } }),
  xml: (s) => ({ requestBody: { content: { 'application/xml': { schema: s } } } }),
  responseHeader: (s) => ({ responses: { 200: { description: 'x', headers: { 'X-A': { schema: s } } } } }),
  responseText: (s) => ({
    responses: { 200: { description: 'x', content: { 'text/plain': { schema: s } } } },
  }),
  responseBytes: (s) => ({
    responses: { 200: { description: 'x', content: { 'image/png': { schema: s } } } },
  }),
  eventStream: (s) => ({
    responses: { 200: { description: 'x', content: { 'text/event-stream': { itemSchema: s } } } },
  }),
  jsonl: (s) => ({
    responses: { 200: { description: 'x', content: { 'application/jsonl': { itemSchema: s } } } },
  }),
  jsonlBody: (s) => ({ requestBody: { content: { 'application/jsonl': { itemSchema: s } } } }),
  events: (s) => ({
    responses: {
      200: {
        description: 'x',
        content: {
          'text/event-stream': {
            itemSchema: {
              type: 'object',
              properties: { event: { type: 'string' }, data: { type: 'string' } },
              oneOf: [
                {
                  properties: { event: s, data: { contentMediaType: 'application/json', contentSchema: s } },
                },
                { properties: { event: { const: 'b' }, data: s } },
              ],
            },
          },
        },
      },
    },
  }),
  eventData: (s) => ({
    responses: {
      200: {
        description: 'x',
        content: { 'text/event-stream': { itemSchema: { type: 'object', properties: { data: s } } } },
      },
    },
  }),
  callback: (s) => ({
    callbacks: {
      x: {
        '{$request.body#/url}': {
          post: {
            requestBody: { content: { 'application/json': { schema: s } } },
            responses: { 200: { description: 'x', content: { 'application/json': { schema: s } } } },
          },
        },
      },
    },
  }),
};

const empty = { description: 'Nothing' };
const operations: Readonly<Record<string, (schema: Schema) => object>> = {
  ...Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, around]) => [
      name,
      (schema: Schema) => ({
        requestBody: content(around(schema)),
        responses: { 200: { description: 'It', ...content(around(schema)) } },
      }),
    ]),
  ),
  ...PLACES,
};

/** A document with an operation per position. */
function documentOf(
  schema: Schema,
  [always, never]: readonly [Schema, Schema],
): Readonly<Record<string, unknown>> {
  const paths = Object.entries(operations).map(([operationId, around]) => [
    `/${operationId}`,
    { post: { operationId, responses: { 204: empty }, ...around(schema) } },
  ]);
  const tagged = { type: 'object', required: ['k'], properties: { k: { const: 'K' } } };
  const parent = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
  const schemas = {
    True: always,
    False: never,
    K: tagged,
    Parent: { ...parent, discriminator: { propertyName: 'kind' } },
    Child: { allOf: [{ $ref: '#/components/schemas/Parent' }, always] },
  };
  const info = { title: 'Booleans', version: '1' };
  return { openapi: '3.2.0', info, paths: Object.fromEntries(paths) as object, components: { schemas } };
}

/** The features of the document that are not supported, which must be the same for both. */
async function acceptable(file: string): Promise<readonly string[]> {
  const error: unknown = await generate({ openapi: file }).catch((reason: unknown) => reason);
  if (!(error instanceof ContractError)) return [];
  expect(error.problems.filter(({ fault }) => fault !== undefined)).to.deep.equal([]);
  return [...new Set(error.problems.flatMap(({ feature }) => feature ?? []))];
}

const BOOLEANS = [true, false] as const;
const OBJECTS = [{}, { not: {} }] as const;

/** Values that the schemas of the rows take, and others. */
const VALUES: readonly unknown[] = [
  null,
  true,
  1,
  'a',
  'abcd',
  '{}',
  [],
  ['a'],
  ['a', 1],
  [1, 2],
  {},
  { a: 'a' },
  { a: 1 },
  { b: 'b' },
  { b: 1, a: 'a' },
  { x: 1, y: 2 },
  { k: 'K' },
  { k: 'J' },
  { kind: 'Child' },
  { a: [{ z: 1 }] },
  { a: [{}] },
  { a: [1] },
];

describe('a schema that is a boolean', () => {
  let home = '';
  before(async () => {
    home = await temporaryPackage();
  });
  after(() => removeDirectory(home));

  for (const [index, boolean] of BOOLEANS.entries()) {
    describe(String(boolean), () => {
      const files = { boolean: '', object: '' };
      const documents = {
        boolean: documentOf(boolean, BOOLEANS),
        object: documentOf(OBJECTS[index] ?? {}, OBJECTS),
      };
      const running: Partial<Record<keyof typeof files, RunningContract>> = {};

      before(async () => {
        for (const kind of ['boolean', 'object'] as const) {
          files[kind] = join(home, `${String(boolean)}-${kind}.json`);
          await writeFile(files[kind], textOf(documents[kind]));
          running[kind] = await runContract(files[kind]);
        }
      });

      /** The checks of an operation, by what they are of. */
      function checksOf(kind: keyof typeof files, id: string): Readonly<Record<string, Check | undefined>> {
        const operation = running[kind]?.contract.operations[id];
        const bodies = Object.entries(operation?.requestBody?.content ?? {}).flatMap(([mediaType, codec]) =>
          'check' in codec ? [[mediaType, codec.check] as const] : [],
        );
        const responses = Object.entries(running[kind]?.responseChecks ?? {}).filter(([name]) =>
          name.startsWith(id),
        );
        return { parameters: operation?.checkParameters, ...Object.fromEntries([...bodies, ...responses]) };
      }

      for (const id of Object.keys(operations)) {
        it(`takes what the object takes: ${id}`, () => {
          const [checks, others] = [checksOf('boolean', id), checksOf('object', id)];
          expect(Object.keys(checks)).to.deep.equal(Object.keys(others));
          for (const [name, check] of Object.entries(checks)) {
            // A check of parameters gets all of them, by where they are.
            const given = (value: unknown) =>
              name === 'parameters'
                ? { query: { p: value }, headers: { p: value }, cookies: { p: value } }
                : value;
            const verdicts = (of: Check | undefined) =>
              VALUES.map((value) => of?.(structuredClone(given(value))) ?? true);
            expect(verdicts(check), name).to.deep.equal(verdicts(others[name]));
          }
        });
      }

      it('differs from the object in nothing that counts', async () => {
        for (const pair of [
          { old: files.boolean, new: files.object },
          { old: files.object, new: files.boolean },
        ]) {
          const { changes } = await diffContract(pair, new Date());
          expect(
            changes.map(({ message, client, server }) => [message, client.severity, server.severity]),
          ).to.deep.equal([]);
        }
      });

      it('has types that compile', async () => {
        const out = join(home, String(boolean));
        await mkdir(out);
        const accept = await acceptable(files.boolean);
        await generateContract(out, { openapi: files.boolean, accept });
        expect(complaints(out, ['starter.ts'])).to.deep.equal([]);
      });

      it('has the mocks of the object', async () => {
        const [mock, other] = [await mockHandler(files.boolean), await mockHandler(files.object)];
        for (const id of Object.keys(operations)) {
          const answers = [mock, other].map(async (handler) => {
            const { status, body } = await handler(memoryRequest({ method: 'POST', path: `/${id}` }));
            return [status, typeof body === 'string' ? body : typeof body];
          });
          const [answer, expected] = await Promise.all(answers);
          expect(answer, id).to.deep.equal(expected);
        }
      });

      it('makes a tool of each operation that one with the object makes a tool of', async () => {
        const tables = await Promise.all([toolTableOf(files.boolean), toolTableOf(files.object)]);
        for (const id of Object.keys(operations)) {
          const tools = tables.map((table) => {
            try {
              const { list } = new ContractTools({
                engine: () => ({ status: 204, headers: {} }),
                tools: table,
                only: [`operation:${id}`],
              });
              // No value fits some of the schemas, so that their tools need not describe a result.
              return JSON.stringify(list.map(({ name, inputSchema }) => [name, inputSchema]))
                .replaceAll(/true|\{\}/g, 'TRUE')
                .replaceAll(/false|\{"not":(?:TRUE)\}/g, 'FALSE');
            } catch (error) {
              return (error as Error).message;
            }
          });
          expect(tools[0], id).to.equal(tools[1]);
        }
      });

      it('has the arbitraries of the object', () => {
        const samples = (kind: keyof typeof files, id: string): unknown => {
          try {
            const { contract } = running[kind] ?? {};
            return contract && fc.sample(arbitraryOf(contract, id), { numRuns: 20, seed: 1 });
          } catch (error) {
            return (error as Error).message.replace(/^no.*? fits?\b.*/, 'none fits');
          }
        };
        for (const id of Object.keys(operations)) {
          if (id.startsWith('multipart') || id === 'jsonlBody') continue;
          expect(JSON.stringify(samples('boolean', id)), id).to.equal(JSON.stringify(samples('object', id)));
        }
      });
    });
  }
});
