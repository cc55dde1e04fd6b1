/** `concordat proxy`: passes traffic on to a running server, and reports how it differs from the contract. */

import { Command, InvalidArgumentError, Option } from 'commander';
import {
  CommandFailure,
  type ReportFormat,
  type Terminal,
  examples,
  usageFailure,
} from '@concordat/runtime/terminal';
import {
  type ReadsApis,
  about,
  allowOriginOption,
  configOptions,
  formatOptions,
  portOf,
  untaken,
  wholeNumber,
} from 'concordat/options';
import { type ListenOptions, compare, counted, serversOf } from './proxies.js';

interface ProxyCommandOptions extends ListenOptions {
  readonly enforce?: 'requests';
  readonly sample: number;
  readonly bodyLimit: number;
  readonly usage?: string;
  readonly client?: string;
  readonly metrics?: number;
  readonly allowOrigin?: readonly string[];
}

const EXIT_CODES = `
Exit codes:
  0    no deviation from the contract
  1    there is a deviation
  2    the contract cannot be read, a port is taken, or the command line is not valid`;

export function proxyCommand(terminal: Terminal): Command {
  const [format, json] = formatOptions('the report');
  const [config, api] = configOptions();
  return new Command('proxy')
    .summary("report how a server's traffic differs from its contract")
    .description(
      'Passes traffic on to a running server, in any language, byte by byte, until it is stopped. It compares a copy with an OpenAPI document, and then reports the deviations.',
    )
    .argument(
      '[url]',
      'the address of the server, to which the paths of the document are added (default: that of codegen.ts)',
    )
    .addOption(config)
    .addOption(api)
    .option('--openapi <file>', 'the document (default: that of codegen.ts, or openapi.yaml)')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('-p, --port <number>', 'the port to listen on; 0 picks a free one', portOf, 4030)
    .addOption(
      new Option(
        '--enforce <what>',
        'answer requests that break the contract with 400, and do not pass them on',
      ).choices(['requests']),
    )
    .option('--sample <share>', 'the share of exchanges that are compared, from 0 to 1', shareOf, 1)
    .option(
      '--body-limit <bytes>',
      'the maximum number of bytes that are read of a body',
      wholeNumber,
      262_144,
    )
    .option(
      '--usage <folder>',
      'count in this folder what the traffic uses of the document, for coverage and diff --usage',
    )
    .option('--client <header>', 'the request header that names the client, for the counts of --usage')
    .option('--metrics <port>', 'serve metrics for Prometheus at /metrics of this port', portOf)
    .addOption(allowOriginOption())
    .addOption(format)
    .addOption(json)
    .addHelpText('after', EXIT_CODES)
    .addHelpText(
      'after',
      examples(
        'concordat proxy http://localhost:3000',
        'concordat proxy http://localhost:3000 --enforce requests --metrics 9464',
        'concordat proxy http://localhost:3000 --sample 0.1 --usage usage --format junit > deviations.xml',
      ),
    )
    .action(
      async (
        url: string | undefined,
        { apis, format }: ReadsApis<ProxyCommandOptions> & { readonly format: ReportFormat },
      ) => {
        const ports = new Set<number>();
        const servers = await serversOf('proxy', url, await apis(), ports);
        const proxies = servers.map(({ options, listen, ...server }) => {
          const { openapi: file = 'openapi.yaml', allowOrigin: allowOrigins, client, usage } = options;
          if (client !== undefined && usage === undefined)
            throw usageFailure(
              `${about(server.name)}--client names clients for --usage, which is not given.`,
            );
          const metrics = options.metrics === undefined ? undefined : untaken(options.metrics, ports);
          if (metrics !== undefined) ports.add(metrics);
          const { sample, bodyLimit, enforce } = options;
          const settings = { ...listen, file, allowOrigins, bodyLimit, sample, usage, client, metrics };
          return { ...server, settings: { ...settings, enforces: enforce !== undefined } };
        });
        const count = await compare(terminal, proxies, format);
        if (count > 0) throw new CommandFailure(`${counted(count, 'deviation')}.`);
      },
    );
}

/** @throws InvalidArgumentError for a text that is no share */
function shareOf(text: string): number {
  if (/^(?:0|1|0?\.\d{1,9}|1\.0+)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}
