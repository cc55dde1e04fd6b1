/** GraphQL over HTTP (the draft of the GraphQL Foundation) and over server-sent events, as a handler for any transport. */

import { type FormattedExecutionResult, Kind, getOperationAST } from 'graphql';
import { type HttpHandler, type HttpRequest, type HttpResponse, headerText } from '../../http/message.js';
import { Problem } from '../../http/problem.js';
import { compileNegotiation } from '../../http/media-type.js';
import type { GraphqlEngine } from '../execution/engine.js';
import type { EventStreamOptions } from './sse-stream.js';
import { EventStreams } from './server-sent-events.js';
import { parametersOfBody, parametersOfQuery } from '../document/graphql-parameters.js';
import type { PreparedOperation } from '../document/preparation.js';
import { type EngineErrorCode, outageOf, problemResult } from '../document/errors.js';
import type { OpenGraphqlSession } from '../execution/session.js';

export interface GraphqlHttpOptions<Context, Host = unknown> extends EventStreamOptions {
  /** Identifies the caller; called once per request. */
  readonly openSession: OpenGraphqlSession<Context, Host>;
  /** Answers clients that prefer HTML, such as browsers; for example with a query editor. */
  readonly page?: HttpHandler<Host>;
  /** The path of GraphQL; `/graphql` unless given. */
  readonly path?: string;
  /** The maximum size of a body in bytes; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
}

/** Serves GraphQL at one path. */
export interface GraphqlHttpHandler<Host = unknown> extends HttpHandler<Host> {
  /** Ends every event stream without a `complete`, so that clients reconnect to a process that is not stopping. */
  readonly close: () => void;
  /** The number of open event streams, for metrics. */
  readonly countStreams: () => number;
}

const RESULT = 'application/graphql-response+json';
const JSON_RESULT = 'application/json';
const CONTENT_TYPE = { [RESULT]: `${RESULT}; charset=utf-8`, [JSON_RESULT]: `${JSON_RESULT}; charset=utf-8` };
const STREAM = 'text/event-stream';
const METHODS = 'GET, HEAD, POST, OPTIONS';
const UNKNOWN_DOCUMENT: EngineErrorCode = 'PERSISTED_QUERY_NOT_SUPPORTED';

type MediaType = keyof typeof CONTENT_TYPE;

const preferResult = compileNegotiation([RESULT, JSON_RESULT]);
// REST clients ask for versions with vendor media types of JSON; here such a type means plain JSON.
const preferJson = compileNegotiation([JSON_RESULT, RESULT], { 'application/vnd.*+json': JSON_RESULT });
const preferStream = compileNegotiation([STREAM, RESULT, JSON_RESULT]);
const preferOthers = compileNegotiation([RESULT, JSON_RESULT, STREAM]);
const preferHtml = compileNegotiation([RESULT, JSON_RESULT, 'text/html', 'application/xhtml+xml']);

/**
 * Makes a handler for an engine: POST with a JSON body, and GET for queries. Every error is a GraphQL response
 * (`{"errors": [...]}`), also for a request that is not GraphQL, because clients of this path read that format.
 *
 * A client whose `Accept` prefers `text/event-stream` gets the results as server-sent events, also of subscriptions. A
 * subscription ends with an error in a last `next` when its token is no longer valid (`UNAUTHENTICATED`) or its client
 * reads too slowly (`LIMIT_EXCEEDED`). A client that does not read this event within five seconds is disconnected.
 *
 * @example
 * ```ts
 * const graphql = graphqlHttp(engine, {
 *   openSession: (client) => ({ context: { token: authorizationOf(client) } }),
 * });
 * createServer(nodeTransport(graphql)).listen(3000);
 * ```
 */
export function graphqlHttp<Context, Host>(
  engine: GraphqlEngine<Context>,
  options: GraphqlHttpOptions<Context, Host>,
): GraphqlHttpHandler<Host> {
  const { path = '/graphql', maxBodyBytes = 1024 * 1024, openSession, page } = options;
  const streams = new EventStreams(engine, options);

  async function handle(request: HttpRequest<Host>): Promise<HttpResponse> {
    let mediaType: MediaType = JSON_RESULT;
    try {
      const { method, headers } = request;
      if (request.path !== path) throw new Problem(404, 'Not found');
      if (method === 'OPTIONS') return { status: 204, headers: { Allow: METHODS }, operation: OPERATION };
      const isRead = reads(request);
      if (!isRead && method !== 'POST') throw new Problem(405, 'Use GET or POST', { Allow: METHODS });
      const accept = headerText(headers['accept']);
      if (isRead && page !== undefined && prefersHtml(accept)) return await page(request);
      const isStream = method !== 'HEAD' && prefersStream(accept);
      if (!isStream) mediaType = negotiate(accept);
      const parameters = isRead
        ? parametersOfQuery(request.query)
        : await parametersOfBody(request, maxBodyBytes);
      const operation = engine.prepare(parameters);
      const type = 'type' in operation ? operation.type : undefined;
      if (type === 'subscription' && !isStream) {
        throw new Problem(400, 'Subscriptions are served over WebSocket and as text/event-stream');
      }
      if (isRead && type === 'mutation') {
        throw new Problem(405, 'Mutations are not served over GET: use POST', { Allow: 'POST' });
      }
      // A request with only the id of a document, which is not known, is a 400 for any `Accept`, as one without a query is.
      if ('errors' in operation && operation.errors[0].extensions?.['code'] === UNKNOWN_DOCUMENT) {
        return respond(400, mediaType, JSON.stringify(operation), request);
      }
      if (isStream) {
        const graphqlOperation = 'name' in operation ? operation.name : undefined;
        // A copy of the response would make its signal.
        return Object.assign(await streams.respond(operation, parameters, request), {
          operation: OPERATION,
          graphqlOperation,
        });
      }
      if ('errors' in operation) {
        return respond(statusOf(operation, mediaType), mediaType, JSON.stringify(operation), request);
      }
      const { context } = await openSession(request);
      const { variables } = parameters;
      const { result, json } = await engine.executeToJson(operation, variables, context, headers, request);
      const seconds = result.errors && outageOf(result);
      if (seconds !== undefined && !(type === 'mutation' && mayHaveStored(result, operation)))
        return unavailable(seconds, respond(503, mediaType, json, request, operation));
      return respond(statusOf(result, mediaType), mediaType, json, request, operation);
    } catch (error) {
      if (!(error instanceof Problem)) {
        const result = { errors: [engine.failure(error, request.headers)] };
        const seconds = outageOf(result);
        const json = JSON.stringify(result);
        return seconds === undefined
          ? respond(500, mediaType, json, request)
          : unavailable(seconds, respond(503, mediaType, json, request));
      }
      const response = respond(error.status, mediaType, JSON.stringify(problemResult(error)), request);
      return { ...response, headers: { ...error.headers, ...response.headers } };
    }
  }

  return Object.assign(handle, {
    serves: (_method: string, asked: string) => asked === path,
    close: () => {
      streams.close();
    },
    countStreams: () => streams.size,
  });
}

/** The operation in logs and metrics. Clients choose the names of GraphQL operations, so those are logged separately. */
const OPERATION = 'graphql';

function reads({ method }: HttpRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** If a client prefers the stream and JSON equally, the order decides; a client that accepts anything gets JSON. */
function prefersStream(accept = ''): boolean {
  const at = accept.search(/text\/event-stream/i);
  if (at === -1) return false;
  const isFirst = !/application\/(?:graphql-response\+)?json/i.test(accept.slice(0, at));
  return (isFirst ? preferStream : preferOthers)(accept) === STREAM;
}

/** A browser names HTML; a client that accepts anything gets JSON. */
function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/html/i.test(accept)) return false;
  return preferHtml(accept)?.includes('html') ?? false;
}

