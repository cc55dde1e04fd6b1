/** Serves tools of a contract: over any transport of the official SDK, such as stdio, and over streamable HTTP, as a handler for any transport of this package. */
/* eslint-disable @typescript-eslint/no-deprecated -- the SDK's other class checks arguments; here the engine does */

import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import {
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  Problem,
  type RequestHeaders,
  type HostOption,
} from '../index.js';
import { ContractTools, type McpOptions, type CallOrigin } from './contract-tools.js';
import type { ToolTable } from '../contract/tool-table.js';
import { isTooDeep } from './arguments.js';

export interface McpServerOptions<Host = unknown> extends McpOptions<Host> {
  /** The headers of every call, with the credential of the server's one user, such as `authorization`. */
  readonly headers?: RequestHeaders;
}

/**
 * Makes a server of the SDK that offers operations of a contract as tools, for one connection. The engine handles a call like
 * any request: it authenticates, checks and refuses it as over REST.
 *
 * @throws for a selector that selects no operation, and for an operation that cannot be a tool
 *
 * @example
 * ```ts
 * const headers = { authorization: `Bearer ${token}` };
 * const options = { engine, tools, headers, only: ['tag:Orders', 'operation:createOrder'] };
 * serveStdio(() => mcpServer(options));
 * ```
 */
export function mcpServer<Host>(options: McpServerOptions<Host> & HostOption<NoInfer<Host>>): Server {
  const { tools, headers = {}, host } = options;
  // Without a host, the engine needs none.
  return serverOf(tools, new ContractTools<Host>(options), { headers, host: host as Host });
}

/** @param origin - per-call data; its signal and that of the SDK both abort a call */
function serverOf<Host>(
  { title, version, description }: ToolTable,
  tools: ContractTools<Host>,
  origin: Omit<CallOrigin<Host>, 'signal'> & { readonly signal?: AbortSignal },
): Server {
  const server = new Server(
    { name: title, version },
    { capabilities: { tools: {} }, ...(description !== undefined && { instructions: description }) },
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

export interface McpHttpOptions<Host = unknown> extends McpOptions<Host> {
  /** The path of the tools; `/mcp` unless given. */
  readonly path?: string;
  /** The origins whose pages may call tools, such as `https://example.com`, or `*` for all; none unless given. */
  readonly origins?: '*' | readonly string[];
}

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Makes a handler that serves the tools at one path. There are no sessions: each message is answered separately, with JSON, so
 * any process of a deployment may answer it. The credential of a message (`Authorization`, cookies, and headers that the
 * contract names as API keys) is the credential of its call, and its host that of the call.
 *
 * @throws for a selector that selects no operation, and for an operation that cannot be a tool
 *
 * @example
 * ```ts
 * createServer(nodeTransport(mcpHttp({ engine, tools }))).listen(3000);
 * ```
 */
export function mcpHttp<Host>(options: McpHttpOptions<Host>): HttpHandler<Host> {
  const { tools: table, path = '/mcp', origins = [] } = options;
  const tools = new ContractTools(options);
  const credentials = new Set(['authorization', 'cookie', ...table.keyHeaders]);

  async function answer(request: HttpRequest<Host>): Promise<HttpResponse> {
    if (request.path !== path) throw new Problem(404, 'Not found');
    const { method, headers, address, signal, host } = request;
    // With DNS rebinding, a page of another site can reach a server on this machine under the name of that site.
    const page = headers['origin'];
    if (page !== undefined && origins !== '*' && !origins.includes(String(page))) {
      throw new Problem(403, `Pages of ${String(page)} may not call tools`);
    }
    // This server sends no messages unasked, so GET has no stream; it has no sessions, so DELETE has nothing to end.
    if (method !== 'POST') throw new Problem(405, 'Use POST', { Allow: 'POST' });
    const message = parsed(await request.readBody(MAX_BODY_BYTES));
    // The protocol has no batches since 2025-06-18, and a batch would make many calls in one request.
    if (Array.isArray(message)) throw new Problem(400, 'Send one message per request');
    const own = Object.entries(headers).filter(([name]) => credentials.has(name));
    const origin = { headers: Object.fromEntries(own), address, signal, host };
    const newServer = () => serverOf(table, tools, origin);
    return await answerTo(fetchRequest(path, headers), message, newServer);
  }

  const handle = async (request: HttpRequest<Host>): Promise<HttpResponse> => {
    try {
      return await answer(request);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refusal(error);
    }
  };
  return Object.assign(handle, { serves: (_method: string, asked: string) => asked === path });
}

/** Answers in the protocol revision of the message. Each message names it since 2026-07-28; before, `initialize` agreed on one. */
async function answerTo(
  head: Request,
  parsedBody: unknown,
  newServer: () => ReturnType<typeof serverOf>,
): Promise<HttpResponse> {
  if (!(await isLegacyRequest(head, parsedBody))) {
    // Subscriptions are refused, because each would be a stream that never ends; all other answers are JSON.
    const handler = createMcpHandler(newServer, { legacy: 'reject', maxSubscriptions: 0 });
    return await responseOf(await handler.fetch(head, { parsedBody }));
  }
  // The handler above would answer legacy requests with event streams.
  const server = newServer();
  try {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return await responseOf(await transport.handleRequest(head, { parsedBody }));
  } finally {
    await server.close();
  }
}

async function responseOf(response: Response): Promise<HttpResponse> {
  return {
    operation: 'mcp',
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Problem(400, 'The body is not JSON');
  }
}

function fetchRequest(path: string, headers: RequestHeaders): Request {
  const head = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) head.append(name, each);
  }
  return new Request(`http://localhost${path}`, { method: 'POST', headers: head });
}

/** An error in the format of the protocol. */
function refusal({ status, message, headers }: Problem): HttpResponse {
  return {
    operation: 'mcp',
    status,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }),
  };
}
