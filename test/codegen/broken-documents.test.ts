/** Tests that generation fails with a place, and with nothing else, for documents that are broken anywhere. */

import { readFile } from 'node:fs/promises';
import { ContractError } from 'concordat';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import { joinPointer } from '../../src/codegen/text/pointer.js';
import { fixtureContracts, hasSharedFolder, sharedContracts, triesAll } from './contract-list.js';
import { type Mutant, mutantsAt, mutated, placesOf } from './mutants.js';
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

/** Where every contract is tried, also every case. The step is no multiple of the values at a place, so that all of them are tried. */
const STEP = triesAll ? 1 : 61;

/** Documents whose cases take long, which are tried at one place of each kind. */
const large = [
  { name: 'openapi.yaml', file: 'openapi.yaml' },
  ...(hasSharedFolder ? sharedContracts.filter(({ name }) => name.startsWith('train')) : []),
];
const documents = triesAll ? [...fixtureContracts, ...large] : fixtureContracts;

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

  describe('has any wrong value', function () {
    this.timeout(triesAll ? 7_200_000 : 120_000);
    let cases: readonly (Mutant & { readonly document: object; readonly name: string })[] = [];

    before(async () => {
      const known = new Set<string>();
      const all = [];
      for (const { name, file } of documents) {
        const document = parseYaml(await readFile(file, 'utf8')) as object;
        // A large document is tried at one place of each kind that no other document has.
        const places = [...placesOf(document)].filter(({ kind }) => {
          const isNew = !known.has(kind);
          known.add(kind);
          return isNew || (triesAll && !large.some((each) => each.name === name));
        });
        for (const each of mutantsAt(places.map(({ path }) => path))) all.push({ ...each, document, name });
      }
      cases = all;
    });

    it(`at each kind of place: every ${String(STEP)}th case, the same in each run`, async () => {
      const tried = cases.filter((_, index) => index % STEP === 0);
      const failures: string[] = [];
      for (const { name, document, path, value } of tried) {
        await expectPlaces(mutated(document, { path, value }), false).catch((error: unknown) => {
          const { message, cause } = error as Error;
          const place = `${name} ${joinPointer('#', ...path)} = ${value === undefined ? 'nothing' : JSON.stringify(value)}`;
          failures.push(`${place}: ${message} ${cause instanceof Error ? String(cause.stack) : ''}`);
        });
      }
      process.stdout.write(`      ${String(tried.length)} of ${String(cases.length)} cases\n`);
      expect(failures).to.deep.equal([]);
    });
  });
});

/** Expects that generation gives up with places, or that it does not where the document may be right, or all is accepted. */
async function expectPlaces(
  document: object,
  mustFail = true,
  accept: readonly string[] = [],
): Promise<void> {
  const error: unknown = await generated(document, accept).then(
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
  const features = new Set(error.problems.map(({ feature }) => feature));
  if (accept.length === 0 && !features.has(undefined)) {
    await expectPlaces(
      document,
      false,
      [...features].flatMap((feature) => feature ?? []),
    );
  }
}
