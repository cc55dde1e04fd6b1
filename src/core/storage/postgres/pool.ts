/** The part of a `pg` pool that the storage uses, so that callers can pass their own pool or a compatible one. */

export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  /** Prepares the query once per connection, under this name. */
  readonly name?: string;
  /** Milliseconds after which the client gives up on the query; 0 for never. */
  readonly query_timeout?: number;
}

export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: unknown[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** @param error - when given, the connection is closed instead of being used again */
  release(error?: Error): void;
}

export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}
