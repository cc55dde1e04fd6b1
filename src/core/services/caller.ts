/** Who asks: what the core knows of a caller, however the caller showed it. */
import type { Id } from '../model/id.js';
import type { Role } from '../model/user.js';

/** A user who is signed in, with the role that counts now. */
export interface UserCaller {
  readonly kind: 'user';
  readonly id: Id;
  readonly role: Role;
}

/** A service that holds an active API key. */
export interface ApiKeyCaller {
  readonly kind: 'api-key';
  /** The key's record, never the key. */
  readonly id: Id;
}

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}

export type Caller = AnonymousCaller | UserCaller | ApiKeyCaller;

export const anonymous: AnonymousCaller = { kind: 'anonymous' };

/** Whoever runs the service, at its own console: an admin with no record in the store. */
export const operator: UserCaller = { kind: 'user', id: '0', role: 'admin' };
