/** The types of a query and of what it returns, for exported declarations: they must not refer to Kysely, which is not a dependency of the package. */

export type Database = 'sqlite' | 'postgres';

/** A query with its values. One with a name is prepared once per connection. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly name?: string | undefined;
  /** Whether it reads only a few rows, so that it waits for no turn among the lists. */
  readonly isShort?: boolean;
}

/** A 64-bit integer as the driver returns it: a number from SQLite, digits from PostgreSQL. */
export type SqlInteger = number | string;
