/** A user: the fields, their bounds, and the comparison of emails. */
import { invalidInput } from './error.js';
import { isEmail } from './email.js';
import type { Id } from './id.js';
import { checkText, type TextBounds } from './text.js';
import type { Timestamp } from './timestamp.js';

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
  email: { min: 0, max: 254 },
  phone: { min: 1, max: 50 },
  city: { min: 1, max: 100 },
} satisfies Record<UserText, TextBounds>;

/** A password may have any characters: it is hashed, and never stored or shown. */
export const passwordBounds: TextBounds = { min: 8, max: 128 };

const userTexts = Object.keys(userBounds) as readonly UserText[];

/**
 * @param texts absent ones are not checked
 * @throws ServiceError `invalid-input` for the first text that breaks its rule
 */
export function checkUserTexts(texts: { readonly [Field in UserText]?: string | undefined }): void {
  for (const field of userTexts) {
    const text = texts[field];
    if (text === undefined) continue;
    checkText(field, text, userBounds[field]);
    if (field === 'email' && !isEmail(text)) {
      throw invalidInput('email', 'must match format "email"');
    }
  }
}

/** @returns the key that must be unique for an email: emails that differ only in case have the same key. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/**
 * Whether a change ends a user's sessions: with a new password, because someone else may have known the old one, and when the
 * user becomes inactive.
 */
export function endsSessions(change: {
  readonly passwordHash: string | undefined;
  readonly status: UserStatus | undefined;
}): boolean {
  return change.passwordHash !== undefined || change.status === 'inactive';
}
