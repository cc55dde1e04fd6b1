/** The checks of a store of external identities, and of an API key store. */
import assert from 'node:assert/strict';
import type { ApiKey, ExternalIdentity } from '../../../model/credentials.js';
import { parseId } from '../../../model/id.js';
import type { User } from '../../../model/user.js';
import type { ApiKeyCredentials, NewApiKey } from '../../../ports/credential-store.js';
import type { Stores } from '../../../ports/storage.js';
import { type Row, storeChecks, type Table } from '../../check.js';
import { recordChecks } from '../../every-store.js';
import { finds, lists, readAfterEach } from '../../reads.js';
import {
  addUser,
  addUserIds,
  at,
  atOnce,
  change,
  newUser,
  oddIds,
  oneWinner,
  start,
  storedValues,
  taken,
  userOf,
} from '../../samples.js';
import { userReads } from './users.js';

const identity = { issuer: 'https://id.example.com', subject: 'ada' };

/** The user with the number signs in with an identity. */
async function signIn(
  { externalIdentities }: Pick<Stores, 'externalIdentities'>,
  by: ExternalIdentity,
  number: number,
): Promise<User> {
  return taken(await externalIdentities.findOrCreateUser(by, newUser(number), at(1)));
}

export const externalIdentityChecks = storeChecks(['externalIdentities', 'users'], {
  'identities-create: the first findOrCreateUser stores an ordinary user, who has the identity from then on':
    async (storage) => {
      const { externalIdentities } = storage;
      assert.equal(await externalIdentities.findUser(identity), undefined);
      const user = await signIn(storage, identity, 1);
      assert.deepEqual(user, userOf(newUser(1), user.id, at(1)));
      return [[() => externalIdentities.findUser(identity), user], ...userReads(storage, [user])];
    },

  'identities-find: the user who has the identity is found as now stored, and the given new user is ignored':
    async (storage) => {
      const { externalIdentities } = storage;
      const { id } = await signIn(storage, identity, 1);
      const fields = change({ email: 'other@example.com', status: 'inactive' });
      const changed = taken(await storage.users.update(id, fields, at(2)));
      return [
        [() => externalIdentities.findOrCreateUser(identity, newUser(2), at(3)), changed],
        [() => externalIdentities.findUser(identity), changed],
        ...userReads(storage, [changed]),
      ];
    },

  'identities-apart: identities are compared letter by letter, issuer and subject each': (storage) => {
    const { externalIdentities } = storage;
    const identities = [
      identity,
      { ...identity, subject: 'Ada' },
      { ...identity, subject: 'ada ' },
      { ...identity, issuer: `${identity.issuer}/` },
      { issuer: `${identity.issuer}a`, subject: 'da' },
      { ...identity, subject: "ada' OR '1'='1" },
      { ...identity, subject: '__proto__' },
    ];
    const first = identities.flatMap((each, number): Table => [
      [() => externalIdentities.findUser(each), undefined],
      [async () => (await signIn(storage, each, number)).name, newUser(number).name],
    ]);
    return [...first, [() => externalIdentities.findUser({ ...identity, subject: 'a\0' }), undefined]];
  },

  'identities-email: an email that another user has is refused, and the identity stays without a user':
    async (storage) => {
      const { externalIdentities } = storage;
      const user = await addUser(storage, 1);
      const sameEmail = newUser(2, { email: 'USER1@Example.com' });
      return [
        [() => externalIdentities.findOrCreateUser(identity, sameEmail, at(1)), 'email-taken'],
        [() => externalIdentities.findUser(identity), undefined],
        ...userReads(storage, [user]),
        [async () => (await signIn(storage, identity, 2)).name, newUser(2).name],
      ];
    },

  'identities-cascade: an identity is deleted with its user, and is then free': async (storage) => {
    const first = await signIn(storage, identity, 1);
    return [
      [() => storage.users.delete(first.id), 'deleted'],
      [() => storage.externalIdentities.findUser(identity), undefined],
      [async () => (await signIn(storage, identity, 1)).id === first.id, false],
    ];
  },

  'identities-fresh-reads: every read shows all earlier writes, also when the same record was read before': ({
    users,
    externalIdentities,
  }) =>
    readAfterEach<User>(
      ([user]) => [[() => externalIdentities.findUser(identity), user]],
      [
        () => signIn({ externalIdentities }, identity, 1),
        ({ id }) => users.update(id, change({ status: 'inactive' }), at(2)),
        ({ id }) => users.delete(id),
      ],
    ),

  'stored-identities: users who are created by an identity keep the values of fields': async (storage) => {
    if (storage.ownFields === undefined) return;
    const user = newUser(2, { stored: storedValues });
    const created = taken(await storage.externalIdentities.findOrCreateUser(identity, user, at(0)));
    return [
      [() => storage.externalIdentities.findUser(identity), { ...created, stored: storedValues }],
      [() => storage.users.find(created.id), { ...created, stored: storedValues }],
    ];
  },

  'identities-race: several first sign-ins of one identity at once make one user, and all get that one':
    async (storage) => {
      const other = { ...identity, subject: 'grace' };
      const [one, ...same] = await atOnce(8, () => signIn(storage, identity, 1));
      const [two, ...otherEmails] = await atOnce(8, (number) => signIn(storage, other, 2 + number));
      const row = (outcome: User, user: User | undefined): Row => [() => outcome, user];
      return [
        ...same.map((user) => row(user, one)),
        ...otherEmails.map((user) => row(user, two)),
        ...userReads(
          storage,
          [one, two].filter((user) => user !== undefined),
        ),
      ];
    },

  'identities-race-email: of identities with one email at once, one gets a user': async (storage) => {
    const outcomes = await atOnce(8, (number) =>
      storage.externalIdentities.findOrCreateUser({ ...identity, subject: `${number}` }, newUser(1), at(0)),
    );
    return userReads(storage, [oneWinner(outcomes, 'email-taken')]);
  },
});

