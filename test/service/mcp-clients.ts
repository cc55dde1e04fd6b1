/** Clients of the official SDK, connected to a service over each of its transports. */

import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { sharedProgram } from '../support/compiled-service.js';

/** The credential of a client. */
export interface Credential {
  readonly token?: string;
  readonly key?: string;
}

/** A client, connected. */
export type Connect = (url: string, credential?: Credential) => Promise<Client>;

/** The revision that a client opens a connection with: the latest alone, or one before it. */
export const revisions = { latest: { pin: '2026-07-28' }, before: 'legacy' } as const;

/** Starts `concordat-service mcp`, whose tools are those that only read, and these. */
export const overStdio =
  (mode: VersionNegotiationMode, ...operations: readonly string[]): Connect =>
  async (url, { token, key } = {}) => {
    const named = operations.length === 0 ? [] : ['--only', ...operations.map((id) => `operation:${id}`)];
    const client = newClient(mode);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [await sharedProgram(), 'mcp', '--url', url, ...named],
        env: {
          ...(token !== undefined && { ACCESS_TOKEN: token }),
          ...(key !== undefined && { API_KEY: key }),
        },
      }),
    );
    return client;
  };

/** Connects to `/mcp` of the service. */
export const overHttp =
  (mode: VersionNegotiationMode): Connect =>
  async (url, { token, key } = {}) => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(key && { 'x-api-key': key }) };
    const client = newClient(mode);
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
    await client.connect(transport);
    return client;
  };

function newClient(mode: VersionNegotiationMode): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
}

/** Calls a tool, whose result the client checks against its schema. */
export async function call(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<CallToolResult> {
  return await client.callTool({ name, arguments: given });
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((each) => (each.type === 'text' ? each.text : `[${each.type}]`)).join('\n');
}
