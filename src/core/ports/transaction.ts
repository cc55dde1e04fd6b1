/** The part of the storage port that makes several calls one step, also with statements from hooks. */

/** The rows of a statement, or how many it wrote. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly written: number;
}

/** A transaction, for statements from hooks. */
export interface StoreTransaction {
  /** The database, in whose SQL the statements are written; undefined in a storage without one. */
  readonly database: 'postgres' | 'sqlite' | undefined;

  /**
   * Runs a statement in the transaction, after those before it. One that fails undoes the transaction, even if its error is caught.
   *
   * @throws the error of the database; an error when the transaction has ended, and in a storage without a database
   */
  readonly query: (sql: string, parameters?: readonly unknown[]) => Promise<StatementResult>;
}

/** A store that takes part in the transactions of a storage in which it has replaced another. */
export interface JoiningStore<Store> {
  /** The store whose calls are part of a transaction. */
  within(transaction: StoreTransaction): Store;
}
