/** `concordat mock`: answers with the examples of a contract in place of a service. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command, InvalidArgumentError } from 'commander';
import { nodeTransport } from 'concordat/node';
import { type Terminal, examples, print } from 'concordat/terminal';

interface MockCommandOptions {
  readonly host: string;
  readonly port: number;
  readonly validate?: true;
}

const PREFERENCES = `
A request chooses its answer with the header Prefer (RFC 7240):
  Prefer: code=404              the answer of this status
  Prefer: example=empty         the example of this name
Without it, the answer is that of success, with its first example, or one made from its schema.`;

export function mockCommand(terminal: Terminal): Command {
  return new Command('mock')
    .summary('answer with the examples of a contract')
    .description(
      'Serves every operation of an OpenAPI 3.0, 3.1 or 3.2 document with the examples of the document.',
    )
    .argument('[contract]', 'the document, YAML or JSON', 'openapi.yaml')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('-p, --port <number>', 'the port to listen on; 0 picks a free one', portOf, 4010)
    .option('--validate', 'answer 400 to requests that do not fit the contract')
    .addHelpText('after', PREFERENCES)
    .addHelpText(
      'after',
      examples(
        'concordat mock',
        'concordat mock api/openapi.json --port 8080 --validate',
        "curl localhost:4010/api/users/1 -H 'Prefer: code=404'",
      ),
    )
    .action(async (contract: string, { host, port, validate }: MockCommandOptions) => {
      const { mockHandler } = await import('../mock/mock-handler.js');
      const server = createServer(
        nodeTransport(await mockHandler(contract, { validate: validate === true })),
      );
      await once(server.listen(port, host), 'listening');
      const address = server.address() as AddressInfo; // it listens on a port, not on a pipe
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      print(terminal, `Mock of ${contract} listens on http://${name}:${String(address.port)}`);
      await terminal.untilStopped();
      server.close();
      server.closeAllConnections();
    });
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}
