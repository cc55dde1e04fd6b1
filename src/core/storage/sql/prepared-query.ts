/** Queries that run often: their text is made once, their values are given each time. */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Query } from './step.js';

export class PreparedQuery<Row> {
  readonly #query: CompiledQuery<Row> & Query;

  /**
   * @param name unlike that of every other query: PostgreSQL keeps the parsed query and its plan under it. Undefined where
   *   the best plan depends on the values
   * @param query with any values of the right type in the place of those to come
   */
  constructor(name: string | undefined, query: Compilable<Row>) {
    this.#query = { ...query.compile(), ...(name !== undefined && { name: `concordat:${name}` }) };
  }

  /** @param parameters in the order in which they stand in the text */
  with(...parameters: readonly unknown[]): Compilable<Row> {
    const query = { ...this.#query, parameters };
    return { compile: () => query };
  }
}
