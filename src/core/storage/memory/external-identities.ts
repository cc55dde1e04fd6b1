/** The external identities of the memory storage. */
import type { ExternalIdentity } from '../../model/external-identity.js';
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { User } from '../../model/user.js';
import type { ExternalIdentityStore } from '../../ports/external-identity-store.js';
import type { NewUser } from '../../ports/user-store.js';
import type { Tables } from './tables.js';
import type { MemoryUsers } from './users.js';

export class MemoryExternalIdentities implements ExternalIdentityStore {
  readonly #tables: Tables;
  readonly #users: MemoryUsers;

  constructor(tables: Tables, users: MemoryUsers) {
    this.#tables = tables;
    this.#users = users;
  }

  findUser(identity: ExternalIdentity): Promise<User | undefined> {
    return Promise.resolve(this.#find(keyOf(identity)));
  }

  /** Atomic, because nothing is awaited before the identity is stored. */
  findOrCreateUser(identity: ExternalIdentity, user: NewUser, now: Timestamp): Promise<User | 'email-taken'> {
    const key = keyOf(identity);
    const found = this.#find(key);
    if (found !== undefined) return Promise.resolve(found);
    const made = this.#users.add(user, now);
    if (made !== 'email-taken') this.#tables.userIdsByIdentity.set(key, made.id);
    return Promise.resolve(made);
  }

  #find(key: string): User | undefined {
    const id: Id | undefined = this.#tables.userIdsByIdentity.get(key);
    return id === undefined ? undefined : this.#tables.users.get(id);
  }
}

/** Unique to the pair of issuer and subject. */
function keyOf({ issuer, subject }: ExternalIdentity): string {
  return JSON.stringify([issuer, subject]);
}
