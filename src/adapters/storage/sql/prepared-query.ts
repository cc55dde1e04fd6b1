/** Queries that run often: their text is made once, their values are given each time. */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Query } from './step.js';

export class PreparedQuery<Row> {
  readonly #compiled: CompiledQuery<Row>;
  readonly #name: string;

  /**
   * @param name unlike that of every other query: PostgreSQL keeps the plan under it
   * @param query with any values of the right type in the place of those to come
   */
  constructor(name: string, query: Compilable<Row>) {
    this.#compiled = query.compile();
    this.#name = `concordat:${name}`;
  }

  /** @param parameters in the order in which they stand in the text */
  with(...parameters: readonly unknown[]): Compilable<Row> {
    const query: CompiledQuery<Row> & Query = { ...this.#compiled, parameters, name: this.#name };
    return { compile: () => query };
  }
}
