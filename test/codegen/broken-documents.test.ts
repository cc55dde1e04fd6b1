/** Tests that generation fails with a place, and with nothing else, for documents that are broken anywhere. */

import { readFile } from 'node:fs/promises';
import { ContractError } from '@concordat/codegen';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import fc from 'fast-check';
import { fixture } from './contract-list.js';
import { documentOf, generated, operationOf, parameterOf, schemaOf } from './written-contract.js';

const media = (schema: object) => ({ content: { 'application/json': schema } });

/** Documents that something in the generator once failed on. */
const rows: readonly (readonly [what: string, document: object])[] = [
  ['no version', { info: {}, paths: {} }],
  ['parameters that are a number', operationOf({ parameters: -1 }, {}, '3.2.0')],
  ['a parameter that is null', operationOf({ parameters: [null] })],
  ['a reference that is a list', schemaOf({ $ref: [] })],
  ['a reference that is null', schemaOf({ properties: { a: { $ref: null } } }, {}, '3.0.3')],
  ['a reference where a map of properties is', schemaOf({ properties: { $ref: '#/components' } })],
  [
    'a media type that is the whole of the components',
    operationOf(
      { requestBody: { content: { 'application/json': { $ref: { $ref: '#/components' } } } } },
      { components: { mediaTypes: { A: { $ref: { $ref: '#/components' } } } } },
      '3.2.0',
    ),
  ],
  ['an anchor that is not there', schemaOf({ properties: { a: { $ref: '#nothing' } } })],
  ['components that are a list', documentOf({ components: [] })],
];

/** Values that are wrong nearly everywhere. */
const WRONG = [
  null,
  5,
  'text',
  true,
  [],
  {},
  [1],
  ['a'],
  { $ref: '#/nowhere' },
  { $ref: 5 },
  { $ref: '#/components' },
];

describe('a broken document', () => {
  for (const [what, document] of rows) it(`has ${what}`, () => expectPlaces(document));

  it('has a reference only in the data of an example', async () => {
    const examples = { one: { value: { $ref: '#nothing' } } };
    await generated(operationOf({ requestBody: media({ schema: {}, examples }) }));
  });

  it('has a parameter whose content has no schema', async () => {
    const parameters = [{ name: 'p', in: 'query', content: { 'application/json': {} } }];
    const post = { operationId: 'b', parameters, responses: { 204: { description: 'Nothing' } } };
    await generated(operationOf({ parameters }, { webhooks: { b: { post } } }), [], { values: {} });
  });

  it('keeps the sentence of a lenient parameter', () =>
    expectPlaces(parameterOf({ schema: 5, 'x-lenient': {} })));

  it('has anything in any place', async function () {
    this.timeout(120_000);
    const text = await readFile(fixture('latest.openapi-3.2.yaml').file, 'utf8');
    const count = placesOf(parseYaml(text)).length;
    const mutants = fc.asyncProperty(
      fc.nat(count - 1),
      fc.option(fc.constantFrom(...WRONG), { nil: undefined }),
      async (index, value) => {
        const document = parseYaml(text) as object;
        const [owner, name] = placesOf(document)[index] ?? [{}, ''];
        if (value === undefined) Reflect.deleteProperty(owner, name);
        else Object.assign(owner, { [name]: value });
        await expectPlaces(document, false);
      },
    );
    await fc.assert(mutants, { numRuns: 40 });
  });
});

/** Expects that generation gives up with places, or that it does not where the document may be right. */
async function expectPlaces(document: object, mustFail = true): Promise<void> {
  const error: unknown = await generated(document).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) {
    expect(mustFail, 'it generates').to.equal(false);
    return;
  }
  if (!(error instanceof ContractError)) throw new Error('it has no place', { cause: error });
  for (const problem of error.problems) {
    expect(problem.fault, problem.message).to.not.equal('generator-failure');
    expect(problem.line, problem.message).to.be.above(0);
    expect(problem.pointer, problem.message).to.match(/^#/);
  }
}

/** Every member of a document, with the object or list that has it. */
function placesOf(value: unknown): readonly (readonly [owner: object, name: string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [[value, name] as const, ...placesOf(member)]);
}
