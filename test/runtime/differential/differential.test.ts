/**
 * The second opinion: thousands of random requests, good and bad, to what is generated and to openapi-backend. They
 * agree on the operation and on whether the request is fit for it, but for the differences that are written down.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import fc from 'fast-check';
import { contract } from '../../../generated/routing.js';
import type { RestContract } from '../../../src/runtime/contract/contract.js';
import { generateContract, removeDirectory, temporaryPackage } from '../../codegen/generated-contract.js';
import type { Node } from '../../contract/contract-document.js';
import { compileComparison } from './compare.js';
import { fixtureDifferences } from './fixture-differences.js';
import { commonDifferences, type Difference } from './intended-differences.js';
import { backendOpinion, engineOpinion } from './opinions.js';
import { randomRequests } from './random-requests.js';
import { runs, triesMuch } from '../../support/budget.js';

/** Always the same requests; fast-check prints the seed, and the smallest request that it can find, when it fails. */
const SEED = 20_261_124;
/** To each contract: about one in a hundred requests that replace a user is accepted. */
const REQUESTS = runs(15_000);

const allDifferences = [...commonDifferences, ...fixtureDifferences];
const occurrences = new Map(allDifferences.map(({ name }) => [name, 0]));

async function expectAgreement(
  file: URL,
  generated: RestContract,
  differences: readonly Difference[],
): Promise<void> {
  const document = parseYaml(await readFile(file, 'utf8')) as Node;
  const sides = { ours: engineOpinion(generated), theirs: await backendOpinion(document) };
  const compare = compileComparison(document, sides, differences);
  const reached = new Set<string | number>();
  const refused = new Set<string | number>();
  await fc.assert(
    fc.asyncProperty(randomRequests(document), async (request) => {
      const { route, isAccepted, differences: names } = await compare(request);
      for (const name of names) occurrences.set(name, (occurrences.get(name) ?? 0) + 1);
      (isAccepted ? reached : refused).add(route);
    }),
    { seed: SEED, numRuns: REQUESTS },
  );
  // The requests are good and bad ones, or their agreement says little.
  const ids = Object.keys(generated.operations);
  expect(
    ids.filter((id) => !reached.has(id)),
    'never accepted',
  ).to.deep.equal([]);
  expect(ids.filter((id) => refused.has(id)).length).to.be.above(ids.length / 3);
  expect([...refused]).to.include.members([404, 405]);
}

describe('the generated code and openapi-backend', () => {
  it('agree on our own contract', async () => {
    const file = new URL('../../../openapi.yaml', import.meta.url);
    // Without the types of its operations, as `expectAgreement` takes any contract.
    const { operations, paths, securitySchemes, xmlNames } = contract;
    const generated = { operations: { ...operations }, paths, securitySchemes, xmlNames };
    await expectAgreement(file, generated, commonDifferences);
  });

  it('agree on a contract made of questions', async () => {
    const file = new URL('fixture.openapi.yaml', import.meta.url);
    const directory = await temporaryPackage();
    try {
      const generated = await generateContract(directory, { openapi: fileURLToPath(file) });
      await expectAgreement(file, generated.contract, allDifferences);
    } finally {
      await removeDirectory(directory);
    }
  });

  for (const { name, why } of allDifferences) {
    it(`differ where that is meant: ${name} (${why})`, () => {
      // A few thousand requests may lack a rare one.
      if (triesMuch) expect(occurrences.get(name)).to.be.above(0);
    });
  }
});
