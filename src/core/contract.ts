/** The entry point `@concordat/core/contract`: the service's contracts, and the code generated from them. */

export { contract, operations } from '../../generated/routing.js';
export { typeDefs } from '../../generated/schema.js';
export type * from '../../generated/openapi.js';
export type * from '../../generated/operations.js';

/** The URL of the file `openapi.yaml`. */
export const openapiFile: URL = new URL('../../openapi.yaml', import.meta.url);

/** The URL of the same document as JSON, which the build makes, also compressed (`.br`); beside the sources there is none. */
export const openapiJsonFile: URL = new URL('../../openapi.json', import.meta.url);

/** The URL of the file `schema.graphql`. */
export const schemaFile: URL = new URL('../../schema.graphql', import.meta.url);
