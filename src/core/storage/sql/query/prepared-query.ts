/** Queries that run often: the text is compiled once, on the first run, and the values are given on each. */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Query } from './task.js';

export class PreparedQuery<Row> {
  #compiled: (CompiledQuery<Row> & Query) | undefined;

  /**
   * @param name - unique among all queries: PostgreSQL keeps the parsed query and its plan under this name. Undefined when
   *   the best plan depends on the values
   * @param query - the query with placeholder values of the right types
   */
  constructor(
    private readonly name: string | undefined,
    private readonly query: Compilable<Row>,
  ) {}

  /** @param parameters - in the order in which they appear in the text */
  with(...parameters: readonly unknown[]): Compilable<Row> {
    const query = { ...(this.#compiled ??= this.#compile()), parameters };
    return { compile: () => query };
  }

  #compile(): CompiledQuery<Row> & Query {
    return {
      ...this.query.compile(),
      ...(this.name !== undefined && { name: `concordat:${this.name}` }),
    };
  }
}
