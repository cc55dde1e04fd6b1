/** The input for users, the fields that a store writes from it and its refusals, and what the audit log has of it. */
import type { AuditedAction } from '../writes/audit.js';
import { conflict } from '../../model/error.js';
import { type InputOf, pick } from '../../model/fields.js';
import {
  optionalUserFields,
  userFields,
  type Role,
  type User,
  type UserFields,
  type UserStatus,
} from '../../model/user.js';
import type { StoredChange } from '../../model/stored.js';
import type { Changes, NewUser, UserChange } from '../../ports/user-store.js';

/** The input for a whole user. */
export interface UserInput extends InputOf<Omit<NewUser, 'role' | 'status' | 'passwordHash'>> {
  readonly password?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: UserStatus | undefined;
}

/** The fields of a user to change; undefined fields keep their value, and null clears an optional one. */
export interface UserPatch extends Partial<Changes<UserFields>> {
  readonly password?: string | undefined;
  readonly stored?: StoredChange<'User'>;
}

/** A new user. A literal takes a quarter of the time of copies with further fields. */
export function userFromInput(input: UserInput, passwordHash?: string): NewUser {
  const { name, email, phone, city, role = 'user', status = 'active', stored } = input;
  return { name, email, phone, city, role, status, passwordHash, stored };
}

/** The fields that a patch changes. */
export function patchedFields(patch: UserPatch): Partial<UserChange> {
  return { ...pick(patch, userFields), stored: patch.stored };
}

/** All fields as a change, which clears the optional fields that are undefined. */
export function writtenFields(input: UserInput): Partial<UserChange> {
  const cleared = Object.fromEntries(optionalUserFields.map((field) => [field, input[field] ?? null]));
  return { ...patchedFields(input), ...cleared };
}

/** The role and status that differ from the stored ones, so that a caller may write back the values that it has read. */
export function changedRights(
  { role, status }: Pick<UserPatch, 'role' | 'status'>,
  stored: Pick<User, 'role' | 'status'> | undefined,
): Pick<UserInput, 'role' | 'status'> {
  return {
    role: role === stored?.role ? undefined : role,
    status: status === stored?.status ? undefined : status,
  };
}

/** Thrown when the user to change has another role or status than the one that the input was compared with. */
export const changedMeanwhile = new Error('the role or the status has changed');

/** The actions that giving a role or a status takes. */
export function givingRole({
  role,
  status,
}: Pick<UserPatch, 'role' | 'status'>): readonly 'users.giveRole'[] {
  return role === undefined && status === undefined ? [] : ['users.giveRole'];
}

/** The entry of the audit log for a role or a status that is given. */
export function grants(given: Pick<UserPatch, 'role' | 'status'>): readonly AuditedAction[] {
  return givingRole(given).map((action) => {
    const details = [given.role && `role ${given.role}`, given.status && `status ${given.status}`];
    return { action, detail: details.filter(Boolean).join(', ') };
  });
}

/** The name of a user in the audit log. */
export function targetOf(id: string): string {
  return `user:${id}`;
}

/** @param ending - the refused change of the last admin, for the message: `deleted` */
export function accepted<T>(outcome: T | 'email-taken' | 'last-admin', ending = ''): T {
  if (outcome === 'last-admin') throw conflict(`The last admin cannot be ${ending}`);
  if (outcome === 'email-taken') throw conflict('Email already in use');
  return outcome;
}
