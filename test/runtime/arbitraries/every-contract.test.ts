/** Tests that what is made for the schemas of contracts is what their compiled checks take. */

import { expect } from 'chai';
import fc from 'fast-check';
import type { Check } from 'concordat';
import { runContract } from '../../../src/codegen/running/running-contract.js';
import { copied } from '../../../src/runtime/arbitraries/fitting.js';
import { heightOf } from '../../../src/runtime/arbitraries/members.js';
import { Values } from '../../../src/runtime/arbitraries/values.js';
import { contracts as listed, printSkipped, triesAll } from '../../codegen/contract-list.js';

const VALUES = triesAll ? 1_000 : 100;

/** The checks of GitHub's contract take minutes. */
const contracts = [{ name: 'openapi.yaml', file: 'openapi.yaml' }, ...listed].filter(
  ({ name }) => triesAll || !name.startsWith('github'),
);

/** The checks that take no value at all. */
const EMPTY = ['takeNothing body'];

describe('arbitraries of the schemas', function () {
  this.timeout(triesAll ? 3_600_000 : 120_000);

  printSkipped("GitHub's");
  for (const { name, file } of contracts) {
    it(`of ${name} are taken by their checks`, async () => {
      const { contract, responseChecks } = await runContract(file);
      const checks = new Map<string, Check>(Object.entries(responseChecks));
      for (const [id, { checkParameters, requestBody }] of Object.entries(contract.operations)) {
        if (checkParameters !== undefined) checks.set(`${id} parameters`, checkParameters);
        for (const codec of Object.values(requestBody?.content ?? {}))
          if ('check' in codec) checks.set(`${id} body`, codec.check);
      }
      for (const [what, check] of checks) {
        if (heightOf([{ $ref: check }]) === Infinity) expect(EMPTY).to.include(what);
        else expectTaken(what, check);
      }
    });
  }

  function expectTaken(what: string, check: Check): void {
    const values = fc.sample(new Values().of([{ $ref: check }]), VALUES);
    const refused = values.filter((value) => !check(copied(value)));
    expect(refused, what).to.deep.equal([]);
  }
});
