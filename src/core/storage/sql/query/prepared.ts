/** Queries that run often: the text is compiled once, on the first run, and the values are given on each. */
import type { Compilable } from 'kysely';
import { defaultFeedLimit, defaultLimit, maxLimit } from '../../../model/page.js';
import type { BoundQuery } from './task.js';

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

/**
 * An insertion of one row that runs often. Kysely takes longer to build and compile it than `pg` to run it. On PostgreSQL, those that begin
 * together share a transaction: what they lock first must be the same row for all, or two such transactions would wait for each other.
 * Insertions of users lock the counter of all users first.
 */
export class PreparedInsert<Values extends object, Row> {
  readonly #query: PreparedQuery<Row>;
  readonly #columns: readonly (keyof Values)[];

  /**
   * @param name - as of {@link PreparedQuery}
   * @param sample - a row with every column
   * @param insert - makes the query that inserts a row, whose only parameters are the values
   */
  constructor(name: string, sample: Values, insert: (values: Values) => Compilable<Row>) {
    this.#query = new PreparedQuery(name, insert(sample));
    this.#columns = Object.keys(sample) as (keyof Values)[];
  }

  /** @param values - the row, with its columns in any order */
  with(values: Values): BoundQuery<Row> {
    return this.#query.with(...this.#columns.map((column) => values[column]));
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
