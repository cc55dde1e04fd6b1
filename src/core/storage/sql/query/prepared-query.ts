/** Queries that run often: the text is compiled once, the values are given on each run. */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Query } from './task.js';

export class PreparedQuery<Row> {
  readonly #query: CompiledQuery<Row> & Query;

  /**
   * @param name - unique among all queries: PostgreSQL keeps the parsed query and its plan under this name. Undefined when
   *   the best plan depends on the values
   * @param query - the query with placeholder values of the right types
   */
  constructor(name: string | undefined, query: Compilable<Row>) {
    this.#query = { ...query.compile(), ...(name !== undefined && { name: `concordat:${name}` }) };
  }

  /** @param parameters - in the order in which they appear in the text */
  with(...parameters: readonly unknown[]): Compilable<Row> {
    const query = { ...this.#query, parameters };
    return { compile: () => query };
  }
}
