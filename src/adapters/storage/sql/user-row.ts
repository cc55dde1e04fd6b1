/** How a user is read from a row. */
import type { Timestamp } from '../../../core/model/timestamp.js';
import type { Role, User, UserStatus } from '../../../core/model/user.js';
import type { SqlInteger } from './schema.js';
import type { SqlDialect } from './session.js';

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

/** What to select for a {@link UserRow}. */
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
