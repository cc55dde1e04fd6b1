/** The work of a store as a sequence of queries, written once and run by either database; and the queries that are compiled once. */
import type { Compilable } from 'kysely';
import type { Query } from './query.js';
import { defaultFeedLimit, defaultLimit, maxLimit } from '../../../model/page.js';

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

export class PreparedQuery<Row> {
  #sql: string | undefined;
  readonly #name: string | undefined;

  /**
   * @param name - unique among all queries: PostgreSQL keeps the parsed query and its plan under this name. Undefined when
   *   the best plan depends on the values
   * @param query - the query with placeholder values of the right types
   * @param isShort - as of {@link BoundQuery}
   */
  constructor(
    name: string | undefined,
    private readonly query: Compilable<Row>,
    private readonly isShort = false,
  ) {
    this.#name = name && `concordat:${name}`;
  }

  /** @param parameters - in the order in which they appear in the text */
  with(...parameters: readonly unknown[]): BoundQuery<Row> {
    const sql = (this.#sql ??= this.query.compile().sql);
    return { sql, parameters, name: this.#name, isShort: this.isShort };
  }
}

/** The default limits, with and without the extra row that shows whether there are more. */
const usualLimits = [defaultLimit, defaultFeedLimit, maxLimit].flatMap((limit) => [limit, limit + 1]);

/**
 * PostgreSQL assumes that an unknown limit returns a tenth of the table. The generic plan then looks too expensive, so it
 * plans the query again on each run, which takes longer than reading the page. Therefore each limit is part of the text of its own
 * query, and those of the usual limits are prepared.
 */
export class PreparedPages<Row> {
  readonly #usual: ReadonlyMap<number, PreparedQuery<Row>>;
  readonly #page: (limit: number) => Compilable<Row>;

  /** @param page - makes the query for a limit; its only parameter is the start */
  constructor(name: string, page: (limit: number) => Compilable<Row>) {
    this.#page = page;
    this.#usual = new Map(
      usualLimits.map((limit) => [limit, new PreparedQuery(`${name}.${limit}`, page(limit))]),
    );
  }

  with(start: string, limit: number): BoundQuery<Row> {
    return (this.#usual.get(limit) ?? new PreparedQuery(undefined, this.#page(limit))).with(start);
  }
}
