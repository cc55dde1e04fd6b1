/** The options of the resolver signatures. */

/**
 * Declared here, because the declarations of graphql-codegen compile only with `skipLibCheck`: consumers that import ours would
 * need that option too.
 */
export interface ResolverOptions {
  /** The type of the context: `./context.js#Context`. */
  readonly contextType?: string;
  /** The type of the values behind a type of the schema, by its name: `{ User: './model.js#User' }`. */
  readonly mappers?: Readonly<Record<string, string>>;
  /** Any other option of `@graphql-codegen/typescript-resolvers`. */
  readonly [option: string]: unknown;
}
