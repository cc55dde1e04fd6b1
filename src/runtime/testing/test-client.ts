/** Calls the operations of an engine in the same process, with the types of the contract, for tests. */

import { type GivenRequest, compileWriter } from '../client/outgoing-request.js';
import type { OperationContract, RestContract, Signatures } from '../contract/contract.js';
import { type HttpResponse, isStreamed } from '../http/message.js';
import { requireAll } from '../http/path-choice.js';
import {
  type Answer,
  type HostOption,
  type HttpHandler,
  type RequestHeaders,
  type ResponseContent,
  memoryRequest,
} from '../index.js';
import { findByStatus } from '../rest/responses/response-checker.js';

/** Per-call options, in addition to the request of the operation. */
export interface CallOptions<Host = unknown> {
  /** Headers, such as `authorization`; names in lower case. They replace those of the client. */
  readonly headers?: RequestHeaders;
  readonly signal?: AbortSignal;
  /** The host's request context, for handlers that need one. It replaces that of the client. */
  readonly host?: Host;
}

/** One function per operation. */
export type TestClient<Handlers extends Signatures<Handlers>, Host = unknown> = {
  readonly [Id in keyof Handlers]: ClientCall<
    Parameters<Handlers[Id]>[0],
    Awaited<ReturnType<Handlers[Id]>>,
    Host
  >;
};

/** The request is optional if all its properties are. */
type ClientCall<Request, Response, Host> =
  object extends ClientRequest<Request>
    ? (request?: ClientRequest<Request>, options?: CallOptions<Host>) => Promise<ClientResponse<Response>>
    : (request: ClientRequest<Request>, options?: CallOptions<Host>) => Promise<ClientResponse<Response>>;

type Lenient = 'query' | 'headers' | 'cookies';

/** The handler's request with optional parameters: those with a default are required in the handler's type only. */
type ClientRequest<Request> = Request extends unknown
  ? Omit<Request, Lenient> & { readonly [Part in keyof Request & Lenient]?: Partial<Request[Part]> }
  : never;

/** The handler's answer, with the headers as text. */
type ClientResponse<Response> = Response extends { readonly status: infer Status; readonly body?: infer Body }
  ? {
      readonly status: Status;
      /** By name in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Body;
    }
  : never;

/**
 * Makes a client of an engine. A call is a request to the engine, without a socket: it is authenticated, decoded and validated.
 * If a format has a special type, such as `Date`, requests take values of that type, like the handler. Answers have the JSON form:
 * a date is text, although its type is `Date`.
 *
 * @param engine - the engine of this contract
 * @param options - the options of every call; `host` is required if the engine needs one
 * @returns functions that reject when the engine answers with a status that the contract does not declare
 *
 * @example
 * ```ts
 * const client = testClient(engine, contract);
 * const { status, body } = await client.getUser({ path: { id: '1' } });
 * ```
 */
export function testClient<
  Id extends string,
  Scheme extends string,
  Handlers extends Signatures<Handlers>,
  Host,
>(
  engine: HttpHandler<Host>,
  contract: RestContract<Id, Scheme, Handlers>,
  ...[options = {}]: unknown extends Host
    ? [options?: CallOptions]
    : [options: CallOptions<NoInfer<Host>> & HostOption<NoInfer<Host>>]
): TestClient<Handlers, Host> {
  requireAll(engine);
  const calls = Object.entries<OperationContract>(contract.operations).map(([id, operation]) => {
    const call = compileCall(engine, id, operation);
    return [
      id,
      (request: GivenRequest = {}, own: CallOptions = {}) =>
        call(request, { ...options, ...own, headers: { ...options.headers, ...own.headers } }),
    ];
  });
  // The generated types are narrower than the types here; both come from the same contract.
  return Object.fromEntries(calls) as TestClient<Handlers, Host>;
}

function compileCall(engine: HttpHandler<never>, id: string, operation: OperationContract) {
  const { method, responses } = operation;
  const write = compileWriter(id, operation, false);
  return async (
    given: GivenRequest,
    { headers, signal, host }: CallOptions,
  ): Promise<ClientResponse<Answer>> => {
    const { body, ...written } = write(given);
    // Fetch writes a form with its files, and chooses the boundary between its parts.
    const carrier = body && new Response(body.body);
    const type = body?.contentType ?? carrier?.headers.get('content-type') ?? '';
    const response = await engine(
      memoryRequest({
        ...written,
        method,
        headers: { ...written.headers, ...(body && { 'content-type': type }), ...headers },
        ...(carrier && { body: new Uint8Array(await carrier.arrayBuffer()) }),
        ...(signal && { signal }),
        host: host as never,
      }),
    );
    const value = bodyOf(response);
    const { status } = response;
    if (findByStatus({ get: (key) => responses[key] }, status) === undefined) {
      throw new Error(
        `${id} answered ${String(status)}, which its contract does not declare: ${JSON.stringify(value)}`,
      );
    }
    const texts = Object.entries(response.headers).map(
      ([name, text]) => [name.toLowerCase(), [text].flat().join(', ')] as const,
    );
    return { status, headers: Object.fromEntries(texts), body: value };
  };
}

function bodyOf({ headers, body }: HttpResponse): unknown {
  if (body === undefined || isStreamed(body)) return body;
  const [, type = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  if (/[/+]json\s*(?:;|$)/i.test(String(type))) return JSON.parse(textOf(body));
  return String(type).startsWith('text/') ? textOf(body) : body;
}

function textOf(body: Exclude<ResponseContent, AsyncIterable<Uint8Array>>): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}
