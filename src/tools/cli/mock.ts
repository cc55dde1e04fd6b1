/** `concordat mock`: serves the examples of contracts in place of a real service. */

import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { Command } from 'commander';
import {
  type ReportFormat,
  type Terminal,
  print,
  printJson,
  urlOf,
  usageFailure,
} from '@concordat/runtime/terminal';
import {
  type ReadsApis,
  about,
  accumulate,
  allowOriginOption,
  contractCommand,
  contractsAmong,
  contractsOf,
  byApi,
  formatOptions,
  portOf,
  selectionOptions,
  untaken,
} from 'concordat/options';
import type { Explanation } from '../mock/state/explanation.js';
import type { Sandbox } from '../mock/state/sandbox.js';
import type { MockedOptions } from './mock-listener.js';
import { requireWritable } from './writable-file.js';

interface MockOptions extends MockedOptions {
  readonly port: number;
  readonly save?: string;
}

/** With the form of what `--explain` finds. */
type Given = ReadsApis<MockOptions> & { readonly format: ReportFormat };

const PREFERENCES = `
A request chooses its answer with the header Prefer (RFC 7240):
  Prefer: code=404              the answer of this status
  Prefer: example=empty         the example of this name
Without it, the mock answers with success: the first example that fits the schema, or a value made from the schema.

With --state, operations that --explain shows answer from the records that were created, at most 10,000 with 64 MiB. x-sandbox in the document corrects what is inferred: off, or { resource: users, action: create | list | read | replace | update | delete }.

A request that does not fit the contract is refused. Every credential is accepted, unless it begins with "wrong".

Several APIs have a port each: the first has the one that is given, and each other the next one, unless its own section in codegen.ts has one.

The paths of a document are served under the path of the first of its servers. A GraphQL schema is served at /graphql. Its values are made from its types, the same on every run.`;

export function mockCommand(terminal: Terminal): Command {
  return contractCommand('mock', {
    summary: 'answer with the examples of contracts',
    description:
      'Serves every operation of an OpenAPI 3.0, 3.1 or 3.2 document with the examples of the document, and every operation of a GraphQL schema with values of its types.',
    options: [
      allowOriginOption(),
      ...selectionOptions(),
      ...formatOptions('what --explain finds', ['text', 'json', 'html']),
    ],
    notes: PREFERENCES,
    examples: [
      'concordat mock',
      'concordat mock api/openapi.json --port 8080',
      'concordat mock openapi.yaml schema.graphql',
      'concordat mock --state',
      'concordat mock --explain',
      'concordat mock --explain --format html > records.html',
      'concordat mock --state --seed 50 --save records.json',
      'concordat mock --latency 50..200 --fail 2%',
      "curl localhost:4010/api/users/1 -H 'Prefer: code=404'",
    ],
  })
    .argument(
      '[contracts...]',
      'a document (YAML or JSON), a GraphQL schema, or both (default: those of codegen.ts, or openapi.yaml and schema.graphql, if they exist)',
    )
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('-p, --port <number>', 'the port to listen on; 0 picks a free one', portOf, 4010)
    .option('--latency <ms>', 'delay each answer by milliseconds: 100, or a random number of 50..200')
    .option(
      '--fail <share>',
      'answer this share of the calls, such as 2%, with one of the error responses that the document declares',
    )
    .option('--state', 'remember what is created, changed and deleted, and answer from that')
    .option('--explain', 'print what --state infers for each operation, and why, and serve nothing')
    .option(
      '--seed <records>',
      'begin --state with the records of a JSON file, or with this number of made records in each collection, and with a fixed time',
    )
    .option('--save <file>', 'write the records of --state into a JSON file at the end, which --seed reads')
    .option('--no-admin', 'serve no /__sandbox/reset and /__sandbox/state, which control --state')
    .option(
      '--no-cors',
      'refuse the pages of other origins, and hosts that are neither loopback nor named, which are allowed otherwise',
    )
    .option(
      '--allow-host <name>',
      'a host, besides loopback and that of --host, for which --no-cors and /__sandbox answer; may be repeated',
      accumulate,
    )
    .action(async (named: readonly string[], { apis: readApis, format }: Given) => {
      const servers: Server[] = [];
      const ports = new Set<number>();
      const saved = new Map<string, Sandbox>();
      const explained: { readonly name: string | undefined; readonly found: readonly Explanation[] }[] = [];
      try {
        for (const { name, options } of await readApis(named.length > 0)) {
          const contracts = named.length > 0 ? contractsAmong(named) : contractsOf(options);
          const { seed, save: file } = options;
          if (options.state !== true && (seed ?? file) !== undefined)
            throw usageFailure('--seed and --save go with --state');
          if (options.explain !== true && format !== 'text')
            throw usageFailure('--format goes with --explain');
          if (file !== undefined) requireWritable(file, '--save: ');
          const { listenerOf } = await import('./mock-listener.js');
          const { listener, prefix, sandbox } = await listenerOf(contracts, options, name);
          if (options.explain === true) {
            explained.push({ name, found: sandbox?.explanations() ?? [] });
            continue;
          }
          if (file !== undefined && saved.has(file))
            throw usageFailure(`--save: ${file} has the records of one API: choose it with --api`);
          if (file !== undefined && sandbox !== undefined) saved.set(file, sandbox);
          const server = createServer(listener);
          const port = untaken(options.port, ports);
          ports.add(port);
          servers.push(server);
          await once(server.listen(port, options.host), 'listening');
          const under = prefix === '' ? '' : `, with the paths of the document under ${prefix}`;
          const files = [contracts.openapi ?? [], contracts.schema ?? []].flat().join(' and ');
          print(terminal, `${about(name)}Mock of ${files} listens on ${urlOf(server)}${under}`);
          const lines = sandbox?.explained() ?? [];
          const others = lines.filter((line) => line.includes(': no state (')).length;
          const stateless = `${others} of ${lines.length} operations keep no state; --explain says why`;
          if (others > 0) print(terminal, about(name) + stateless);
        }
        if (explained.length > 0) await printExplained(terminal, format, explained);
        if (servers.length > 0) await terminal.untilStopped();
        const { save } = await import('../mock/state/seed.js');
        for (const [file, sandbox] of saved) save(sandbox, file);
      } finally {
        for (const server of servers) {
          server.close();
          server.closeAllConnections();
        }
      }
    });
}

async function printExplained(
  terminal: Terminal,
  format: ReportFormat,
  explained: readonly { readonly name: string | undefined; readonly found: readonly Explanation[] }[],
): Promise<void> {
  const { explanationPage, explanationText } = await import('../mock/state/explanation.js');
  if (format === 'html') print(terminal, explanationPage(explained));
  else if (format === 'json') {
    const values = explained.map(({ name, found }) => {
      const value = found.map(({ does, ...each }) => {
        return { ...each, ...(does && { action: does.action, records: does.collection.parts.name }) };
      });
      return { name, value };
    });
    printJson(terminal, byApi(values));
  } else
    for (const { name, found } of explained)
      for (const each of found) print(terminal, about(name) + explanationText(each));
}
