/** The part of a `pg` pool that the storage calls: whoever has one, or something like it, can bring their own. */

export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  /** Prepares the query once a connection, under this name. */
  readonly name?: string;
  /** Milliseconds after which the client gives the query up; 0 for never. */
  readonly query_timeout?: number;
}

export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** @param error given, the connection is closed rather than used again */
  release(error?: Error): void;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}
