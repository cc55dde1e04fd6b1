/** Both shipped tables of rights, every action and kind of caller, held against a table of what is expected. */
import { expect } from 'chai';
import { anonymous, type Caller } from '../../../../src/core/services/rights/caller.js';
import { openPolicy, protectedPolicy, type Action } from '../../../../src/core/services/rights/policy.js';
import { Rights } from '../../../../src/core/services/rights/rights.js';
import {
  callerNames,
  expectedActions,
  isExpected,
  type CallerName,
} from '../../../support/expected-rights.js';
import { apiKey, asAdmin, asUser } from '../fixture.js';

const owner = '7';
const callers: Readonly<Record<CallerName, Caller>> = {
  'an anonymous caller': anonymous,
  'another user': asUser('8'),
  'the owner': asUser(owner),
  'an admin': asAdmin('9'),
  'an API key': apiKey,
};

for (const [name, policy] of [
  ['open', openPolicy],
  ['protected', protectedPolicy],
] as const) {
  describe(`${name}Policy`, () => {
    const rights = new Rights(policy);

    it('has exactly the rows of the expected table', () => {
      expect(Object.keys(policy)).to.have.members([...expectedActions]);
    });

    for (const action of expectedActions) {
      for (const who of callerNames) {
        const may = isExpected(name, action, who);
        it(`${may ? 'lets' : 'does not let'} ${who} do ${action}`, () => {
          expect(rights.allows(callers[who], action, owner)).to.equal(may);
        });
      }
    }
  });
}

describe('protectedPolicy', () => {
  it('lets an API key write nothing', () => {
    const rights = new Rights(protectedPolicy);
    const actions = Object.keys(protectedPolicy) as Action[];
    const may = actions.filter((action) => rights.mayEver(apiKey, action));
    expect(may).to.have.members([
      'users.read',
      'posts.read',
      'orders.read',
      'products.read',
      'comments.read',
      'keys.readOwn',
    ]);
  });
});
