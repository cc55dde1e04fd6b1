/** The caller of an operation, from any protocol and credential. */
import { invalidInput } from '../../model/error.js';
import type { Id } from '../../model/id.js';
import type { Role, User } from '../../model/user.js';

/** Where a request comes from, for the audit log. */
interface Addressed {
  /** The client's address; absent if it is not known, and where no entry of the audit log needs it. */
  readonly address?: string | undefined;
}

/** A signed-in user, with their current role. */
export interface UserCaller extends Addressed {
  readonly kind: 'user';
  readonly id: Id;
  readonly role: Role;
  /** As it was read for the credential. It may be outdated for a caller of several requests. */
  readonly record?: User | undefined;
}

/** A service that holds an active API key. */
export interface ApiKeyCaller extends Addressed {
  readonly kind: 'api-key';
  /** The key's record, never the key. */
  readonly id: Id;
}

export interface AnonymousCaller extends Addressed {
  readonly kind: 'anonymous';
}

export type Caller = AnonymousCaller | UserCaller | ApiKeyCaller;

export const anonymous: AnonymousCaller = { kind: 'anonymous' };

/** The operator at the command line: an admin without a record in the store. */
export const operator: UserCaller = { kind: 'user', id: '0', role: 'admin', address: 'command line' };

/** The caller of a privileged action, with the client's address for the audit log. Literals take a fifth of the time of a spread. */
export function callerFrom(caller: Caller, address: string | undefined): Caller {
  switch (caller.kind) {
    case 'anonymous':
      return { kind: caller.kind, address };
    case 'api-key':
      return { kind: caller.kind, id: caller.id, address };
    case 'user':
      return { kind: caller.kind, id: caller.id, role: caller.role, record: caller.record, address };
  }
}

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
