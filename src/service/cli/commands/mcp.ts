/** `concordat-service mcp`: offers operations of a running service to a model as tools, over standard input and output. */

import { once } from 'node:events';
import { Command } from 'commander';
import type { McpServerOptions } from '@concordat/runtime/mcp';
import { type Terminal, examples } from '@concordat/runtime/terminal';

interface McpCommandOptions {
  readonly url: string;
  readonly tag?: readonly string[];
  readonly operation?: readonly string[];
}

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
    .option('--tag <name...>', 'offer the operations of these tags that only read')
    .option('--operation <id...>', 'offer these operations, also those that write')
    .addHelpText('after', CREDENTIALS)
    .addHelpText(
      'after',
      examples(
        'API_KEY=… concordat-service mcp --url https://api.example.com',
        'ACCESS_TOKEN=… concordat-service mcp --tag Orders Products --operation createOrder',
      ),
    )
    .action(async ({ url, tag, operation }: McpCommandOptions) => {
      const [{ mcpServer }, { StdioServerTransport, serveStdio }, { readDocument, remoteService }] =
        await Promise.all([
          import('@concordat/runtime/mcp'),
          import('@modelcontextprotocol/server/stdio'),
          import('../shared/remote-service.js'),
        ]);
      const { API_KEY: key, ACCESS_TOKEN: token } = terminal.env;
      const options: McpServerOptions = {
        engine: remoteService(url),
        document: await readDocument(url),
        headers: {
          ...(key && { 'x-api-key': key }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(tag && { tags: tag }),
        ...(operation && { operations: operation }),
      };
      // Refuses unknown names now, because the server of a client is made later.
      mcpServer(options);
      const ended = once(terminal.stdin, 'end');
      const transport = new StdioServerTransport(terminal.stdin, terminal.stdout);
      const connection = serveStdio(() => mcpServer(options), { transport });
      await Promise.race([ended, terminal.untilStopped()]);
      await connection.close();
    });
}
