/** What a table of rights answers, on a table of the test's own. */
import { expect } from 'chai';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy, type Policy, protectedPolicy } from '../../../../src/core/services/rights/policy.js';
import { Rights } from '../../../../src/core/services/rights/rights.js';
import { apiKey, asAdmin, asUser } from '../fixture.js';

const policy: Policy = {
  ...openPolicy,
  'orders.read': ['owner', 'api-key'],
  'users.read': ['user'],
  'users.update': [],
};
const rights = new Rights(policy);
const [user, admin] = [asUser('7'), asAdmin('9')];

describe('Rights', () => {
  it('needs one grant of the row, and no row grants by itself', () => {
    expect(rights.allows(user, 'users.read')).to.equal(true);
    expect(rights.allows(admin, 'users.read'), 'an admin is a user').to.equal(true);
    expect(rights.allows(admin, 'users.update', '9'), 'an empty row lets nobody through').to.equal(false);
    expect(rights.allows(admin, 'orders.read', '7'), 'not even an admin, unless the row says so').to.equal(
      false,
    );
  });

  it('takes nobody for the owner of what belongs to nobody', () => {
    expect(rights.allows(user, 'orders.read', undefined)).to.equal(false);
    expect(rights.allows(anonymous, 'orders.read', undefined)).to.equal(false);
    expect(
      rights.allows({ kind: 'api-key', id: '7' }, 'users.update', '7'),
      'a key is not the user of its id',
    ).to.equal(false);
  });

  it('refuses callers with forbidden, and others with unauthenticated', () => {
    const require = (caller: Parameters<typeof rights.require>[0]) => () => {
      rights.require(caller, 'orders.read', '8');
    };
    expect(require(user)).to.throw('Insufficient permissions').with.property('code', 'forbidden');
    expect(require(anonymous)).to.throw('Not authenticated').with.property('code', 'unauthenticated');
    expect(require(apiKey)).not.to.throw();
  });

  it('says who may ever do it, for some owner', () => {
    expect(rights.mayEver(user, 'orders.read')).to.equal(true);
    expect(rights.mayEver(anonymous, 'orders.read')).to.equal(false);
    expect(() => {
      rights.requireSome(apiKey, 'users.read');
    }).to.throw('Insufficient permissions');
  });

  it('scopes to the caller who may see only their own', () => {
    expect(rights.scope(user, 'orders.read')).to.deep.equal({ owner: '7' });
    expect(rights.scope(apiKey, 'orders.read')).to.deep.equal({ owner: undefined });
    expect(() => rights.scope(anonymous, 'orders.read')).to.throw('Not authenticated');
  });

  it('reports refusals of privileged actions, at most 60 a minute, and none of callers without a credential', () => {
    const reported: string[] = [];
    const protectedRights = new Rights(protectedPolicy, (caller, action, target) => {
      reported.push([caller.kind, action, target].join(' '));
    });
    const tryAll = (caller: Parameters<typeof rights.require>[0]) => {
      for (const action of ['users.delete', 'posts.create', 'keys.manage'] as const) {
        expect(() => protectedRights.requireFirst(caller, [action], undefined, 'user:1')).to.throw();
      }
    };
    tryAll(anonymous);
    expect(reported).to.deep.equal([]);
    tryAll(user);
    expect(reported).to.deep.equal(['user users.delete user:1', 'user keys.manage user:1']);
    for (let round = 0; round < 100; round += 1) tryAll(apiKey);
    expect(reported.length).to.be.within(60, 120); // two minutes, if one has just ended
  });
});
