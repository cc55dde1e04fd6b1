/** One connection while a step has it. */
import type { Query } from '../sql/step.js';
import { explainFailure, isPostgresError } from './failure.js';
import type { PostgresClient, PostgresPool } from './pool.js';

export class PostgresConnection {
  readonly #client: PostgresClient;
  readonly #patienceMs: number;
  #failure: Error | undefined;

  private constructor(client: PostgresClient, patienceMs: number) {
    this.#client = client;
    this.#patienceMs = patienceMs;
    // The query that waits is told of a broken connection too; but an event that nobody listens to ends the process.
    client.on('error', this.#note);
  }

  /**
   * @param patienceMs how long to wait for the answer of a server that may be there and say nothing, 0 for ever
   * @throws ServiceError `unavailable`
   */
  static async open(pool: PostgresPool, patienceMs: number): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await pool.connect(), patienceMs);
    } catch (error) {
      throw explainFailure(error);
    }
  }

  /** @throws what PostgreSQL said; ServiceError `unavailable` when it did not say anything */
  async ask({ sql, parameters, name }: Query): Promise<readonly unknown[]> {
    const query = {
      text: sql,
      values: [...parameters],
      query_timeout: this.#patienceMs,
      ...(name !== undefined && { name }),
    };
    try {
      return (await this.#client.query(query)).rows;
    } catch (error) {
      // FATAL is the last thing that the server says on a connection.
      if (!isPostgresError(error) || error.severity === 'FATAL') this.#note(error as Error);
      throw explainFailure(error);
    }
  }

  /** Hands the connection back, to be used again unless it is broken. */
  release(): void {
    this.#client.removeListener('error', this.#note);
    this.#client.release(this.#failure);
  }

  readonly #note = (error: Error): void => {
    this.#failure ??= error;
  };
}
