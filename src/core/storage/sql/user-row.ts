/** Reads users from rows and writes them to rows. */
import type { Selectable } from 'kysely';
import type { Timestamp } from '../../model/timestamp.js';
import { emailKey, type User } from '../../model/user.js';
import type { NewUser, UserChange } from '../../ports/user-store.js';
import type { InsertedColumns, UpdatedColumns, UsersTable } from './query/schema.js';
import type { SqlDialect } from './query/runner.js';

export type UserRow = Omit<Selectable<UsersTable>, 'email_key' | 'password_hash'>;

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
    moment('sessions_from').$castTo<Timestamp | null>().as('sessions_from'),
    'version',
  ] as const;
}

export function userOf(row: UserRow): User {
  return {
    id: String(row.id),
    name: row.name,
    email: row.email,
    phone: row.phone ?? undefined,
    city: row.city ?? undefined,
    role: row.role,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    sessionsFrom: row.sessions_from ?? undefined,
    version: Number(row.version),
  };
}

/** The values to insert for a user. */
export function userValues(
  user: NewUser,
  createdAt: Timestamp,
  updatedAt: Timestamp,
): InsertedColumns<UsersTable, 'version' | 'sessions_from'> {
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

/** What to write for a change: columns that are undefined stay as they are. */
export function userUpdates(
  change: UserChange,
): Omit<UpdatedColumns<UsersTable>, 'updated_at' | 'sessions_from' | 'version'> {
  return {
    name: change.name,
    email: change.email,
    email_key: change.email === undefined ? undefined : emailKey(change.email),
    phone: change.phone,
    city: change.city,
    role: change.role,
    status: change.status,
    password_hash: change.passwordHash,
  };
}
