/** A migration that a later version of this package would have, for tests of the mechanism. */
import { migrations } from '../../src/core/storage/sql/migrations/migrations.js';
import type { Database } from '../../src/core/storage/sql/query/query.js';

/** Runs some work in a version that has another migration. */
export async function withMigration<T>(
  name: string,
  statements: (database: Database) => readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  migrations[name] = statements;
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(migrations, name);
  }
}
