/** The caller of an operation, from any protocol and credential. */
import { invalidInput } from '../../model/error.js';
import type { Id } from '../../model/id.js';
import type { Role } from '../../model/user.js';

/** A signed-in user, with their current role. */
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

/** The operator at the command line: an admin without a record in the store. */
export const operator: UserCaller = { kind: 'user', id: '0', role: 'admin' };

/**
 * Finds the owner of a new record.
 *
 * @param place - the name of the input field, for the message
 * @param given - the id in the input; whether that user exists is not checked here
 * @returns the given id, else the caller's
 * @throws ServiceError `invalid-input` when there is neither
 */
export function ownerOf(caller: Caller, place: string, given: string | undefined): string {
  if (given !== undefined) return given;
  if (caller.kind === 'user') return caller.id;
  throw invalidInput(place, 'is required without a signed-in caller');
}
