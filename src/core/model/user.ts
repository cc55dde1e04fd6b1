/** A user: the fields, their bounds, and what makes two emails the same. */
import { invalidInput } from './error.js';
import type { Id } from './id.js';
import { checkText, type TextBounds } from './text.js';
import type { Timestamp } from './timestamp.js';

export const roles = ['user', 'admin'] as const;
export type Role = (typeof roles)[number];

export const userStatuses = ['active', 'inactive'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** A user as everybody may see one: what proves an identity (a password's hash) is never part of it. */
export interface User {
  readonly id: Id;
  readonly name: string;
  /** As it was given; {@link emailKey} decides whether another is the same. */
  readonly email: string;
  readonly phone: string | undefined;
  readonly city: string | undefined;
  readonly role: Role;
  readonly status: UserStatus;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Counts the writes to this record from 1; a conditional write names the one it saw. */
  readonly version: number;
}

/** The fields that a caller may fill with any text within its bounds. */
type UserText = Exclude<
  { [Field in keyof User]: string extends User[Field] ? Field : never }[keyof User],
  'id' | 'createdAt' | 'updatedAt'
>;

export const userBounds = {
  name: { min: 1, max: 200 },
  /** The longest address that mail can carry (RFC 5321 §4.5.3.1.3). */
  email: { min: 3, max: 254 },
  phone: { min: 1, max: 50 },
  city: { min: 1, max: 100 },
} satisfies Record<UserText, TextBounds>;

/** A password may hold anything: it is hashed, never stored or shown. */
export const passwordBounds: TextBounds = { min: 8, max: 128 };

// The addresses of the public internet: narrower than the format "email" (RFC 5321), which takes quoted names and bare hosts.
const emailPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

const userTexts = Object.keys(userBounds) as readonly UserText[];

/**
 * @param texts what is absent is not checked
 * @throws ServiceError `invalid-input` for the first text that breaks its rule
 */
export function checkUserTexts(texts: { readonly [Field in UserText]?: string | undefined }): void {
  for (const field of userTexts) {
    const text = texts[field];
    if (text === undefined) continue;
    checkText(field, text, userBounds[field]);
    if (field === 'email' && !emailPattern.test(text)) {
      throw invalidInput('email', 'must match format "email"');
    }
  }
}

/** @returns what stands for an email where it must be unique: emails that differ in case only have the same key. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/**
 * Whether a change ends what a user is signed in with: another password may mean that somebody else knew the old one, and
 * an inactive user has no business here.
 */
export function endsSessions(change: {
  readonly passwordHash: string | undefined;
  readonly status: UserStatus | undefined;
}): boolean {
  return change.passwordHash !== undefined || change.status === 'inactive';
}
