/** `concordat-service mcp`: offers operations of a running service to a model as tools, over standard input and output. */

import { once } from 'node:events';
import type { HttpHandler, ToolTable } from '@concordat/runtime';
import type { McpServerOptions } from '@concordat/runtime/mcp';
import { type Terminal, CommandFailure, examples } from '@concordat/runtime/terminal';
import { Command } from 'commander';

interface McpCommandOptions {
  readonly url: string;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/** In bytes: any other server may run at the address. */
const LARGEST_TABLE = 16 * 1024 * 1024;

const CREDENTIALS = `
The credential of the calls is read from the environment:
  API_KEY               a key, such as concordat-service keys create makes: it reads and does not write
  ACCESS_TOKEN          the access token of a user
Without one, the calls are those of anybody. The policy of the service decides about each of them.`;

export function mcpCommand(terminal: Terminal): Command {
  return new Command('mcp')
    .summary('offer a running service to a model as tools')
    .description(
      'Speaks the Model Context Protocol on standard input and output, for programs that start it, such as an editor. ' +
        'The tools are the operations of the service that only read, unless options name others.',
    )
    .option('--url <url>', 'where the service runs', 'http://127.0.0.1:3000')
    .option(
      '--only <selector...>',
      'offer these operations: tag:NAME, operation:ID, path:/users/** or method:GET; those that write only if operation: or method: selects them',
    )
    .option('--except <selector...>', 'do not offer these')
    .addHelpText('after', CREDENTIALS)
    .addHelpText(
      'after',
      examples(
        'API_KEY=… concordat-service mcp --url https://api.example.com',
        'ACCESS_TOKEN=… concordat-service mcp --only tag:Orders tag:Products operation:createOrder',
      ),
    )
    .action(async ({ url, only, except }: McpCommandOptions) => {
      const [{ mcpServer }, { StdioServerTransport, serveStdio }] = await Promise.all([
        import('@concordat/runtime/mcp'),
        import('@modelcontextprotocol/server/stdio'),
      ]);
      const { API_KEY: key, ACCESS_TOKEN: token } = terminal.env;
      const options: McpServerOptions = {
        engine: remoteService(url),
        tools: await readTools(url),
        headers: {
          ...(key && { 'x-api-key': key }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(only && { only }),
        ...(except && { except }),
      };
      // Refuses selectors that select nothing now, because the server of a client is made later.
      mcpServer(options);
      const ended = once(terminal.stdin, 'end');
      const transport = new StdioServerTransport(terminal.stdin, terminal.stdout);
      const connection = serveStdio(() => mcpServer(options), { transport });
      await Promise.race([ended, terminal.untilStopped()]);
      await connection.close();
    });
}

/** For a whole answer, in milliseconds. */
const PATIENCE = 60_000;

/** Reads the tools of a running service, which may have another version than this program. */
async function readTools(url: string): Promise<ToolTable> {
  const address = addressOf(url, '/tools.json');
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.status === 404) return await ofContract(addressOf(url, '/openapi.json'));
    if (!response.ok) throw new Error(`it answered ${String(response.status)}`);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += piece.length;
      if (bytes > LARGEST_TABLE) throw new Error(`its answer has over ${String(LARGEST_TABLE)} bytes`);
      pieces.push(piece);
    }
    const table = JSON.parse(Buffer.concat(pieces).toString()) as ToolTable | null;
    if (!Array.isArray(table?.operations)) throw new Error('it answered something else');
    return table;
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`No tools at ${address}: ${reasonOf(error)}. Is the service running there?`);
  }
}

/** Makes the tools of a service that has no table of them: it is older, or has an own contract without one. */
async function ofContract(address: string): Promise<ToolTable> {
  const { toolsOf } = await import('../../open/own-contract.js');
  return await toolsOf(address).catch((error: unknown) => {
    throw new CommandFailure(`No tools for ${address}: ${reasonOf(error)}`);
  });
}

/** Makes a handler that sends requests to a service, and answers 503 when the service cannot be reached. */
function remoteService(url: string): HttpHandler {
  return async (request) => {
    const { method, path, query, headers, signal } = request;
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    );
    const isEmpty = method === 'GET' || method === 'HEAD';
    const body = isEmpty ? undefined : await request.readBody(Infinity);
    try {
      const response = await fetch(addressOf(url, query === '' ? path : `${path}?${query}`), {
        method,
        // fetch sets this header itself.
        headers: sent.filter(([name]) => name !== 'content-length'),
        // Redirects are not followed, because the credential is for this service only.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
        ...(body !== undefined && { body }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        ...(response.body !== null && { body: response.body }),
      };
    } catch (error) {
      const sentence = `The service at ${url} cannot be reached: ${reasonOf(error)}`;
      return {
        status: 503,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ error: sentence }),
      };
    }
  };
}

function addressOf(url: string, path: string): string {
  const base = url.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw new CommandFailure(`--url must be a URL, not ${url}`);
  return base + path;
}

/** The reason of a failed fetch, which only the cause of its error contains. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
