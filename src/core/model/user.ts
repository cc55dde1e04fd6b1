/** A user: the fields, their bounds, and the comparison of emails. */
import { invalidInput } from './error.js';
import type { Id } from './id.js';
import type { StoredOf } from './stored.js';
import { isEmail, checkLength, checkText, type TextBounds } from './text.js';
import { latestOf, nextTimestamp, type Timestamp } from './timestamp.js';

export const roles = ['user', 'admin'] as const;
export type Role = (typeof roles)[number];

export const userStatuses = ['active', 'inactive'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** A user without credentials: the hash of a password is never part of it. */
export interface User {
  readonly id: Id;
  readonly name: string;
  /** As given; {@link emailKey} decides whether two emails are the same. */
  readonly email: string;
  readonly phone: string | undefined;
  readonly city: string | undefined;
  readonly role: Role;
  readonly status: UserStatus;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Tokens issued up to this moment are refused; undefined while none were revoked. */
  readonly sessionsFrom: Timestamp | undefined;
  /** Counts the writes to this record from 1; a conditional write names the version that its caller has read. */
  readonly version: number;
  readonly stored?: StoredOf<'User'> | undefined;
}

/** The fields that are given for a user; a store assigns the others, and `stored` has those of the application. */
export type UserFields = Omit<User, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'sessionsFrom' | 'stored'>;

/** Whether each field is optional. All code that creates, changes or copies users uses this table. */
const isOptional: {
  readonly [Field in keyof UserFields]: undefined extends UserFields[Field] ? true : false;
} = { name: false, email: false, phone: true, city: true, role: false, status: false };

export const userFields = Object.keys(isOptional) as readonly (keyof UserFields)[];

type OptionalField = {
  [Field in keyof UserFields]: undefined extends UserFields[Field] ? Field : never;
}[keyof UserFields];

export const optionalUserFields = userFields.filter((field) => isOptional[field]) as readonly OptionalField[];

/** The optional fields of a user, all undefined, to spread when only the others are given. */
export const noUserDetails = Object.fromEntries(optionalUserFields.map((field) => [field, undefined])) as {
  readonly [Field in OptionalField]: undefined;
};

/** The fields that a caller may fill with any text within its bounds. */
type UserText = Exclude<
  { [Field in keyof User]-?: string extends User[Field] ? Field : never }[keyof User],
  'id' | 'createdAt' | 'updatedAt' | 'sessionsFrom'
>;

export const userBounds = {
  name: { min: 1, max: 200 },
  /** The longest address that mail can carry (RFC 5321 §4.5.3.1.3). */
  email: { min: 0, max: 254 },
  phone: { min: 1, max: 50 },
  city: { min: 1, max: 100 },
} satisfies Record<UserText, TextBounds>;

/** A password may have any characters: it is hashed, and never stored or shown. */
const passwordBounds: TextBounds = { min: 8, max: 128 };

const userTexts = Object.keys(userBounds) as readonly UserText[];

/**
 * @param texts absent texts are not checked; null clears an optional one
 * @throws ServiceError `invalid-input` for the first text that breaks its rule
 */
export function checkUserTexts(texts: { readonly [Field in UserText]?: string | null | undefined }): void {
  for (const field of userTexts) {
    const text = texts[field];
    if (text === undefined || (text === null && isOptional[field])) continue;
    if (text === null) throw invalidInput(field, 'must be string');
    checkText(field, text, userBounds[field]);
    if (field === 'email' && !isEmail(text)) {
      throw invalidInput('email', 'must match format "email"');
    }
  }
}

/** Checks the texts and the password of a caller's input for a user. @throws ServiceError as {@link checkUserTexts} */
export function checkUserInput(
  input: { readonly [Field in UserText]?: string | null | undefined } & {
    readonly [Field in 'role' | 'status' | 'password']?: string | undefined;
  },
): void {
  checkUserTexts(input);
  checkChoice('role', input.role, roles);
  checkChoice('status', input.status, userStatuses);
  if (input.password !== undefined) checkLength('password', input.password, passwordBounds);
}

function checkChoice(field: string, value: string | undefined, values: readonly string[]): void {
  if (value !== undefined && !values.includes(value))
    throw invalidInput(field, `must be one of ${values.join(', ')}`);
}

/** @returns the key that must be unique for an email: emails that differ only in case have the same key. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** The parts of a change to a user that concern their sessions and their rights. */
interface SensitiveChange {
  readonly passwordHash: string | undefined;
  readonly revokesTokens: true | undefined;
  readonly role: Role | undefined;
  readonly status: UserStatus | undefined;
}

/**
 * Whether a change revokes all tokens of a user for good: on request, with a new password, because others may know the old one, and
 * when the user becomes inactive.
 */
export function revokesTokens(change: Omit<SensitiveChange, 'role'>): boolean {
  return change.passwordHash !== undefined || change.revokesTokens === true || change.status === 'inactive';
}

/** Whether an active admin is no longer one after a change. */
export function endsAdmin(change: Pick<SensitiveChange, 'role' | 'status'>): boolean {
  return change.role === 'user' || change.status === 'inactive';
}

export function isActiveAdmin({ role, status }: Pick<User, 'role' | 'status'>): boolean {
  return role === 'admin' && status === 'active';
}

/** @returns the `sessionsFrom` of a revocation at `now`; always later than `before`, even if the clock went back */
export function revocationTime(before: Timestamp | undefined, now: Timestamp): Timestamp {
  return before === undefined ? now : latestOf(now, nextTimestamp(before));
}
