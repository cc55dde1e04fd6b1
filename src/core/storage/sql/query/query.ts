/** The type of a query, for exported declarations: they must not refer to Kysely, which is not a dependency of the package. */

/** A query with its values. One with a name is prepared once per connection, and may share a transaction with others of its name. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly name?: string | undefined;
  /** Whether it reads only a few rows, so that it waits for no turn among the lists. */
  readonly isShort?: boolean;
}
