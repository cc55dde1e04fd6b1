/** The public face of `concordat`. */

export type * from './contract.js';
export { type MemoryRequestParts, memoryRequest } from './http/memory-request.js';
export type {
  HttpHandler,
  HttpRequest,
  HttpResponse,
  RequestHeaders,
  ResponseContent,
} from './http/message.js';
export type { TransportOptions } from './http/path-choice.js';
export { Problem } from './http/problem.js';
export { compileNegotiation } from './rest/media-type.js';
export { type RestEngine, type RestEngineOptions, restEngine } from './rest/engine.js';
export type { RouteMatch } from './rest/exchange.js';
export type { Answer, CallContext, DecodedRequest, OperationHandlers } from './rest/handler.js';
export type { RestOperation } from './rest/operation.js';
export type { PathMatch } from './rest/path-matcher.js';
export { type ProblemFormat, problemDetails } from './rest/problem-format.js';
export type { Encoder } from './rest/response.js';
export type { Authentication, SecurityDemand, SecurityHandler } from './rest/security.js';
export { failureOf } from './rest/check.js';
