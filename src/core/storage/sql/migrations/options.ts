/** The options of the migrations, without the types of the query builder, which the package does not show. */

export interface MigrationOptions {
  /** Called with the name of each migration that ran, before the storage is returned. */
  readonly onMigration?: ((name: string) => void) | undefined;
  /** Called with the name of each migration of a later version that has run; this version can use the database nevertheless. */
  readonly onLaterMigration?: ((name: string) => void) | undefined;
  /**
   * False to run no migration: `onMigration` is then called with the names of those that have not run, and `ping` rejects if there
   * are any. Unless given, they run.
   */
  readonly migrate?: boolean | undefined;
}
