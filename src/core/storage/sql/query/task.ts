/** The work of a store as a sequence of queries: written once, run by either database. */
import type { Compilable } from 'kysely';
import type { Query } from './query.js';

/** A 64-bit integer as the driver returns it: a number from SQLite, digits from PostgreSQL. */
export type SqlInteger = number | string;

/** The row of a query that counts. */
export interface CountRow {
  readonly count: number | string | bigint;
}

/**
 * A piece of work that yields queries and receives the rows of each. SQLite runs it synchronously, so that no other work of
 * this process can come in between; PostgreSQL waits for each answer.
 *
 * A task may be run several times until it succeeds (see `SqlRunner`), so it must have no side effects besides its queries.
 */
export type SqlTask<T> = Generator<Query, T, readonly unknown[]>;

/** A compiled query with its values. */
export interface BoundQuery<Row> extends Query {
  /** Only for the compiler: the type of the rows. */
  readonly row?: Row;
}

/** A query of the builder, or a prepared one. */
export type Runnable<Row> = Compilable<Row> | BoundQuery<Row>;

function queryOf(query: Runnable<unknown>): Query {
  return 'compile' in query ? query.compile() : query;
}

/** Runs a query and returns all rows. */
export function* rowsOf<Row>(query: Runnable<Row>): SqlTask<readonly Row[]> {
  // The rows belong to the yielded query, whose row type the builder knows.
  return (yield queryOf(query)) as readonly Row[];
}

/** Runs a query and returns the first row. */
export function* rowOf<Row>(query: Runnable<Row>): SqlTask<Row | undefined> {
  const [row] = (yield queryOf(query)) as readonly Row[];
  return row;
}

/** Runs a query that counts. */
export function* countOf(query: Runnable<CountRow>): SqlTask<number> {
  return Number((yield* rowOf(query))?.count);
}
