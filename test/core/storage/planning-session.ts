/** A session that asks the database how it would answer each query of a step, before it asks the query. */
import type { SqlSession } from '../../../src/core/storage/sql/session.js';
import type { Query, Step } from '../../../src/core/storage/sql/step.js';

export class PlanningSession implements SqlSession {
  readonly builder: SqlSession['builder'];
  readonly dialect: SqlSession['dialect'];
  readonly #session: SqlSession;
  readonly #explain: string;
  #plans: string[] = [];

  /** @param explain what stands before a query that is to be explained */
  constructor(session: SqlSession, explain: string) {
    this.builder = session.builder;
    this.dialect = session.dialect;
    this.#session = session;
    this.#explain = explain;
  }

  /** The lines of all plans since the last call, for queries that did something. */
  takePlans(): readonly string[] {
    const plans = this.#plans;
    this.#plans = [];
    return plans;
  }

  run<T>(step: () => Step<T>): Promise<T> {
    return this.#session.run(() => this.#explained(step()));
  }

  runAtomically<T>(step: () => Step<T>): Promise<T> {
    return this.#session.runAtomically(() => this.#explained(step()));
  }

  runAllAtomically<Stop>(steps: AsyncIterable<() => Step<Stop | undefined>>): Promise<Stop | undefined> {
    return this.#session.runAllAtomically(steps);
  }

  createPost(...parameters: Parameters<SqlSession['createPost']>): ReturnType<SqlSession['createPost']> {
    return this.#session.createPost(...parameters);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  *#explained<T>(step: Step<T>): Step<T> {
    let next = step.next([]);
    while (next.done !== true) {
      const { sql, parameters }: Query = next.value;
      for (const row of yield { sql: `${this.#explain} ${sql}`, parameters }) this.#plans.push(lineOf(row));
      next = step.next(yield next.value);
    }
    return next.value;
  }
}

/** PostgreSQL calls a line `QUERY PLAN`, SQLite `detail`. */
function lineOf(row: unknown): string {
  const line = row as { readonly 'QUERY PLAN'?: string; readonly detail?: string };
  return (line['QUERY PLAN'] ?? line.detail ?? '').trim();
}
