/** The entry point `@concordat/runtime`: runs REST contracts. */

export type * from './contract/contract.js';
export type * from './contract/outgoing.js';
export type * from './contract/tool-table.js';
export { type MemoryRequestParts, memoryRequest } from './http/memory-request.js';
export {
  type HostOption,
  type HostType,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type RequestHeaders,
  type ResponseContent,
  hostType,
} from './http/message.js';
export type { TransportOptions } from './http/path-choice.js';
export {
  OUTAGE_SECONDS,
  Problem,
  type ProblemFailure,
  type ProblemFormat,
  problemDetails,
  problemResponse,
} from './http/problem.js';
export { compileNegotiation, findByMediaType } from './http/media-type.js';
export { bodyCodecs } from './rest/operation/forms-and-streams.js';
export { type RestEngine, type RestEngineOptions, restEngine } from './rest/rest-engine.js';
export type { RouteMatch } from './rest/steps/exchange.js';
export type {
  Answer,
  AnyLiteral,
  CallContext,
  DecodedRequest,
  OperationHandlers,
} from './rest/operation/handler.js';
export type { AfterHook, BeforeHook, HookContext, Hooks, Outcome } from './rest/operation/hooks.js';
export type { RestOperation } from './rest/operation/operation.js';
export type { PathMatch } from './rest/operation/path-matcher.js';
export type { Encoder } from './rest/operation/response.js';
export { findByStatus } from './rest/responses/response-checker.js';
export type { Authentication, SecurityDemand, SecurityHandler } from './rest/operation/security.js';
export { failureOf } from './failures/sentences.js';
