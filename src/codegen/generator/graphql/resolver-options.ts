/** The options of a GraphQL schema: its files, and its resolver signatures. Consumers see these types, so they name none of other packages. */

/** The path of a schema in SDL, or of a schema and the files that extend it, such as with `extend type Query`. */
export type SchemaFiles = string | readonly string[];

/**
 * Declared here, because the declarations of graphql-codegen compile only with `skipLibCheck`: consumers that import ours would
 * need that option too.
 */
export interface ResolverOptions {
  /** The type of the context: `./context.js#Context`. */
  readonly contextType?: string;
  /** The TypeScript types of the values of the schema's types, by name: `{ User: './model.js#User' }`. */
  readonly mappers?: Readonly<Record<string, string>>;
  /** Any other option of `@graphql-codegen/typescript-resolvers`. */
  readonly [option: string]: unknown;
}
