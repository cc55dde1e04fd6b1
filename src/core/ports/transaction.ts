/** The part of the storage port that makes several calls one step, also with statements of others. */
import type { Stores } from './storage.js';

/** The rows of a statement, or how many it wrote. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  readonly written: number;
}

/** A transaction, for statements of others. */
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

/** All stores, in a transaction. Its own `transaction` runs work in this one. */
export interface Transaction extends Stores, StoreTransaction {}

/**
 * Runs work in a transaction: all that it writes through the stores of the transaction is stored when it has ended, or nothing if it
 * fails. Its own calls see what it has written, others do not. Work that lost a race is run again, so it must have no other effects.
 *
 * Other writers may wait until the work has ended. A call that begins afterwards is refused.
 *
 * @throws the error of the work, or of a call that failed in it, even if the work has caught that
 */
export type RunTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** A store that takes part in the transactions of a storage in which it has replaced another. */
export interface JoiningStore<Store> {
  /** The store whose calls are part of a transaction. */
  within(transaction: StoreTransaction): Store;
}
