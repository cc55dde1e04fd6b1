/** A runner that asks the database how it would answer each query of a task, before it asks the query. */
import type { SqlRunner, SqlTask, SqlTransaction } from '../../../src/core/storage/sql/query/runner.js';
import type { Query } from '../../../src/core/storage/sql/query/query.js';

export class PlanningRunner implements SqlRunner {
  readonly builder: SqlRunner['builder'];
  readonly dialect: SqlRunner['dialect'];
  readonly #runner: SqlRunner;
  readonly #explain: string;
  #plans: string[] = [];

  /** @param explain what stands before a query that is to be explained */
  constructor(runner: SqlRunner, explain: string) {
    this.builder = runner.builder;
    this.dialect = runner.dialect;
    this.#runner = runner;
    this.#explain = explain;
  }

  /** The lines of all plans since the last call, for queries that did something. */
  takePlans(): readonly string[] {
    const plans = this.#plans;
    this.#plans = [];
    return plans;
  }

  run<T>(task: () => SqlTask<T>): Promise<T> {
    return this.#runner.run(() => this.#explained(task()));
  }

  runList<T>(task: () => SqlTask<T>): Promise<T> {
    return this.run(task);
  }

  runAtomically<T>(task: () => SqlTask<T>): Promise<T> {
    return this.#runner.runAtomically(() => this.#explained(task()));
  }

  transact<T>(_: unknown, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#runner.transact(undefined, (transaction) =>
      work({ ...transaction, run: (task) => transaction.run(() => this.#explained(task())) }),
    );
  }

  ping(): Promise<void> {
    return this.#runner.ping();
  }

  close(): Promise<void> {
    return this.#runner.close();
  }

  *#explained<T>(task: SqlTask<T>): SqlTask<T> {
    let next = task.next([]);
    while (next.done !== true) {
      const { sql, parameters }: Query = next.value;
      for (const row of yield { sql: `${this.#explain} ${sql}`, parameters }) this.#plans.push(lineOf(row));
      next = task.next(yield next.value);
    }
    return next.value;
  }
}

/** PostgreSQL calls a line `QUERY PLAN`, SQLite `detail`. */
function lineOf(row: unknown): string {
  const line = row as { readonly 'QUERY PLAN'?: string; readonly detail?: string };
  return (line['QUERY PLAN'] ?? line.detail ?? '').trim();
}
