/** Stores that break a rule of external identities. */
import { setImmediate as tick } from 'node:timers/promises';
import type { ExternalIdentity } from '../../../../src/core/model/credentials.js';
import type { User } from '../../../../src/core/model/user.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { unchangedUser } from '../../../../src/core/ports/user-store.js';
import { faults, storeFaults } from './fault.js';

/** Makes a store take every identity for what the function makes of it. */
function taking(change: (identity: ExternalIdentity) => ExternalIdentity) {
  return ({ externalIdentities }: Storage): void => {
    const findUser = externalIdentities.findUser.bind(externalIdentities);
    const findOrCreateUser = externalIdentities.findOrCreateUser.bind(externalIdentities);
    externalIdentities.findUser = (identity) => findUser(change(identity));
    externalIdentities.findOrCreateUser = (identity, user, now) =>
      findOrCreateUser(change(identity), user, now);
  };
}

export const externalIdentityFaults = [
  ...faults<Storage>({
    'identities are compared in lower case: identities-apart': taking(({ issuer, subject }) => ({
      issuer,
      subject: subject.toLowerCase(),
    })),
    'issuer and subject are one text: identities-apart': taking(({ issuer, subject }) => ({
      issuer: '',
      subject: issuer + subject,
    })),
    'who has the same subject at any issuer is the same: identities-apart': taking(({ subject }) => ({
      issuer: '',
      subject,
    })),
  }),

  ...storeFaults('externalIdentities', {
    findOrCreateUser: {
      'an identity stays when its user goes: identities-cascade': (findOrCreate, { externalIdentities }) => {
        const known = new Map<string, User>();
        const findUser = externalIdentities.findUser.bind(externalIdentities);
        externalIdentities.findUser = async (identity) =>
          (await findUser(identity)) ?? known.get(identity.subject);
        return async (identity, user, now) => {
          const made = await findOrCreate(identity, user, now);
          if (typeof made !== 'string') known.set(identity.subject, made);
          return made;
        };
      },
      'a first sign-in looks for the identity before the write, not with it: identities-race':
        (findOrCreate, { externalIdentities }) =>
        async (identity, user, now) => {
          const found = await externalIdentities.findUser(identity);
          if (found !== undefined) return found;
          await tick();
          const isKnown = (await externalIdentities.findUser(identity)) !== undefined;
          return isKnown ? 'email-taken' : await findOrCreate(identity, user, now);
        },
      'an email is enough to sign in as its user: identities-email':
        (findOrCreate, { users }) =>
        async (identity, user, now) =>
          (await users.findCredentials(user.email))?.user ?? (await findOrCreate(identity, user, now)),
      'who signs in for the first time is not active: identities-create':
        (findOrCreate) => (identity, user, now) =>
          findOrCreate(identity, { ...user, status: 'inactive' }, now),
      'every sign-in takes the name from the provider: identities-find':
        (findOrCreate, { users }) =>
        async (identity, user, now) => {
          const made = await findOrCreate(identity, user, now);
          if (typeof made === 'string' || made.name === user.name) return made;
          const renamed = await users.update(made.id, { ...unchangedUser, name: user.name }, now);
          return typeof renamed === 'string' ? made : renamed;
        },
      'emails are compared before the write, not with it: identities-race-email': (
        findOrCreate,
        { users },
      ) => {
        let count = 0;
        return async (identity, user, now) => {
          if ((await users.findCredentials(user.email)) !== undefined) return 'email-taken';
          await tick();
          return await findOrCreate(identity, { ...user, email: `${String(++count)}${user.email}` }, now);
        };
      },
    },
  }),
];
