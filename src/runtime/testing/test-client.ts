/** Calls the operations of an engine in the same process, with the types of the contract, for tests. */

import {
  type CallOptions as ClientCallOptions,
  type OperationCalls,
  type Send,
  compileCalls,
} from '../client/operation-calls.js';
import type { RestContract, Signatures } from '../contract/contract.js';
import { fetchResponse } from '../http/response-writers.js';
import { isStreamed } from '../http/message.js';
import { requireAll } from '../http/path-choice.js';
import { type HostOption, type HttpHandler, memoryRequest } from '../index.js';

/** Per-call options, in addition to the request of the operation. */
export interface CallOptions<Host = unknown> extends ClientCallOptions {
  /** The host's request context, for handlers that need one. It replaces that of the client. */
  readonly host?: Host;
}

/** One function per operation. */
export type TestClient<Handlers extends Signatures<Handlers>, Host = unknown> = OperationCalls<
  Handlers,
  CallOptions<Host>
>;

/**
 * Makes a client of an engine: `restClient`, without a socket. A call is authenticated, decoded and validated. If a format has a
 * type of its own, such as `Date`, requests take values of that type and answers have them, like the handler. The values of answers
 * are not checked: the engine does that with `checkResponses`.
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
  const send: Send<CallOptions<Host>> = async ({ operation: { method }, body, ...written }, own) => {
    const { signal = new AbortController().signal, host } = { ...options, ...own };
    // Fetch writes a form with its files, and chooses the boundary between its parts.
    const carrier = body === undefined || isStreamed(body) ? undefined : new Response(body);
    const type = carrier?.headers.get('content-type');
    const headers = {
      ...(type && { 'content-type': type }),
      ...written.headers,
      ...options.headers,
      ...own.headers,
    };
    const sent = isStreamed(body) ? body : carrier && new Uint8Array(await carrier.arrayBuffer());
    const request = memoryRequest({ ...written, method, headers, signal, host, ...(sent && { body: sent }) });
    return fetchResponse({ method, signal }, await engine(request as never));
  };
  const shown = async (response: Response): Promise<string> => `: ${(await response.text()).slice(0, 1000)}`;
  return compileCalls(contract, undefined, { limit: Infinity, settle: () => undefined, shown }, send);
}
