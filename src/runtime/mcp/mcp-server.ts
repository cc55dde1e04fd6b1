/** Serves tools of a contract over any transport of the official SDK, such as stdio. */
/* eslint-disable @typescript-eslint/no-deprecated -- the SDK's other class checks arguments; here the engine does */

import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { HostOption, RequestHeaders } from '../index.js';
import { isTooDeep } from './arguments.js';
import { type CallOrigin, ContractTools, type McpOptions } from './contract-tools.js';
import { type Node, isNode } from './openapi-document.js';

export interface McpServerOptions<Host = unknown> extends McpOptions<Host> {
  /** The headers of every call, with the credential of the server's one user, such as `authorization`. */
  readonly headers?: RequestHeaders;
}

/**
 * Makes a server of the SDK that offers operations of a contract as tools, for one connection. The engine handles a call like
 * any request: it authenticates, checks and refuses it as over REST.
 *
 * @throws for a tag or operation that the document does not have, and for an operation that cannot be a tool
 *
 * @example
 * ```ts
 * const headers = { authorization: `Bearer ${token}` };
 * const options = { engine, document, headers, tags: ['Orders'], operations: ['createOrder'] };
 * serveStdio(() => mcpServer(options));
 * ```
 */
export function mcpServer<Host>(options: McpServerOptions<Host> & HostOption<NoInfer<Host>>): Server {
  const { document, headers = {}, host } = options;
  // Without a host, the engine needs none.
  return serverOf(document, new ContractTools<Host>(options), { headers, host: host as Host });
}

/** @param origin - per-call data; its signal and that of the SDK both abort a call */
export function serverOf<Host>(
  document: Node,
  tools: ContractTools<Host>,
  origin: Omit<CallOrigin<Host>, 'signal'> & { readonly signal?: AbortSignal },
): Server {
  const { title, version, description } = isNode(document['info']) ? document['info'] : {};
  const server = new Server(
    { name: String(title), version: String(version) },
    {
      capabilities: { tools: {} },
      ...(typeof description === 'string' && { instructions: description }),
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.list] }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    if (isTooDeep(params.arguments)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The arguments are nested too deeply');
    }
    const result = await tools.call(params.name, params.arguments ?? {}, {
      ...origin,
      signal: origin.signal === undefined ? signal : AbortSignal.any([signal, origin.signal]),
    });
    if (result === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return result;
  });
  return server;
}
