/** Tests the contract linter: each rule finds a fault that is planted for it. */
import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import type { Node } from './contract-document.js';
import { exampleProblems } from './example-problems.js';
import { houseRuleProblems } from './house-rules.js';
import { contractProblems, OPENAPI_FILE } from './lint-contract.js';
import { schemaProblems } from './schema-problems.js';

const document = parseYaml(await readFile(OPENAPI_FILE, 'utf8')) as Node;
const LOGIN = ['paths', '/api/auth/login', 'post'];

/** A copy of the contract with another value at a path, or with the path removed. */
function planted(path: readonly string[], value?: unknown): Node {
  const copy = structuredClone(document);
  let at = copy as Record<string, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return copy;
}

type Fault = readonly [rule: string, what: string, path: readonly string[], value?: unknown];

const EXAMPLE_FAULTS: readonly Fault[] = [
  ['example-fits-schema', 'an example of a body', [...LOGIN, 'requestBody', 'content', 'application/json', 'example'], {}],
  ['example-fits-schema', 'a named example', ['components', 'examples', 'Order', 'value', 'total'], '49'],
  ['example-fits-schema', 'an example of an error', ['components', 'responses', 'Forbidden', 'content', 'application/json', 'example', 'code'], 1],
  ['example-fits-schema', 'an example of a parameter', ['components', 'parameters', 'LastId', 'example'], 'x'],
  ['example-fits-schema', 'an example of a header', ['components', 'headers', 'X-Total-Count', 'example'], 'many'],
  ['example-fits-schema', 'an example of a schema', ['components', 'schemas', 'Id', 'examples'], ['one']],
  ['schema-compiles', 'a keyword that does not exist', ['components', 'schemas', 'Id', 'minLenght'], 1],
  ['has-example', 'a request without example', [...LOGIN, 'requestBody', 'content', 'application/json', 'example']],
  ['has-example', 'a response without example', ['components', 'responses', 'Order', 'content', 'application/json', 'examples']],
]; // prettier-ignore

const HOUSE_FAULTS: readonly Fault[] = [
  ['operation-is-described', 'an operation without description', [...LOGIN, 'description']],
  ['operation-is-described', 'an operation without security', [...LOGIN, 'security']],
  ['operation-id-is-camel-case', 'an operationId in snake case', [...LOGIN, 'operationId'], 'log_in'],
  ['summary-is-a-title', 'a summary that is a sentence', [...LOGIN, 'summary'], 'Sign in.'],
  ['statuses-are-complete', 'a body without its 415', [...LOGIN, 'responses', '415']],
  ['statuses-are-complete', 'a caller without the 401', ['paths', '/api/profile', 'get', 'responses', '401']],
  ['error-is-shared', 'an error of its own', [...LOGIN, 'responses', '401'], { description: 'No.' }],
  ['json-and-xml-say-the-same', 'another schema in XML', ['components', 'responses', 'Order', 'content', 'application/xml', 'schema', '$ref'], '#/components/schemas/User'],
  ['json-and-xml-say-the-same', 'no XML', ['components', 'responses', 'Order', 'content', 'application/xml']],
  ['object-is-written-once', 'a copy of a schema', ['components', 'schemas', 'Order', 'properties', 'copy'],
    { required: ['error'], additionalProperties: false, type: 'object', properties: { error: { minLength: 1, type: 'string' } } }],
  ['object-is-closed-and-described', 'an open object', ['components', 'schemas', 'Order', 'additionalProperties']],
  ['object-is-closed-and-described', 'a schema without description', ['components', 'schemas', 'Order', 'description']],
  ['component-is-used', 'an unused component', ['components', 'headers', 'X-Nobody'], { schema: { type: 'string' } }],
  ['extension-is-documented', 'an undocumented x- field', [...LOGIN, 'x-secret'], true],
]; // prettier-ignore

describe('lint-contract', () => {
  for (const [problemsOf, faults] of [
    [exampleProblems, EXAMPLE_FAULTS],
    [houseRuleProblems, HOUSE_FAULTS],
  ] as const) {
    for (const [rule, what, path, value] of faults) {
      it(`finds ${what} (${rule})`, () => {
        expect(problemsOf(planted(path, value)).map((problem) => problem.rule)).to.include(rule);
      });
    }
  }

  for (const [rule, what, path, value] of [
    ['no-unresolved-refs', 'a reference to nothing', ['components', 'schemas', 'Order', 'properties', 'id', '$ref'], '#/components/schemas/Nothing'],
    ['no-invalid-media-type-examples', 'an example that does not fit', ['components', 'examples', 'Order', 'value', 'total'], '49'],
    ['operation-2xx-response', 'an exception that is not needed any more', ['paths', '/api/auth/idp', 'get', 'responses', '200'], { description: 'Fine.' }],
  ] as const) {
    it(`finds, with Redocly, ${what} (${rule})`, async () => {
      const problems = await contractProblems(JSON.stringify(planted(path, value)));
      expect(problems.map((problem) => problem.rule)).to.include(rule);
    });
  } // prettier-ignore

  it('finds a GraphQL field and an argument without description', () => {
    const sdl = '"Reading." type Query { user(id: ID!): Int }';
    expect(schemaProblems(sdl).map(({ place }) => place)).to.deep.equal(['Query.user', 'Query.user.id']);
  });

  it('refuses a GraphQL text that is no schema', () => {
    expect(() => schemaProblems('type Query { user: Nobody }')).to.throw('Unknown type "Nobody"');
  });

  it('refuses a document that is not an object', async () => {
    expect(await contractProblems('- 1')).to.deep.equal([
      { rule: 'struct', place: '#', message: 'The document is not an object.' },
    ]);
  });
});
