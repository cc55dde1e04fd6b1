/** The external identities of the memory storage. */
import type { ExternalIdentity } from '../../model/external-identity.js';
import type { ExternalIdentityStore } from '../../ports/external-identity-store.js';
import type { AtOnce } from './store-of.js';
import type { Tables } from './tables.js';
import { addUser } from './users.js';

export function memoryExternalIdentities(tables: Tables): AtOnce<ExternalIdentityStore> {
  const { users, userIdsByIdentity } = tables;
  const methods: AtOnce<ExternalIdentityStore> = {
    findUser: (identity) => users.get(userIdsByIdentity.get(keyOf(identity)) ?? ''),

    findOrCreateUser(identity, user, now) {
      const found = methods.findUser(identity);
      if (found !== undefined) return found;
      const made = addUser(tables, user, now);
      if (made !== 'email-taken') userIdsByIdentity.set(keyOf(identity), made.id);
      return made;
    },
  };
  return methods;
}

/** Unique to the pair of issuer and subject. */
function keyOf({ issuer, subject }: ExternalIdentity): string {
  return JSON.stringify([issuer, subject]);
}
