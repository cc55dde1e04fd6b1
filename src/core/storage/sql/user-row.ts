/** Reads users from rows and writes them to rows. */
import type { Timestamp } from '../../model/timestamp.js';
import { emailKey, type Role, type User, type UserStatus } from '../../model/user.js';
import type { NewUser } from '../../ports/user-store.js';
import type { SqlInteger } from './schema.js';
import type { SqlDialect } from './runner.js';

export interface UserRow {
  readonly id: SqlInteger;
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly city: string | null;
  readonly role: Role;
  readonly status: UserStatus;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly version: SqlInteger;
}

/** The columns to select for a {@link UserRow}. */
export function userColumns({ moment }: SqlDialect) {
  return [
    'id',
    'name',
    'email',
    'phone',
    'city',
    'role',
    'status',
    moment('created_at').as('created_at'),
    moment('updated_at').as('updated_at'),
    'version',
  ] as const;
}

export function userOf(row: UserRow): User {
  const { phone, city } = row;
  return {
    id: String(row.id),
    name: row.name,
    email: row.email,
    ...(phone !== null && { phone }),
    ...(city !== null && { city }),
    role: row.role,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: Number(row.version),
  };
}

/** The values to insert for a user. */
export function userValues(user: NewUser, createdAt: Timestamp, updatedAt: Timestamp) {
  return {
    name: user.name,
    email: user.email,
    email_key: emailKey(user.email),
    phone: user.phone ?? null,
    city: user.city ?? null,
    role: user.role,
    status: user.status,
    password_hash: user.passwordHash ?? null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
