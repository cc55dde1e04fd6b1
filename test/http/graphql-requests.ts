/** Requests to `/graphql`, for the suites of it. */

import { RawSocket } from '../support/raw-socket.js';
import { type HttpAnswer, type HttpRequest, send } from '../support/send.js';

export interface GraphqlResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: string };
  }[];
}

export interface GraphqlAnswer extends HttpAnswer {
  /** The body; undefined where it is no JSON. */
  readonly result: GraphqlResult | undefined;
}

type Headers = NonNullable<HttpRequest['headers']>;

/** Sends a request to the path of GraphQL and nothing to it that is not asked for. */
export async function ask(
  { url }: { readonly url: string },
  request: Omit<HttpRequest, 'path'> & { readonly query?: string },
): Promise<GraphqlAnswer> {
  const { query, ...rest } = request;
  const answer = await send(url, { ...rest, path: query === undefined ? '/graphql' : `/graphql?${query}` });
  const isJson = /json/.test(answer.headers['content-type'] ?? '') && answer.text !== '';
  return { ...answer, result: isJson ? (JSON.parse(answer.text) as GraphqlResult) : undefined };
}

/** Sends parameters as a client does. */
export function post(
  service: { readonly url: string },
  parameters: unknown,
  headers: Headers = {},
): Promise<GraphqlAnswer> {
  const body = typeof parameters === 'string' ? parameters : JSON.stringify(parameters);
  return ask(service, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

/** Runs an operation. @returns its result @throws an error for any other status than 200 */
export async function run(
  service: { readonly url: string },
  query: string,
  {
    variables,
    authorization,
  }: { readonly variables?: object; readonly authorization?: string | undefined } = {},
): Promise<GraphqlResult> {
  const { status, result, text } = await post(
    service,
    { query, variables },
    authorization === undefined ? {} : { authorization },
  );
  if (status !== 200 || result === undefined) throw new Error(`answered ${String(status)} ${text}`);
  return result;
}

/**
 * Asks the same over each transport.
 *
 * @param headers - also what the WebSocket's `connection_init` carries
 * @returns the result over HTTP, as the one server-sent event, and over WebSocket
 */
export async function runEveryWay(
  service: { readonly url: string },
  parameters: { readonly query: string; readonly variables?: unknown },
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly GraphqlResult[]> {
  const { result = {} } = await post(service, parameters, headers);
  const stream = await post(service, parameters, { ...headers, accept: 'text/event-stream' });
  const [, event = ''] = /data: (.+)/.exec(stream.text) ?? [];
  const socket = await RawSocket.connect(service.url, headers);
  socket.say({ type: 'subscribe', id: '1', payload: parameters });
  const { type, payload } = await socket.hear();
  await socket.close();
  const heard = type === 'next' ? (payload as GraphqlResult) : { errors: payload as [] };
  return [result, JSON.parse(event) as GraphqlResult, heard];
}

/** What an operation failed with: the codes of its errors. */
export function codesOf({ errors }: GraphqlResult): readonly string[] {
  return (errors ?? []).map(({ extensions }) => extensions.code);
}
