/** The checks of a store of external identities. */
import assert from 'node:assert/strict';
import type { Storage } from '../../ports/storage.js';
import { everyUser } from '../../ports/user-store.js';
import { checks } from '../check.js';
import { addUser, at, change, newUser, shownFields, taken } from './records.js';

const identity = { issuer: 'https://id.example.com', subject: 'ada' };
const rounds = Array.from({ length: 8 }, (_, index) => index);

export const externalIdentityChecks = checks<Storage>({
  'identities-create: the first findOrCreateUser stores an ordinary user, who has the identity from then on':
    async ({ users, externalIdentities }) => {
      assert.equal(await externalIdentities.findUser(identity), undefined);
      const made = taken(await externalIdentities.findOrCreateUser(identity, newUser(1), at(1)));
      const { id, ...fields } = made;
      assert.deepEqual(fields, {
        ...shownFields(newUser(1)),
        createdAt: at(1),
        updatedAt: at(1),
        sessionsFrom: undefined,
        version: 1,
      });
      assert.deepEqual(await externalIdentities.findUser(identity), made);
      assert.deepEqual(await users.find(id), made);
      assert.deepEqual(await users.findCredentials('USER1@example.com'), {
        user: made,
        passwordHash: undefined,
      });
      assert.equal(await users.count(everyUser), 1);
    },

  'identities-find: the user who has the identity is found as now stored, and the given new user is ignored':
    async ({ users, externalIdentities }) => {
      const { id } = taken(await externalIdentities.findOrCreateUser(identity, newUser(1), at(1)));
      const changed = await users.update(
        id,
        change({ email: 'other@example.com', status: 'inactive' }),
        at(2),
      );
      assert.deepEqual(await externalIdentities.findOrCreateUser(identity, newUser(2), at(3)), changed);
      assert.deepEqual(await externalIdentities.findUser(identity), changed);
      assert.equal(await users.count(everyUser), 1);
    },

  'identities-apart: identities are compared letter by letter, issuer and subject each': async ({
    users,
    externalIdentities,
  }) => {
    const identities = [
      identity,
      { ...identity, subject: 'Ada' },
      { ...identity, subject: 'ada ' },
      { ...identity, issuer: `${identity.issuer}/` },
      { issuer: `${identity.issuer}a`, subject: 'da' },
      { ...identity, subject: "ada' OR '1'='1" },
      { ...identity, subject: '__proto__' },
    ];
    for (const [number, each] of identities.entries()) {
      assert.equal(await externalIdentities.findUser(each), undefined, each.subject);
      taken(await externalIdentities.findOrCreateUser(each, newUser(number), at(0)));
    }
    assert.equal(await users.count(everyUser), identities.length);
    assert.equal(await externalIdentities.findUser({ ...identity, subject: 'a\u0000' }), undefined);
  },

  'identities-email: an email that another user has is refused, and the identity stays without a user':
    async (storage) => {
      const { users, externalIdentities } = storage;
      await addUser(storage, 1);
      const user = newUser(1, { email: 'USER1@Example.com' });
      assert.equal(await externalIdentities.findOrCreateUser(identity, user, at(1)), 'email-taken');
      assert.equal(await externalIdentities.findUser(identity), undefined);
      assert.equal(await users.count(everyUser), 1);
      const made = taken(await externalIdentities.findOrCreateUser(identity, newUser(2), at(1)));
      assert.deepEqual(await externalIdentities.findUser(identity), made);
    },

  'identities-cascade: an identity is deleted with its user, and may then belong to a new one': async ({
    users,
    externalIdentities,
  }) => {
    const first = taken(await externalIdentities.findOrCreateUser(identity, newUser(1), at(1)));
    assert.equal(await users.delete(first.id), 'deleted');
    assert.equal(await externalIdentities.findUser(identity), undefined);
    const second = taken(await externalIdentities.findOrCreateUser(identity, newUser(1), at(2)));
    assert.notEqual(second.id, first.id);
  },

  'identities-race: several first sign-ins of one identity at once make one user, and all get that one':
    async ({ users, externalIdentities }) => {
      const sameEmail = await Promise.all(
        rounds.map((index) => externalIdentities.findOrCreateUser(identity, newUser(1), at(index))),
      );
      const other = { ...identity, subject: 'grace' };
      const otherEmails = await Promise.all(
        rounds.map((index) => externalIdentities.findOrCreateUser(other, newUser(2 + index), at(index))),
      );
      for (const outcomes of [sameEmail, otherEmails]) {
        assert.equal(new Set(outcomes.map((outcome) => taken(outcome).id)).size, 1);
      }
      assert.equal(await users.count(everyUser), 2);
    },

  'identities-race-email: of several identities with one email at once, exactly one gets a user': async ({
    users,
    externalIdentities,
  }) => {
    const outcomes = await Promise.all(
      rounds.map((index) =>
        externalIdentities.findOrCreateUser({ ...identity, subject: `${index}` }, newUser(1), at(0)),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome !== 'email-taken').length, 1);
    assert.equal(await users.count(everyUser), 1);
  },
});
