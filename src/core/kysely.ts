/** Kysely, as the application has installed it, in the transaction of a write. */
import { type DatabaseConnection, DummyDriver, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type { StoreTransaction } from './ports/transaction.js';

/**
 * Makes a Kysely whose statements are committed or rolled back with the write. It begins no transaction of its own.
 *
 * @typeParam Tables the tables, as Kysely takes them
 * @throws an error for the transaction of a storage without a database
 *
 * @example
 * ```ts
 * const after = async (user: User, tx: HookTransaction) => {
 *   await kyselyOf<{ cards: { user_id: string } }>(tx).insertInto('cards').values({ user_id: user.id }).execute();
 * };
 * ```
 */
export function kyselyOf<Tables>(transaction: StoreTransaction): Kysely<Tables> {
  if (transaction.database === undefined)
    throw new Error(
      "the storage has no database, so Kysely cannot be used: write needs: 'database' beside the hook, which refuses this at the " +
        "start, and use sqliteStorage({ path: ':memory:' })",
    );
  const createDriver = () => new TransactionDriver(transaction);
  // Of the dialects, only what depends on no connection is used.
  const Dialect = transaction.database === 'postgres' ? PostgresDialect : SqliteDialect;
  return new Kysely<Tables>({ dialect: Object.assign(new Dialect({} as never), { createDriver }) });
}

class TransactionDriver extends DummyDriver {
  constructor(private readonly transaction: StoreTransaction) {
    super();
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    const connection = {
      executeQuery: async ({ sql, parameters }) => {
        const { rows, written } = await this.transaction.query(sql, parameters);
        return { rows: [...rows], numAffectedRows: BigInt(written) };
      },
      streamQuery: () => {
        throw new Error('the transaction of a write streams no rows');
      },
    } as DatabaseConnection; // the rows have the types of the statement that asks for them
    return Promise.resolve(connection);
  }

  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('this is the transaction of a write, which takes no other into it'));
  }
}
