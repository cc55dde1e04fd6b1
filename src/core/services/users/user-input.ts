/** Users as callers give them, and what a store is to write of them. */
import { pick } from '../../model/fields.js';
import {
  optionalUserFields,
  userFields,
  type Role,
  type UserFields,
  type UserStatus,
} from '../../model/user.js';
import type { NewUser, UserChange } from '../../ports/user-store.js';

/** A whole user, as a caller gives it. */
export interface UserInput extends Omit<NewUser, 'role' | 'status' | 'passwordHash'> {
  readonly password: string | undefined;
  readonly role: Role | undefined;
  readonly status: UserStatus | undefined;
}

/** The fields of a user to change; undefined fields keep their value. */
export interface UserPatch {
  readonly name: string | undefined;
  readonly email: string | undefined;
}

/** The fields of a new user. */
export function givenUser(input: UserInput): UserFields {
  return { ...pick(input, userFields), role: input.role ?? 'user', status: input.status ?? 'active' };
}

/** All fields as a change: an optional one that is undefined is cleared. */
export function writtenFields(input: UserInput): Partial<UserChange> {
  const cleared = Object.fromEntries(optionalUserFields.map((field) => [field, input[field] ?? null]));
  return { ...pick(input, userFields), ...cleared };
}
