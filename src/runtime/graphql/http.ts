/** GraphQL over HTTP, after the draft of the GraphQL Foundation, for any transport. */

import type { FormattedExecutionResult } from 'graphql';
import type { RestRequest, RestResponse } from '../http/message.js';
import { compileNegotiation } from '../rest/media-type.js';
import { Problem } from '../rest/problem.js';
import type { GraphqlEngine } from './engine.js';
import { parametersOfBody, parametersOfQuery } from './http-parameters.js';
import type { PreparedOperation } from './prepared.js';
import { jsonBytes } from './json-writer.js';
import { problemResult } from './problem-result.js';

export interface GraphqlHttpOptions<Context> {
  /** Makes what the resolvers get as their context: from the headers, for instance. */
  readonly contextOf: (request: RestRequest) => Context | Promise<Context>;
  /** Answers a browser that would rather see HTML: with an editor for queries, for instance. */
  readonly page?: (request: RestRequest) => RestResponse | Promise<RestResponse>;
  /** The most bytes that a body may have; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
}

/** A response, and of which operation it is: for logs and traces. */
export interface GraphqlHttpResponse extends RestResponse {
  /** As the client wrote it; absent where nothing ran, or what ran has no name. */
  readonly operationName?: string;
}

/** Answers a request to the GraphQL path. The promise never rejects for anything that a client sends. */
export type GraphqlHttpHandler = (request: RestRequest) => Promise<GraphqlHttpResponse>;

const RESULT = 'application/graphql-response+json';
const JSON_RESULT = 'application/json';
const CONTENT_TYPE = { [RESULT]: `${RESULT}; charset=utf-8`, [JSON_RESULT]: `${JSON_RESULT}; charset=utf-8` };
const METHODS = 'GET, HEAD, POST, OPTIONS';

type MediaType = keyof typeof CONTENT_TYPE;

const preferResult = compileNegotiation([RESULT, JSON_RESULT]);
const preferJson = compileNegotiation([JSON_RESULT, RESULT]);
const preferHtml = compileNegotiation([RESULT, JSON_RESULT, 'text/html', 'application/xhtml+xml']);

/**
 * Makes a handler of an engine: POST with a JSON body, and GET for queries. Every error is a GraphQL response, as
 * `{"errors": [...]}`, also where the request is not one, because that is what clients read at this path.
 *
 * @example
 * ```ts
 * const handler = graphqlHttp(engine, { contextOf: ({ headers }) => ({ token: headers.authorization }) });
 * app.use(koaGraphql(handler));
 * ```
 */
export function graphqlHttp<Context>(
  engine: GraphqlEngine<Context>,
  options: GraphqlHttpOptions<Context>,
): GraphqlHttpHandler {
  const handler = new HttpHandler(engine, options);
  return (request) => handler.handle(request);
}

class HttpHandler<Context> {
  readonly #engine: GraphqlEngine<Context>;
  readonly #options: GraphqlHttpOptions<Context>;
  readonly #maxBodyBytes: number;

  constructor(engine: GraphqlEngine<Context>, options: GraphqlHttpOptions<Context>) {
    this.#engine = engine;
    this.#options = options;
    this.#maxBodyBytes = options.maxBodyBytes ?? 1024 * 1024;
  }

  async handle(request: RestRequest): Promise<GraphqlHttpResponse> {
    let mediaType: MediaType = JSON_RESULT;
    try {
      const { method, headers } = request;
      if (method === 'OPTIONS') return { status: 204, headers: { Allow: METHODS } };
      const isRead = method === 'GET' || method === 'HEAD';
      if (!isRead && method !== 'POST') throw new Problem(405, 'Use GET or POST', { Allow: METHODS });
      const accept = textOf(headers['accept']);
      if (isRead && this.#options.page !== undefined && prefersHtml(accept)) {
        return await this.#options.page(request);
      }
      mediaType = negotiate(accept);
      const parameters = isRead
        ? parametersOfQuery(request.query)
        : await parametersOfBody(request, this.#maxBodyBytes);
      const operation = this.#engine.prepare(parameters);
      if ('errors' in operation)
        return respond(statusOf(operation, mediaType), mediaType, jsonBytes(operation));
      requireServed(operation, isRead);
      const context = await this.#options.contextOf(request);
      const result = await this.#engine.execute(operation, parameters.variables, context, headers);
      const response = respond(statusOf(result, mediaType), mediaType, operation.jsonOf(result));
      return operation.name === undefined ? response : { ...response, operationName: operation.name };
    } catch (error) {
      return this.#failure(error, mediaType, request);
    }
  }

  #failure(error: unknown, mediaType: MediaType, { headers }: RestRequest): RestResponse {
    if (!(error instanceof Problem)) {
      return respond(500, mediaType, jsonBytes({ errors: [this.#engine.failure(error, headers)] }));
    }
    return respond(error.status, mediaType, jsonBytes(problemResult(error)), error.headers);
  }
}

/** @throws a 400 or 405 `Problem` for an operation that this way of asking does not serve */
function requireServed({ type }: PreparedOperation, isRead: boolean): void {
  if (type === 'subscription') {
    throw new Problem(400, 'Subscriptions are served over WebSocket and as text/event-stream');
  }
  if (isRead && type !== 'query') {
    throw new Problem(405, 'Only queries are served over GET: use POST', { Allow: 'POST' });
  }
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' || header === undefined ? header : header.join(', ');
}

/** A browser names HTML; what takes anything gets JSON. */
function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/html/i.test(accept)) return false;
  return preferHtml(accept)?.includes('html') ?? false;
}

/** Who does not know the newer media type gets the older one (draft, "Legacy Watershed"). @throws a 406 `Problem` */
function negotiate(accept: string | undefined): MediaType {
  if (accept === undefined || accept === '*/*') return JSON_RESULT;
  const chosen = accept.includes(RESULT) ? preferResult(accept) : preferJson(accept);
  if (chosen === RESULT || chosen === JSON_RESULT) return chosen;
  throw new Problem(406, `Accept must allow ${RESULT} or ${JSON_RESULT}`);
}

/** Only the newer media type tells by the status that nothing ran (draft, "Status Codes"). */
function statusOf(result: FormattedExecutionResult, mediaType: MediaType): number {
  return mediaType === RESULT && !('data' in result) ? 400 : 200;
}

function respond(
  status: number,
  mediaType: MediaType,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): RestResponse {
  return { status, headers: { ...headers, 'Content-Type': CONTENT_TYPE[mediaType] }, body };
}
