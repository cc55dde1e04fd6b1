/** The input for users, and the fields that a store writes from it. */
import { pick } from '../../model/fields.js';
import {
  optionalUserFields,
  userFields,
  type Role,
  type UserFields,
  type UserStatus,
} from '../../model/user.js';
import type { NewUser, UserChange } from '../../ports/user-store.js';

/** The input for a whole user. */
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

/** All fields as a change, which clears the optional fields that are undefined. */
export function writtenFields(input: UserInput): Partial<UserChange> {
  const cleared = Object.fromEntries(optionalUserFields.map((field) => [field, input[field] ?? null]));
  return { ...pick(input, userFields), ...cleared };
}
