/** Both shipped tables of rights, every action and kind of caller, held against a table written from decisions §4. */
import { expect } from 'chai';
import { anonymous, type Caller } from '../../../src/core/services/caller.js';
import { openPolicy, protectedPolicy, type Action } from '../../../src/core/services/policy.js';
import { Rights } from '../../../src/core/services/rights.js';
import { apiKey, asAdmin, asUser } from './fixture.js';

const owner = '7';
const callers: Readonly<Record<string, Caller>> = {
  nobody: anonymous,
  'another user': asUser('8'),
  'the owner': asUser(owner),
  'an admin': asAdmin('9'),
  'an API key': apiKey,
};

const everybody = Object.keys(callers);
const users = ['another user', 'the owner', 'an admin'];
const ownerOrAdmin = ['the owner', 'an admin'];
const admins = ['an admin'];

/** Who may, of those above: under `open`, and under `protected`. */
const expected: Readonly<Record<Action, readonly [readonly string[], readonly string[]]>> = {
  'profile.read': [users, users],

  'users.create': [everybody, ['nobody', ...users]],
  'users.read': [everybody, [...users, 'an API key']],
  'users.update': [everybody, ownerOrAdmin],
  'users.giveRole': [admins, admins],
  'users.changePassword': [ownerOrAdmin, ownerOrAdmin],
  'users.activate': [everybody, admins],
  'users.delete': [admins, admins],

  'posts.read': [everybody, everybody],
  'posts.create': [['nobody', 'an API key', ...ownerOrAdmin], ownerOrAdmin],

  'orders.read': [everybody, [...ownerOrAdmin, 'an API key']],
  'orders.create': [everybody, ownerOrAdmin],
  'orders.replace': [everybody, ownerOrAdmin],
  'orders.changeStatus': [everybody, admins],
  'orders.cancel': [everybody, ownerOrAdmin],
  'orders.refund': [everybody, admins],
  'orders.delete': [everybody, ownerOrAdmin],
  'orders.deleteStarted': [everybody, admins],

  'products.read': [everybody, everybody],
  'products.write': [everybody, admins],

  'comments.read': [everybody, [...ownerOrAdmin, 'an API key']],
  'comments.create': [everybody, ownerOrAdmin],
  'comments.createAs': [everybody, ownerOrAdmin],

  'keys.manage': [admins, admins],
  'keys.readOwn': [['an API key'], ['an API key']],
};

for (const [name, policy, column] of [
  ['openPolicy', openPolicy, 0],
  ['protectedPolicy', protectedPolicy, 1],
] as const) {
  describe(name, () => {
    const rights = new Rights(policy);

    it('has exactly the rows of the expected table', () => {
      expect(Object.keys(policy)).to.have.members(Object.keys(expected));
    });

    for (const action of Object.keys(expected) as Action[]) {
      for (const [who, caller] of Object.entries(callers)) {
        const may = expected[action][column].includes(who);
        it(`${may ? 'lets' : 'does not let'} ${who} do ${action}`, () => {
          expect(rights.allows(caller, action, owner)).to.equal(may);
        });
      }
    }
  });
}

describe('protectedPolicy', () => {
  it('lets an API key write nothing', () => {
    const rights = new Rights(protectedPolicy);
    const actions = Object.keys(protectedPolicy) as Action[];
    const may = actions.filter((action) => rights.admits(apiKey, action));
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
