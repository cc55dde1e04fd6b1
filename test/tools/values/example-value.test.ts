/** Values made for schemas are held against the compiled checks of these schemas. */

import { expect } from 'chai';
import { exampleValue } from '../../../src/tools/values/example-value.js';
import { partsOf } from '../../../src/tools/values/document-parts.js';
import { loadContract } from '../../../src/codegen/contract/load/load.js';
import { ContractSchemas } from '../../../src/codegen/contract/schemas/contract-schemas.js';
import { compileValidators } from '../../../src/codegen/checks/schemas/compile-validators.js';
import { imported } from '../../codegen/checks/schemas/compiled.js';

const CONTRACTS = [
  'openapi.yaml',
  'test/fixtures/contracts/bodies.openapi-3.1.yaml',
  'test/fixtures/contracts/library/openapi.yaml',
  'test/fixtures/contracts/schemas.openapi-3.0.yaml',
  'test/fixtures/contracts/schemas.openapi-3.1.json',
];

/** What only trying finds: an heir that a discriminator names from outside, and a property that a `not` forbids. */
const MISSED: Readonly<Record<string, readonly string[]>> = {
  'test/fixtures/contracts/schemas.openapi-3.0.yaml': ['Animal', 'Animal, full', 'Account, full'],
};

describe('example values', () => {
  for (const contract of CONTRACTS) {
    for (const direction of ['request', 'response'] as const) {
      it(`fit every schema of ${contract} in a ${direction}`, async () => {
        const { document } = await loadContract(contract);
        const names = Object.keys(document.components?.schemas ?? {});
        const wanted = names.map((name, index) => ({
          name: `check${String(index)}`,
          schema: { pointer: `#/components/schemas/${name}` },
          direction,
        }));
        const compiled = compileValidators(document, wanted);
        const checks = await imported(compiled[`${direction}s`].js);
        const missed: string[] = [];
        const schemas = new ContractSchemas(document);
        for (const [index, name] of names.entries()) {
          const parts = partsOf({ node: schemas.at(`#/components/schemas/${name}`) });
          for (const full of [false, true]) {
            const value = exampleValue(parts, { direction, full });
            const check = checks[`check${String(index)}`];
            const fits = value !== undefined && (check === undefined || check(structuredClone(value)));
            if (!fits) missed.push(`${name}${full ? ', full' : ''}`);
          }
        }
        expect(missed).to.deep.equal(MISSED[contract] ?? []);
      });
    }
  }

  it('have the tag by which the discriminator picks their alternative, not the name of its schema', () => {
    const role = (name: string) => ({
      type: 'object',
      required: ['role'],
      properties: { role: { const: name } },
    });
    const $ref = '#/components/schemas/SystemMessage';
    const schemas = new ContractSchemas({
      openapi: '3.1.0',
      components: {
        schemas: {
          Message: { oneOf: [{ $ref }], discriminator: { propertyName: 'role' } },
          SystemMessage: role('system'),
        },
      },
    });
    const parts = partsOf({ node: schemas.at('#/components/schemas/Message') });
    const value = exampleValue(parts, { direction: 'request', full: false, own: 'all' });
    expect(value).to.deep.equal({ role: 'system' });
  });
});
