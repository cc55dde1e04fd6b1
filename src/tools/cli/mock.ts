/** `concordat mock`: serves the examples of contracts in place of a real service. */

import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Command } from 'commander';
import { type NodeListener, nodeTransport } from '@concordat/runtime/node';
import type { OperationChoice } from '@concordat/runtime/parts';
import {
  type ReportFormat,
  type Terminal,
  print,
  printJson,
  progressLine,
  urlOf,
  usageFailure,
} from '@concordat/runtime/terminal';
import { basePathOf } from 'concordat/contract';
import {
  type ReadsApis,
  about,
  accumulate,
  allowOriginOption,
  type Contracts,
  contractCommand,
  contractsAmong,
  contractsOf,
  byApi,
  formatOptions,
  portOf,
  refusedFor,
  selectionOptions,
  untaken,
} from 'concordat/options';
import type { Explanation } from '../mock/state/explanation.js';
import { foreignPage } from '../mock/state/foreign-page.js';
import type { Sandbox } from '../mock/state/sandbox.js';
import { requireWritable } from './writable-file.js';

interface MockOptions extends OperationChoice {
  readonly host: string;
  readonly port: number;
  readonly allowOrigin?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly cors: boolean;
  readonly latency?: string;
  readonly fail?: string;
  readonly state?: boolean;
  readonly explain?: boolean;
  readonly seed?: string | number;
  readonly save?: string;
  readonly admin: boolean;
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
          if (others > 0)
            print(
              terminal,
              `${about(name)}${String(others)} of ${String(lines.length)} operations keep no state; --explain says why`,
            );
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

/** One listener for all contracts: the schema has one path, the document all others. */
async function listenerOf(
  { openapi, schema }: Contracts,
  options: MockOptions,
  name: string | undefined,
): Promise<{
  readonly listener: NodeListener;
  readonly prefix: string;
  readonly sandbox: Sandbox | undefined;
}> {
  const { cors, only, except, latency, fail, state, explain, seed, admin } = options;
  const hosts = [options.host, ...(options.allowHost ?? [])];
  const refuseForeign: NodeListener = ({ headers }, outgoing, next) => {
    const foreign = foreignPage(headers, hosts);
    if (foreign === undefined) next?.();
    else outgoing.writeHead(403, { 'Content-Type': 'text/plain' }).end(`${foreign}\n`);
  };
  const listeners: NodeListener[] = [cors ? allowCrossOrigin : refuseForeign];
  let [prefix, rest]: [string, NodeListener | undefined] = ['', undefined];
  let sandbox: Sandbox | undefined;
  if (openapi === undefined && (only ?? except ?? fail) !== undefined) {
    throw usageFailure('--only, --except and --fail go with an OpenAPI document');
  }
  if (openapi === undefined && (state ?? explain) === true) {
    throw usageFailure('--state and --explain go with an OpenAPI document');
  }
  if (openapi !== undefined) {
    const { handlerOf, sandboxOf } = await import('../mock/mock-handlers.js');
    const { runContract } = await import('../running/running-contract.js');
    const { conditionsOf } = await import('../mock/mock-conditions.js');
    const conditions = conditionsOf({ latency, fail });
    const progress = progressLine('Compiling checks');
    const given = { allowOrigins: options.allowOrigin, only, except, progress };
    const running = await runContract(openapi, given).catch(refusedFor(name));
    prefix = basePathOf(running.document.servers?.[0]) ?? '';
    const now = seed === undefined ? Date.now : () => Date.UTC(2026, 0);
    if ((state ?? explain) === true) sandbox = sandboxOf(running, { prefix, now });
    const handler = handlerOf(openapi, running, conditions, sandbox);
    if (sandbox !== undefined && admin) {
      const { sandboxAdmin, takenPath } = await import('../mock/state/admin.js');
      const taken = takenPath(handler, prefix);
      if (taken !== undefined)
        throw usageFailure(`The document has the path ${taken} too: start the mock with --no-admin.`);
      // Before CORS, which answers every preflight.
      listeners.unshift(nodeTransport(sandboxAdmin(sandbox, hosts)));
    }
    rest = nodeTransport(handler, { prefix });
  }
  if (schema !== undefined) {
    const { mockGraphql } = await import('../mock/mock-schema.js');
    const handler = await mockGraphql(schema, { latency, sandbox }).catch(refusedFor(name));
    listeners.push(nodeTransport(handler));
  }
  if (sandbox !== undefined && seed !== undefined) {
    const { plant } = await import('../mock/state/seed.js');
    plant(sandbox, String(seed));
  }
  if (rest !== undefined) listeners.push(rest);
  return { listener: listeners.reduceRight(inFrontOf), prefix, sandbox };
}

/** Two listeners as one: the first passes on the requests that it does not answer. */
function inFrontOf(second: NodeListener, first: NodeListener): NodeListener {
  return (request, response) => {
    first(request, response, () => {
      second(request, response);
    });
  };
}

/**
 * Lets the pages of every origin read the answers (CORS), because a front end under development has an origin of its own, and nothing that a
 * mock answers is a secret of its user.
 */
function allowCrossOrigin(
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
  next?: () => void,
): void {
  outgoing.setHeader('Vary', 'Origin');
  if (headers.origin !== undefined) {
    outgoing.setHeader('Access-Control-Allow-Origin', headers.origin);
    outgoing.setHeader('Access-Control-Allow-Credentials', 'true');
    outgoing.setHeader('Access-Control-Expose-Headers', '*');
  }
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined) {
    next?.();
    return;
  }
  outgoing.setHeader('Access-Control-Allow-Methods', asked);
  const names = headers['access-control-request-headers'];
  if (names !== undefined) outgoing.setHeader('Access-Control-Allow-Headers', names);
  outgoing.writeHead(204).end();
}
