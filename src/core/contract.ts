/** The public face of `@concordat/core/contract`: the service's own contracts, and what is generated from them. */

export { contract } from '../../generated/routing.js';
export { typeDefs } from '../../generated/schema.js';
export type * from '../../generated/openapi.js';
export type * from '../../generated/operations.js';

/** The document `openapi.yaml`, as a file. */
export const openapiFile: URL = new URL('../../openapi.yaml', import.meta.url);
