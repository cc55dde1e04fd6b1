/** What a connection is asked, for declarations that must not lead to those of Kysely: it is no dependency of the package. */

/** A query with its values; one with a name is prepared once per connection. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly name?: string;
}
