/**
 * Joins prepared queries of the same kind that begin in the same turn of the event loop, or that wait for a connection together: they
 * share one exchange with the server, and one transaction. Those of other kinds are not joined, because the table of one may be locked.
 */
import { ServiceError } from '../../model/error.js';
import type { Query } from '../sql/query/query.js';

type Rows = readonly unknown[];

/** Runs queries on one connection. @param close - called when there is a connection: no more queries are added then */
export type RunTogether = (kind: Query, close: () => readonly Query[]) => Promise<readonly Rows[]>;

interface Waiting {
  readonly query: Query;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
}

/** More would gain little, and would run one after the other where PostgreSQL has several cores. */
const mostQueries = 16;

export class QueryBatches {
  readonly #run: RunTogether;
  /** The last batch of each kind, by the text of its query. */
  readonly #open = new Map<string, Waiting[]>();

  constructor(run: RunTogether) {
    this.#run = run;
  }

  /** @throws ServiceError, and PostgreSQL's error, which is that of this query only */
  ask(query: Query): Promise<Rows> {
    return new Promise((resolve, reject) => {
      const waiting = { query, resolve, reject };
      const open = this.#open.get(query.sql);
      if (open !== undefined && open.length < mostQueries) {
        open.push(waiting);
        return;
      }
      const batch = [waiting];
      this.#open.set(query.sql, batch);
      setImmediate(() => void this.#answer(query, batch));
    });
  }

  /** Never rejects. */
  async #answer(kind: Query, batch: readonly Waiting[]): Promise<void> {
    const close = () => {
      if (this.#open.get(kind.sql) === batch) this.#open.delete(kind.sql);
      return batch.map(({ query }) => query);
    };
    try {
      const answers = await this.#run(kind, close);
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] ?? []);
    } catch (error) {
      close();
      // PostgreSQL refused one of the queries, and undid all: each of the others must not fail with it.
      if (batch.length > 1 && !(error instanceof ServiceError)) {
        for (const each of batch) await this.#answer(kind, [each]);
        return;
      }
      for (const { reject } of batch) reject(error);
    }
  }
}
