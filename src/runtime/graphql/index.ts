/** The entry point `@concordat/runtime/graphql`: an engine for GraphQL schemas, and its HTTP handler. */

export { type CompiledQuery, type QueryCompiler, compileQuery } from './compiler/query-compiler.js';
export {
  type Coerced,
  type Variables,
  argumentsOf,
  coercedVariables,
  defaultOf,
  directiveValues,
} from './compiler/graphql-values.js';
export { type CacheBounds, type CacheState, defaultCacheBounds } from './document/document-cache.js';
export type { GraphqlEngine } from './execution/engine.js';
export { graphqlEngine } from './execution/graphql-engine.js';
export {
  type ConstraintChecks,
  type GraphqlInput,
  constraintDirective,
  inputFieldsWithin,
  isConstrained,
} from './execution/constraints.js';
export type { GraphqlEngineOptions } from './execution/engine.js';
export {
  type EngineErrorCode,
  type ErrorExplanation,
  type ErrorOptions,
  type ErrorPlace,
  problemResult,
} from './document/errors.js';
export type { EventStreamOptions } from './http/sse-stream.js';
export { type GraphqlHttpHandler, type GraphqlHttpOptions, graphqlHttp } from './http/graphql-http.js';
export { type Limits, defaultLimits } from './document/limits.js';
export { type GraphqlParameters, readParameters } from './document/graphql-parameters.js';
export type { PreparedOperation, RefusedOperation } from './document/preparation.js';
export type { RunningOperation, WrittenResult } from './execution/running-operation.js';
export {
  type GraphqlClient,
  type GraphqlSession,
  type OpenGraphqlSession,
  authorizationOf,
  headerOf,
  nextContext,
  subscriptionContexts,
  onExpiry,
} from './execution/session.js';
export { type TrustedDocuments, readTrustedDocuments } from './document/preparation.js';
export type { ResultStream, Take } from './execution/subscription.js';
