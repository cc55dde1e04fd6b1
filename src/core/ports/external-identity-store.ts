/** The part of the storage port that links identities at a provider to users. */
import type { ExternalIdentity } from '../model/external-identity.js';
import type { Timestamp } from '../model/timestamp.js';
import type { User } from '../model/user.js';
import type { NewUser } from './user-store.js';

/** An identity belongs to one user as long as that user exists, and a user has at most one. */
export interface ExternalIdentityStore {
  /** @returns the user whom the identity belongs to */
  findUser(identity: ExternalIdentity): Promise<User | undefined>;

  /**
   * Finds the user whom the identity belongs to, or stores a new one with the identity, in one step: several first sign-ins
   * at once all get the same user.
   *
   * @param user the fields of a new user; `createdAt` and `updatedAt` are `now`, the version is 1
   * @returns `email-taken` when no user has the identity and another user has the email
   */
  findOrCreateUser(identity: ExternalIdentity, user: NewUser, now: Timestamp): Promise<User | 'email-taken'>;
}
