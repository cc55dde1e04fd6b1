/** `concordat proxy`: passes traffic on to a running server, compares it with the contract, and records it; `record` only records. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  CommandFailure,
  type ReportFormat,
  type Terminal,
  counted,
  usageFailure,
} from '@concordat/runtime/terminal';
import {
  type ReadsApis,
  about,
  accumulate,
  allowOriginOption,
  contractCommand,
  formatOptions,
  portOf,
  untaken,
  wholeNumber,
} from 'concordat/options';
import type { ProxyOptions } from '../traffic/proxy.js';
import { type Behind, addressOf, runProxies } from './passing.js';
import { requireWritable } from './writable-file.js';

/** The options of both commands. */
interface TrafficOptions extends Pick<
  ProxyOptions,
  'host' | 'port' | 'bodyLimit' | 'from' | 'usage' | 'sample' | 'client' | 'metrics'
> {
  readonly url?: string;
  readonly out?: string;
  readonly record?: string;
  readonly title: string;
  readonly path: readonly string[];
  readonly enums?: true;
  readonly examples?: true;
  readonly enforce?: 'requests';
  readonly allowOrigin?: readonly string[];
}

const EXIT_CODES = `
Exit codes:
  0    no deviation from the contract
  1    there is a deviation
  2    the contract cannot be read, a port is taken, or the command line is not valid`;

const REVIEW = `
Each recorded operation has "x-recorded: true": its requests are described by samples alone. Remove it when you have
compared the operation with the server's code; until then, verify does not judge which requests are valid.

With --examples and --enums, values are written that are harmless: truth values, dates, numbers with few digits, and words that at least
several callers send or get. Other examples are made up, in the same shape.`;

/** A command that runs a proxy in front of a server of each API, with the options that both of these have. */
function commandWithProxy(
  name: string,
  port: number,
  texts: Omit<Parameters<typeof contractCommand>[1], 'options'>,
): Command {
  return contractCommand(name, { ...texts, options: formatOptions('the report') })
    .argument(
      '[url]',
      'the address of the server, to which the paths of the document are added (default: that of codegen.ts)',
    )
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('-p, --port <number>', 'the port to listen on; 0 picks a free one', portOf, port)
    .option(
      '--body-limit <bytes>',
      'the maximum number of bytes that are read of a body',
      wholeNumber,
      262_144,
    )
    .option(
      '--from <file>',
      'read the exchanges with the server from an HTTP Archive (HAR), or from its entries as lines (.jsonl), and pass nothing on',
    )
    .option('--title <text>', 'the title of a new document', 'Recorded API')
    .option(
      '--path <template>',
      'a path with parameters that is known, such as /users/{name}; repeatable',
      accumulate,
      [],
    )
    .option('--enums', 'write words of several callers that have few values as enum')
    .option('--examples', 'write an example of each value, made up unless it is harmless');
}

export function proxyCommand(terminal: Terminal): Command {
  return commandWithProxy('proxy', 4030, {
    summary: "report how a server's traffic differs from its contract",
    description:
      'Passes traffic on to a running server, in any language, until it is stopped. It compares a copy with an OpenAPI document, and then reports the deviations.',
    notes: EXIT_CODES,
    examples: [
      'concordat proxy http://localhost:3000',
      'concordat proxy http://localhost:3000 --enforce requests --metrics 9464',
      'concordat proxy http://localhost:3000 --sample 0.1 --usage usage --format junit > deviations.xml',
      'concordat proxy http://localhost:3000 --from day.har --record openapi.yaml',
    ],
  })
    .option('--openapi <file>', 'the document (default: that of codegen.ts, or openapi.yaml)')
    .option(
      '--record <file>',
      'write what the traffic shows as a document, or add it to one, as record does; a document to compare with may then be missing',
    )
    .addOption(
      new Option(
        '--enforce <what>',
        'answer requests that break the contract with 400, and do not pass them on',
      ).choices(['requests']),
    )
    .option(
      '--sample <share>',
      'the share of exchanges that are compared and recorded, from 0 to 1',
      shareOf,
      1,
    )
    .option(
      '--usage <folder>',
      'count in this folder what the traffic uses of the document, for coverage and diff --usage',
    )
    .option('--client <header>', 'the request header that names the client, for the counts of --usage')
    .option('--metrics <port>', 'serve metrics for Prometheus at /metrics of this port', portOf)
    .addOption(allowOriginOption())
    .action(async (url: string | undefined, given: Given) => {
      const count = await run(terminal, 'proxy', url, given);
      if (count > 0) throw new CommandFailure(`${counted(count, 'deviation')}.`);
    });
}

