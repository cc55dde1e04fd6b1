/** Tests that the contract's `security` and the table of rights agree. */
import { expect } from 'chai';
import { contract } from '../../../generated/routing.js';
import type { OperationContract, RestContract, SecurityRequirement } from '../../../src/runtime/index.js';
import { operationActions } from '../../../src/core/operations/operation-actions.js';
import { narrowSecurity } from '../../../src/core/operations/security.js';
import { anonymous, type Caller } from '../../../src/core/services/rights/caller.js';
import { openPolicy, protectedPolicy } from '../../../src/core/services/rights/policy.js';
import { Rights } from '../../../src/core/services/rights/rights.js';
import { apiKey, asAdmin } from '../services/fixture.js';

const policies = [new Rights(openPolicy), new Rights(protectedPolicy)];
const operations: Readonly<Record<keyof typeof operationActions, OperationContract>> = contract.operations;
const [open, guarded] = policies as [Rights, Rights];

const schemesOf = (security: readonly SecurityRequirement[]) =>
  security.map((requirement) => Object.keys(requirement).join(' and ') || 'nothing');

describe('the contract and the table of rights', () => {
  for (const [id, { security }] of Object.entries(operations)) {
    const action = operationActions[id as keyof typeof operationActions];

    if (action === undefined) {
      it(`${id} is how callers come by a credential, and looks at none`, () => {
        expect(security).to.deep.equal([]);
      });
      continue;
    }

    const admitted = (caller: Caller) => policies.some((rights) => rights.mayEver(caller, action));

    it(`${id} lets in without a credential whom some policy does`, () => {
      expect(schemesOf(security).includes('nothing')).to.equal(admitted(anonymous));
    });

    it(`${id} takes a token where some policy serves users`, () => {
      expect(schemesOf(security).includes('bearerAuth')).to.equal(admitted(asAdmin('1')));
    });

    it(`${id} takes an API key only where some policy serves keys`, () => {
      if (schemesOf(security).includes('apiKeyAuth')) expect(admitted(apiKey)).to.equal(true);
      // Under the protected policy a key has no right that the contract leaves no way to use.
      if (guarded.mayEver(apiKey, action) && !guarded.mayEver(anonymous, action)) {
        expect(schemesOf(security)).to.include('apiKeyAuth');
      }
    });
  }

  it('lets a policy only narrow the security of the contract', () => {
    expect(narrowSecurity(contract, open)).to.deep.equal(contract);
    const narrowed = narrowSecurity(contract, guarded).operations;
    expect(narrowed.listUsers.security).to.deep.equal([{ bearerAuth: [] }, { apiKeyAuth: [] }]);
    expect(narrowed.createUser.security).to.deep.equal(contract.operations.createUser.security);
    for (const [id, { security }] of Object.entries(narrowed)) {
      const before = contract.operations[id as keyof typeof narrowed].security;
      expect(before).to.deep.include.members([...security]);
      expect(security.length > 0).to.equal(before.length > 0);
    }
  });

  it('leaves operations as they are that are not those of the core, whatever their names', () => {
    const { listUsers } = contract.operations;
    const others = { listUsers, constructor: listUsers, toString: listUsers };
    const { paths, securitySchemes, xmlNames } = contract;
    const extended: RestContract<keyof typeof others> = {
      operations: others,
      paths,
      securitySchemes,
      xmlNames,
    };
    const narrowed = narrowSecurity(extended, guarded).operations;
    expect(narrowed.constructor).to.equal(listUsers);
    expect(narrowed.toString).to.equal(listUsers);
    expect(narrowed.listUsers).not.to.deep.equal(listUsers);
  });
});
