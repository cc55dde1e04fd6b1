/** The checks of a store of external identities, and of an API key store. */
import assert from 'node:assert/strict';
import type { ApiKey } from '../../../model/credentials.js';
import { parseId } from '../../../model/id.js';
import type { Stores } from '../../../ports/storage.js';
import { everyUser } from '../../../ports/user-store.js';
import { storeChecks } from '../../check.js';
import {
  addUser,
  at,
  atOnce,
  change,
  idsOf,
  inTurn,
  newUser,
  oddIds,
  shownFields,
  start,
  taken,
  winners,
} from '../../samples.js';

const identity = { issuer: 'https://id.example.com', subject: 'ada' };

export const externalIdentityChecks = storeChecks(['externalIdentities', 'users'], {
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
      const credentials = { user: made, passwordHash: undefined };
      assert.deepEqual(await users.findCredentials('USER1@example.com'), credentials);
      assert.equal(await users.count(everyUser), 1);
    },

  'identities-find: the user who has the identity is found as now stored, and the given new user is ignored':
    async ({ users, externalIdentities }) => {
      const { id } = taken(await externalIdentities.findOrCreateUser(identity, newUser(1), at(1)));
      const fields = change({ email: 'other@example.com', status: 'inactive' });
      const changed = await users.update(id, fields, at(2));
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
      const sameEmail = await atOnce(8, (index) =>
        externalIdentities.findOrCreateUser(identity, newUser(1), at(index)),
      );
      const other = { ...identity, subject: 'grace' };
      const otherEmails = await atOnce(8, (index) =>
        externalIdentities.findOrCreateUser(other, newUser(2 + index), at(index)),
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
    const outcomes = await atOnce(8, (index) =>
      externalIdentities.findOrCreateUser({ ...identity, subject: `${index}` }, newUser(1), at(0)),
    );
    assert.equal(winners(outcomes).length, 1);
    assert.equal(await users.count(everyUser), 1);
  },
});

/** Stores a key, and asserts that it is accepted. */
async function addKey(
  { apiKeys }: Pick<Stores, 'apiKeys'>,
  ownerId?: string,
  name = 'A',
  hash = '#',
): Promise<ApiKey> {
  return taken(await apiKeys.create({ ownerId, name, hash }, at(0)));
}

export const apiKeyChecks = [
  ...storeChecks(['apiKeys'], {
    'api-keys-create: create gives back the key, active and unused': async (storage) => {
      const { apiKeys } = storage;
      const name = '  Ångström 💡 \'";-- ';
      const apiKey = taken(await apiKeys.create({ ownerId: undefined, name, hash: '#1' }, at(5)));
      assert.deepEqual(apiKey, {
        id: apiKey.id,
        name,
        active: true,
        createdAt: at(5),
        lastUsedAt: undefined,
      });
      assert.equal(parseId(apiKey.id), apiKey.id);
      assert.deepEqual(await apiKeys.find(apiKey.id), apiKey);
      assert.deepEqual(await apiKeys.findCredentials(apiKey.id), { apiKey, hash: '#1' });
    },

    'api-keys-hash-apart: no record holds the hash': async (storage) => {
      const { apiKeys } = storage;
      const made = await addKey(storage, undefined, 'A', '#secret');
      const read = [made, await apiKeys.find(made.id), await apiKeys.list(start)];
      assert.ok(!JSON.stringify(read).includes('secret'), 'a record holds the hash');
    },

    'api-keys-odd-ids: a text that is not an id is not found': async (storage) => {
      const { apiKeys } = storage;
      await addKey(storage);
      for (const id of [...oddIds, '999']) {
        assert.equal(await apiKeys.find(id), undefined);
        assert.equal(await apiKeys.findCredentials(id), undefined);
        assert.equal(await apiKeys.deactivate(id), 'not-found');
        await apiKeys.recordUse(id, at(1));
        assert.equal(await apiKeys.create({ name: 'B', hash: '#', ownerId: id }, at(0)), 'owner-not-found');
      }
      assert.equal(await apiKeys.count(), 1);
    },

    'api-keys-list: lists are ascending by id, inactive keys too': async (storage) => {
      const { apiKeys } = storage;
      const ids = idsOf(await inTurn(12, (number) => addKey(storage, undefined, `Key ${number}`)));
      await apiKeys.deactivate(ids[2] ?? '');
      assert.deepEqual(idsOf(await apiKeys.list(start)), ids);
      assert.deepEqual(idsOf(await apiKeys.list({ offset: 9, limit: 2 })), ids.slice(9, 11));
      assert.deepEqual(idsOf(await apiKeys.list({ after: ids[8], limit: 2 })), ids.slice(9, 11));
      assert.equal(await apiKeys.count(), 12);
    },

    'api-keys-deactivate: a deactivated key stays inactive': async (storage) => {
      const { apiKeys } = storage;
      const [first, second] = [await addKey(storage), await addKey(storage)];
      assert.equal(await apiKeys.deactivate(first.id), 'deactivated');
      assert.equal(await apiKeys.deactivate(first.id), 'deactivated');
      assert.deepEqual(await apiKeys.list(start), [{ ...first, active: false }, second]);
      assert.equal((await apiKeys.findCredentials(first.id))?.apiKey.active, false);
    },

    'api-keys-use: the last use never goes back': async (storage) => {
      const { apiKeys } = storage;
      const { id } = await addKey(storage);
      const last = '2026-01-01T00:00:07.000001Z';
      await Promise.all([at(3), last, at(5)].map((moment) => apiKeys.recordUse(id, moment)));
      assert.equal((await apiKeys.find(id))?.lastUsedAt, last);
      await apiKeys.recordUse(id, at(6));
      assert.equal((await apiKeys.find(id))?.lastUsedAt, last);
    },
  }),

  ...storeChecks(['apiKeys', 'users'], {
    'api-keys-owner: a key is deleted with its owner, and not with another user': async (storage) => {
      const { apiKeys, users } = storage;
      const [owner, other] = [await addUser(storage, 1), await addUser(storage, 2)];
      await addKey(storage, owner.id);
      const stays = [await addKey(storage, other.id), await addKey(storage)];
      await users.update(owner.id, change({ status: 'inactive', role: 'user' }), at(1));
      assert.equal(await apiKeys.count(), 3, 'until the owner is deleted');
      await users.delete(owner.id);
      assert.deepEqual(await apiKeys.list(start), stays);
      const next = await addKey(storage);
      assert.ok(!idsOf(stays).includes(next.id), 'an id is used again');
    },

    'api-keys-deactivate-all: all keys of an owner are deactivated, and no others': async (storage) => {
      const { apiKeys } = storage;
      const [owner, other] = [await addUser(storage, 1), await addUser(storage, 2)];
      const [first, second] = [await addKey(storage, owner.id), await addKey(storage, owner.id)];
      const stay = [await addKey(storage, other.id), await addKey(storage)];
      await apiKeys.deactivate(first.id);
      for (const id of [...oddIds, '999']) assert.equal(await apiKeys.deactivateAllOf(id), 0);
      assert.equal(await apiKeys.deactivateAllOf(owner.id), 1, 'the one that was active');
      assert.equal(await apiKeys.deactivateAllOf(owner.id), 0);
      const inactive = [first, second].map((key) => ({ ...key, active: false }));
      assert.deepEqual(await apiKeys.list(start), [...inactive, ...stay]);
    },
  }),
];
