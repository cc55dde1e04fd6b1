/** `concordat mock`: serves the examples of contracts in place of a real service. */

import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { Command } from 'commander';
import { type NodeListener, nodeTransport } from 'concordat/node';
import { type Terminal, examples, print, urlOf } from 'concordat/terminal';
import { allowOriginOption, contractsAmong, portOf } from './option-definitions.js';

const DEFAULT_CONTRACTS = ['openapi.yaml', 'schema.graphql'];

interface MockCommandOptions {
  readonly host: string;
  readonly port: number;
  readonly allowOrigin?: readonly string[];
}

const PREFERENCES = `
A request chooses its answer with the header Prefer (RFC 7240):
  Prefer: code=404              the answer of this status
  Prefer: example=empty         the example of this name
Without it, the mock answers with success: the first example that fits the schema, or a value made from the schema.

A request that does not fit the contract is refused. Every credential is accepted, unless it begins with "wrong".

A GraphQL schema is served at /graphql. Its values are made from its types, the same on every run.`;

export function mockCommand(terminal: Terminal): Command {
  return new Command('mock')
    .summary('answer with the examples of contracts')
    .description(
      'Serves every operation of an OpenAPI 3.0, 3.1 or 3.2 document with the examples of the document, and every operation of a GraphQL schema with values of its types.',
    )
    .argument(
      '[contracts...]',
      'a document (YAML or JSON), a GraphQL schema, or both (default: openapi.yaml and schema.graphql, if they exist)',
    )
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('-p, --port <number>', 'the port to listen on; 0 picks a free one', portOf, 4010)
    .addOption(allowOriginOption())
    .addHelpText('after', PREFERENCES)
    .addHelpText(
      'after',
      examples(
        'concordat mock',
        'concordat mock api/openapi.json --port 8080',
        'concordat mock openapi.yaml schema.graphql',
        "curl localhost:4010/api/users/1 -H 'Prefer: code=404'",
      ),
    )
    .action(async (named: readonly string[], { host, port, allowOrigin }: MockCommandOptions) => {
      const existing = DEFAULT_CONTRACTS.filter((file) => existsSync(file));
      const contracts =
        named.length > 0 ? named : existing.length > 0 ? existing : DEFAULT_CONTRACTS.slice(0, 1);
      const server = createServer(await listenerOf(contractsAmong(contracts), allowOrigin));
      await once(server.listen(port, host), 'listening');
      print(terminal, `Mock of ${contracts.join(' and ')} listens on ${urlOf(server)}`);
      await terminal.untilStopped();
      server.close();
      server.closeAllConnections();
    });
}

/** One listener for all contracts: the schema has one path, the document all others. */
async function listenerOf(
  { openapi, schema }: ReturnType<typeof contractsAmong>,
  allowOrigins: readonly string[] | undefined,
): Promise<RequestListener> {
  const listeners: NodeListener[] = [];
  if (schema !== undefined) {
    const { mockGraphql } = await import('../tools/mock/mock-schema.js');
    listeners.push(nodeTransport(await mockGraphql(schema)));
  }
  if (openapi !== undefined) {
    const { mockHandler } = await import('../tools/mock/mock-handlers.js');
    const { progressLine } = await import('../generator/progress-line.js');
    const progress = progressLine('Compiling checks');
    listeners.push(nodeTransport(await mockHandler(openapi, { allowOrigins, progress })));
  }
  const [first, second] = listeners;
  if (first === undefined || second === undefined) return (...call) => first?.(...call);
  return (request, response) => {
    first(request, response, () => {
      second(request, response);
    });
  };
}
