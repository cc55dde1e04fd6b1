/** The checks of an API key store. */
import assert from 'node:assert/strict';
import { parseId } from '../../model/id.js';
import type { Storage } from '../../ports/storage.js';
import { checks } from '../check.js';
import { addUser, at, change, idsOf, oddIds, start, taken } from './records.js';

const all = start;

export const apiKeyChecks = checks<Storage>({
  'api-keys-create: create gives back the key, active and unused': async (storage) => {
    const { apiKeys } = storage;
    const name = '  Ångström 💡 \'";-- ';
    const apiKey = taken(await apiKeys.create({ ownerId: undefined, name, hash: '#1' }, at(5)));
    assert.deepEqual(apiKey, { id: apiKey.id, name, active: true, createdAt: at(5), lastUsedAt: undefined });
    assert.equal(parseId(apiKey.id), apiKey.id);
    assert.deepEqual(await apiKeys.find(apiKey.id), apiKey);
    assert.deepEqual(await apiKeys.findCredentials(apiKey.id), { apiKey, hash: '#1' });
  },

  'api-keys-hash-apart: no record holds the hash': async ({ apiKeys }) => {
    const made = taken(await apiKeys.create({ ownerId: undefined, name: 'A', hash: '#secret' }, at(0)));
    const read = [made, await apiKeys.find(made.id), await apiKeys.list(all)];
    assert.ok(!JSON.stringify(read).includes('secret'), 'a record holds the hash');
  },

  'api-keys-odd-ids: a text that is not an id is not found': async ({ apiKeys }) => {
    taken(await apiKeys.create({ ownerId: undefined, name: 'A', hash: '#' }, at(0)));
    for (const id of [...oddIds, '999']) {
      assert.equal(await apiKeys.find(id), undefined);
      assert.equal(await apiKeys.findCredentials(id), undefined);
      assert.equal(await apiKeys.deactivate(id), 'not-found');
      await apiKeys.recordUse(id, at(1));
      assert.equal(await apiKeys.create({ name: 'B', hash: '#', ownerId: id }, at(0)), 'owner-not-found');
    }
    assert.equal(await apiKeys.count(), 1);
  },

  'api-keys-list: lists are ascending by id, inactive keys too': async ({ apiKeys }) => {
    const made = [];
    for (let number = 1; number <= 12; number++) {
      made.push(
        taken(
          await apiKeys.create({ ownerId: undefined, name: `Key ${number}`, hash: `#${number}` }, at(number)),
        ),
      );
    }
    await apiKeys.deactivate(made[2]?.id ?? '');
    const ids = idsOf(made);
    assert.deepEqual(idsOf(await apiKeys.list(start)), ids);
    assert.deepEqual(idsOf(await apiKeys.list({ offset: 9, limit: 2 })), ids.slice(9, 11));
    assert.deepEqual(idsOf(await apiKeys.list({ after: ids[8], limit: 2 })), ids.slice(9, 11));
    assert.equal(await apiKeys.count(), 12);
  },

  'api-keys-deactivate: a deactivated key stays inactive': async ({ apiKeys }) => {
    const first = taken(await apiKeys.create({ ownerId: undefined, name: 'A', hash: '#a' }, at(0)));
    const second = taken(await apiKeys.create({ ownerId: undefined, name: 'B', hash: '#b' }, at(0)));
    assert.equal(await apiKeys.deactivate(first.id), 'deactivated');
    assert.equal(await apiKeys.deactivate(first.id), 'deactivated');
    assert.deepEqual(await apiKeys.list(all), [{ ...first, active: false }, second]);
    assert.equal((await apiKeys.findCredentials(first.id))?.apiKey.active, false);
  },

  'api-keys-use: the last use never goes back': async ({ apiKeys }) => {
    const { id } = taken(await apiKeys.create({ ownerId: undefined, name: 'A', hash: '#' }, at(0)));
    const last = '2026-01-01T00:00:07.000001Z';
    await Promise.all([at(3), last, at(5)].map((moment) => apiKeys.recordUse(id, moment)));
    assert.equal((await apiKeys.find(id))?.lastUsedAt, last);
    await apiKeys.recordUse(id, at(6));
    assert.equal((await apiKeys.find(id))?.lastUsedAt, last);
  },

  'api-keys-owner: a key is deleted with its owner, and not with another user': async (storage) => {
    const { apiKeys, users } = storage;
    const [owner, other] = [await addUser(storage, 1), await addUser(storage, 2)];
    const keyOf = async (ownerId?: string) =>
      taken(await apiKeys.create({ name: 'A', hash: '#', ownerId }, at(0)));
    await keyOf(owner.id);
    const stays = [await keyOf(other.id), await keyOf()];
    await users.update(owner.id, change({ status: 'inactive', role: 'user' }), at(1));
    assert.equal(await apiKeys.count(), 3, 'until the owner is deleted');
    await users.delete(owner.id);
    assert.deepEqual(await apiKeys.list(all), stays);
    const next = await keyOf();
    assert.ok(!idsOf(stays).includes(next.id), 'an id is used again');
  },
});