export function recordCommand(terminal: Terminal): Command {
  return commandWithProxy('record', 4020, {
    summary: "write a first document from a server's traffic",
    description:
      'Passes traffic on to a running server until it is stopped. Then it writes what it saw as an OpenAPI 3.1 document, or adds the missing parts to the document that exists.',
    notes: REVIEW,
    examples: [
      'concordat record http://localhost:3000',
      'concordat record http://localhost:3000 --port 8080 --out api/openapi.yaml',
      "concordat record http://localhost:3000/v1 --path '/users/{name}' --enums",
      'concordat record http://localhost:3000 --from day.har',
      'concordat record http://localhost:3000 --usage usage',
    ],
  })
    .option(
      '-o, --out <file>',
      'the document, in YAML or as .json (default: the document of codegen.ts, or openapi.yaml)',
    )
    .option(
      '--usage <folder>',
      'leave the document as it is, and count in this folder what the traffic uses of it, for coverage and diff --usage',
    )
    .action(async (url: string | undefined, given: Given) => {
      await run(terminal, 'record', url, given);
    });
}

/** @throws InvalidArgumentError for a text that is no share */
function shareOf(text: string): number {
  if (/^(?:0|1|0?\.\d{1,9}|1\.0+)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}

type Given = ReadsApis<TrafficOptions> & { readonly format: ReportFormat };

/** @returns how many deviations there are @throws CommandFailure for options that are missing or wrong */
async function run(
  terminal: Terminal,
  command: 'proxy' | 'record',
  url: string | undefined,
  { apis, format }: Given,
): Promise<number> {
  const { withoutPasswords } = await import('@concordat/runtime/observe');
  const ports = new Set<number>();
  const free = (given: number): number => {
    const port = untaken(given, ports);
    ports.add(port);
    return port;
  };
  const documents = new Set<string>();
  const servers = (await apis()).map(({ name, options }): Behind => {
    const { host, bodyLimit, sample, usage, client, from, enforce, title } = options;
    const { enums = false, examples: shown = false, path: templates } = options;
    const refuse = (sentence: string): never => {
      throw usageFailure(about(name) + sentence);
    };
    const address = addressOf(command, name, url ?? options.url, withoutPasswords);
    const target = new URL(address);
    const document = options.out ?? options.openapi ?? 'openapi.yaml';
    const isRecord = command === 'record';
    const recorded = !isRecord ? options.record : usage === undefined ? document : undefined;
    // The first recording makes the document with which later traffic is compared.
    const isMade = options.openapi === undefined || resolve(document) === resolve(recorded ?? '');
    const isFirst = recorded !== undefined && isMade && !existsSync(document);
    const isCompared = isRecord ? recorded === undefined : !isFirst || (enforce ?? usage) !== undefined;
    const wrong = templates.find((template) => !template.startsWith('/'));
    if (wrong !== undefined) refuse(`The path ${wrong} does not start with /.`);
    if (client !== undefined && usage === undefined)
      refuse('--client names clients for --usage, which is not given.');
    if (from !== undefined && (enforce ?? options.metrics) !== undefined)
      refuse('--enforce and --metrics are for traffic, which --from has not.');
    if (recorded === undefined && (enums || shown || templates.length > 0))
      refuse(`${document} stays as it is: --enums, --examples and --path change it.`);
    const needed = isRecord ? '--usage' : 'one';
    if (!isCompared && !['text', 'json'].includes(format))
      refuse(`--format ${format} reports how traffic differs from a document: it needs ${needed}.`);
    if (recorded !== undefined) {
      requireWritable(recorded, about(name));
      if (documents.has(resolve(recorded)))
        throw usageFailure(`Two APIs would be recorded in ${recorded}: name one with --api.`);
      documents.add(resolve(recorded));
    }
    const recording = recorded === undefined ? undefined : { target, file: recorded, title, templates, enums, examples: shown }; // prettier-ignore
    const settings: ProxyOptions = {
      ...{ target, host, bodyLimit, sample, usage, client, from },
      port: free(options.port),
      metrics: options.metrics === undefined ? undefined : free(options.metrics),
      file: isCompared ? document : undefined,
      enforces: enforce !== undefined,
      allowOrigins: options.allowOrigin,
    };
    return { name, shown: withoutPasswords(address), settings, recording };
  });
  return runProxies(terminal, servers, format);
}