/** A client that does not know the newer media type gets the older one (draft, "Legacy Watershed"). @throws a 406 `Problem` */
function negotiate(accept: string | undefined): MediaType {
  if (accept === undefined || accept === '*/*') return JSON_RESULT;
  const chosen = accept.includes(RESULT) ? preferResult(accept) : preferJson(accept);
  if (chosen === RESULT || chosen === JSON_RESULT) return chosen;
  throw new Problem(406, `Accept must allow ${RESULT} or ${JSON_RESULT}`);
}

/** The status of a result: 400 if nothing ran, but only with the newer media type (draft, "Status Codes"). */
function statusOf(result: FormattedExecutionResult, mediaType: MediaType): number {
  return mediaType === RESULT && !('data' in result) ? 400 : 200;
}

/** Whether a field of a mutation that failed had written before: the failure is below it, or may be that of a later one. */
function mayHaveStored(
  { data, errors = [] }: FormattedExecutionResult,
  { document, name }: PreparedOperation,
): boolean {
  if (errors.some(({ path = [] }) => path.length > 1)) return true;
  const fields = getOperationAST(document, name)?.selectionSet.selections ?? [];
  return !data && (fields.length > 1 || fields[0]?.kind !== Kind.FIELD);
}

/** As over REST, a 503 says that nothing was read or stored. */
function unavailable(seconds: number, response: HttpResponse): HttpResponse {
  return { ...response, headers: { ...response.headers, 'Retry-After': String(seconds) } };
}

function respond(
  status: number,
  mediaType: MediaType,
  body: string | Uint8Array,
  request: HttpRequest,
  operation?: PreparedOperation,
): HttpResponse {
  // `Accept` chooses the media type, or HTML instead of a result. Caches do not keep a response to POST (RFC 9110 §9.3.3).
  const headers = { 'Content-Type': CONTENT_TYPE[mediaType], ...(reads(request) && { Vary: 'Accept' }) };
  return { status, headers, body, operation: OPERATION, graphqlOperation: operation?.name };
}
