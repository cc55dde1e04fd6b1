/** The public face of `concordat/graphql`. */

export type { CompiledQuery, QueryCompiler } from './compiler.js';
export { type CacheBounds, defaultCacheBounds } from './document-cache.js';
export { type GraphqlEngine, type GraphqlEngineOptions, graphqlEngine } from './engine.js';
export type { EngineErrorCode, ErrorExplanation, ErrorOptions, ErrorPlace } from './errors.js';
export type { EventStreamOptions } from './event-stream.js';
export { type GraphqlHttpHandler, type GraphqlHttpOptions, graphqlHttp } from './http.js';
export { type Limits, defaultLimits } from './limits.js';
export { type GraphqlParameters, type Variables, readParameters } from './parameters.js';
export type { RefusedOperation } from './preparation.js';
export type { PreparedOperation } from './prepared.js';
export { compileQuery } from './query-compiler.js';
export { problemResult } from './problem-result.js';
export type { WrittenResult } from './result-writer.js';
export type { RunningOperation } from './running-operation.js';
export {
  type GraphqlClient,
  type GraphqlSession,
  type OpenGraphqlSession,
  authorizationOf,
  headerOf,
  nextContext,
  onExpiry,
} from './session.js';
export { type TrustedDocuments, readTrustedDocuments } from './trusted-documents.js';