/** Stores a key, and asserts that it is accepted. */
async function addKey(
  { apiKeys }: Pick<Stores, 'apiKeys'>,
  fields: Partial<NewApiKey> = {},
): Promise<ApiKey> {
  return taken(await apiKeys.create({ ownerId: undefined, name: 'A', hash: '#', ...fields }, at(0)));
}

function reads(
  { apiKeys }: Pick<Stores, 'apiKeys'>,
  all: readonly ApiKey[],
  gone: readonly ApiKey[] = [],
): Table {
  return [
    ...lists({ list: (slice) => apiKeys.list(slice), count: () => apiKeys.count() }, all),
    ...finds(apiKeys, all, gone),
    ...all.map((apiKey): Row => [
      () => apiKeys.findCredentials(apiKey.id),
      (found?: ApiKeyCredentials) => ({ apiKey, hash: found?.hash }),
    ]),
  ];
}

export const apiKeyChecks = [
  ...recordChecks<'apiKeys', ApiKey>({
    prefix: 'api-keys',
    noun: 'key',
    stores: ['apiKeys'],
    create: (storage, number) => addKey(storage, { name: `Key ${number}` }),
    writes: [
      ({ apiKeys }, key) => apiKeys.recordUse(key.id, at(1)).then(() => ({ ...key, lastUsedAt: at(1) })),
      ({ apiKeys }, key) => apiKeys.deactivate(key.id).then(() => ({ ...key, active: false })),
    ],
    removals: {},
    reads,
    unknown: ({ apiKeys }, id) => [
      [() => apiKeys.find(id), undefined],
      [() => apiKeys.findCredentials(id), undefined],
      [() => apiKeys.deactivate(id), 'not-found'],
      [() => apiKeys.deactivateAllOf(id), 0],
      [() => apiKeys.recordUse(id, at(1)), undefined],
      [() => apiKeys.create({ name: 'B', hash: '#', ownerId: id }, at(0)), 'owner-not-found'],
    ],
  }),

  ...storeChecks(['apiKeys'], {
    'api-keys-create: create gives back the key, active and unused': async (storage) => {
      const { apiKeys } = storage;
      const name = '  Ångström 💡 \'";-- ';
      const apiKey = taken(await apiKeys.create({ ownerId: undefined, name, hash: '#1' }, at(5)));
      const { id } = apiKey;
      assert.equal(parseId(id), id);
      assert.deepEqual(apiKey, { id, name, active: true, createdAt: at(5), lastUsedAt: undefined });
      return [[() => apiKeys.findCredentials(id), { apiKey, hash: '#1' }], ...reads(storage, [apiKey])];
    },

    'api-keys-hash-apart: no record holds the hash': async (storage) => {
      const made = await addKey(storage, { hash: '#secret' });
      const read = [made, await storage.apiKeys.find(made.id), await storage.apiKeys.list(start)];
      assert.ok(!JSON.stringify(read).includes('secret'), 'a record holds the hash');
    },

    'api-keys-deactivate: a deactivated key stays inactive': async (storage) => {
      const { apiKeys } = storage;
      const [first, second] = [await addKey(storage), await addKey(storage)];
      const inactive = { ...first, active: false };
      return [
        [() => apiKeys.deactivate(first.id), 'deactivated'],
        ...reads(storage, [inactive, second]),
        [() => apiKeys.deactivate(first.id), 'deactivated'],
        ...reads(storage, [inactive, second]),
      ];
    },

    'api-keys-use: the last use never goes back': async (storage) => {
      const { apiKeys } = storage;
      const key = await addKey(storage);
      const lastUsedAt = '2026-01-01T00:00:07.000001Z';
      await Promise.all([at(3), lastUsedAt, at(5)].map((moment) => apiKeys.recordUse(key.id, moment)));
      return [
        ...reads(storage, [{ ...key, lastUsedAt }]),
        [() => apiKeys.recordUse(key.id, at(6)), undefined],
        ...reads(storage, [{ ...key, lastUsedAt }]),
      ];
    },
  }),

  ...storeChecks(['apiKeys', 'users'], {
    'api-keys-owner: a key is deleted with its owner, and not with another user': async (storage) => {
      const { users } = storage;
      const [owner, other] = await addUserIds(storage);
      const gone = await addKey(storage, { ownerId: owner });
      const stay = [await addKey(storage, { ownerId: other }), await addKey(storage)];
      const last = await addKey(storage, { ownerId: owner });
      return [
        [() => users.update(owner, change({ status: 'inactive', role: 'user' }), at(1)), taken],
        ...reads(storage, [gone, ...stay, last]),
        [() => users.delete(owner), 'deleted'],
        ...reads(storage, stay, [gone, last]),
        [() => storage.apiKeys.findCredentials(gone.id), undefined],
        [async () => BigInt((await addKey(storage)).id) > BigInt(last.id), true],
      ];
    },

    'api-keys-deactivate-all: all keys of an owner are deactivated, and no others': async (storage) => {
      const { apiKeys } = storage;
      const [owner, other] = await addUserIds(storage);
      const first = await addKey(storage, { ownerId: owner });
      const second = await addKey(storage, { ownerId: owner });
      const stay = [await addKey(storage, { ownerId: other }), await addKey(storage)];
      const inactive = [first, second].map((key) => ({ ...key, active: false }));
      return [
        ...oddIds.map((id): Row => [() => apiKeys.deactivateAllOf(id), 0]),
        [() => apiKeys.deactivate(first.id), 'deactivated'],
        [() => apiKeys.deactivateAllOf(owner), 1], // the one that was active
        ...reads(storage, [...inactive, ...stay]),
        [() => apiKeys.deactivateAllOf(owner), 0],
      ];
    },
  }),
];
