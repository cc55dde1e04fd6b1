/** The part of the storage port that knows which user an identity at a provider belongs to. */
import type { ExternalIdentity } from '../model/external-identity.js';
import type { Timestamp } from '../model/timestamp.js';
import type { User } from '../model/user.js';
import type { NewUser } from './user-store.js';

/** An identity belongs to one user as long as that user exists, and a user has at most one. */
export interface ExternalIdentityStore {
  /** @returns the user whom the identity belongs to */
  findUser(identity: ExternalIdentity): Promise<User | undefined>;

  /**
   * Finds the user whom the identity belongs to, or stores a new one to whom it belongs from then on, in one step: of
   * several first sign-ins at once, all get the same user.
   *
   * @param user what a new user starts with; `createdAt` and `updatedAt` are `now`, the version is 1
   * @returns `email-taken` when nobody has the identity and another user has the email
   */
  findOrCreateUser(identity: ExternalIdentity, user: NewUser, now: Timestamp): Promise<User | 'email-taken'>;
}
