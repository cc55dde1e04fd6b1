/** What a store does to a database, as the queries it asks one after the other: written once, run by either database. */
import type { Compilable } from 'kysely';

/** A query with its values; one that has a name is worth preparing once a connection. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly name?: string;
}

/**
 * A piece of work that yields queries and is given the rows of each. Nothing in it waits: SQLite runs it in one go, within
 * one call, so that nothing else of this process comes in between; PostgreSQL waits for every answer.
 *
 * A step may be run several times before it counts (see `SqlSession`): it must do nothing but ask.
 */
export type Step<T> = Generator<Query, T, readonly unknown[]>;

/** Asks for all rows. */
export function* rowsOf<Row>(query: Compilable<Row>): Step<readonly Row[]> {
  // Whoever runs a step answers each query with the rows of that query: the builder knows their type.
  return (yield query.compile()) as readonly Row[];
}

/** Asks for the first row. */
export function* rowOf<Row>(query: Compilable<Row>): Step<Row | undefined> {
  const [row] = yield* rowsOf(query);
  return row;
}
