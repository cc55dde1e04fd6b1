/** Reads the database of a service from outside. */
import { DatabaseSync } from '../../../src/core/storage/sqlite/driver.js';
import pg from 'pg';
import type { DatabaseSettings } from '../../../src/service/settings/data.js';
import type { Leaks } from '../../support/leaks.js';

/** The prefix of every password hash. */
export const ARGON2 = '$argon2id$';

/** Runs a statement on the service's database. */
export async function query(
  database: DatabaseSettings['database'],
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  if (database.kind === 'memory') return [];
  if (database.kind === 'sqlite') {
    const connection = new DatabaseSync(database.path);
    try {
      return connection.prepare(sql).all() as readonly Record<string, unknown>[];
    } finally {
      connection.close();
    }
  }
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The secrets that are stored in plain text, and the password hashes that are not argon2id. */
export async function keptAsItIs(
  database: DatabaseSettings['database'],
  leaks: Leaks,
): Promise<readonly string[]> {
  const tables = [
    'users',
    'refresh_tokens',
    'api_keys',
    'external_identities',
    'idempotency_keys',
    'audit_log',
  ];
  const rows = await Promise.all(tables.map((table) => query(database, `select * from ${table}`)));
  const text = JSON.stringify(rows);
  const hashes = rows.flat().map(({ hash }) => hash);
  const passwords = rows.flat().map(({ password_hash }) => password_hash);
  return [
    ...leaks.secrets.filter(
      (secret) => text.includes(secret) && !hashes.includes(secret) && secret !== ARGON2,
    ),
    ...passwords.filter((hash): hash is string => typeof hash === 'string' && !hash.startsWith(ARGON2)),
  ];
}
