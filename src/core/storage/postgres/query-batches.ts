/**
 * Joins prepared queries of the same kind that begin in the same turn of the event loop, or that wait for a connection together: they
 * share one exchange with the server, and one transaction. Those of other kinds are not joined, because the table of one may be locked.
 */
import type { Query } from '../sql/query/query.js';
import { type Waiting, answerBatch } from './answer-batch.js';

type Rows = readonly unknown[];

/** Runs queries on one connection. @param close - called when there is a connection: no more queries are added then */
export type RunTogether = (kind: Query, close: () => readonly Query[]) => Promise<readonly Rows[]>;

interface WaitingQuery extends Waiting<Rows> {
  readonly query: Query;
}

/** More would gain little, and would run one after the other where PostgreSQL has several cores. */
const mostQueries = 16;

export class QueryBatches {
  readonly #run: RunTogether;
  /** The last batch of each kind, by the text of its query. */
  readonly #open = new Map<string, WaitingQuery[]>();

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

  #answer(kind: Query, batch: readonly WaitingQuery[]): Promise<void> {
    const close = () => {
      if (this.#open.get(kind.sql) === batch) this.#open.delete(kind.sql);
    };
    const run = async (part: readonly WaitingQuery[]) => {
      try {
        return await this.#run(kind, () => {
          close();
          return part.map(({ query }) => query);
        });
      } finally {
        // It may fail before there is a connection.
        close();
      }
    };
    return answerBatch<Rows, WaitingQuery>(batch, run, []);
  }
}
