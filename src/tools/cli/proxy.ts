/** `concordat proxy`: passes traffic on to a running server, and reports how it differs from the contract; `record` runs its proxies in the same way. */

import { Command, InvalidArgumentError, Option } from 'commander';
import {
  CommandFailure,
  type ReportFormat,
  type Terminal,
  counted,
  examples,
  print,
  printJson,
  usageFailure,
} from '@concordat/runtime/terminal';
import {
  type ForApi,
  type ReadsApis,
  about,
  allowOriginOption,
  byApi,
  configOptions,
  formatOptions,
  isAddress,
  portOf,
  refusedFor,
  untaken,
  wholeNumber,
} from 'concordat/options';
import type { ProxyOptions, ProxyReport, RunningProxy } from '../traffic/proxy.js';

type PassedOptions = Pick<ProxyOptions, 'sample' | 'bodyLimit' | 'usage' | 'client' | 'metrics'>;

interface ProxyCommandOptions extends ListenOptions, PassedOptions {
  readonly enforce?: 'requests';
  readonly allowOrigin?: readonly string[];
}

const EXIT_CODES = `
Exit codes:
  0    no deviation from the contract
  1    there is a deviation
  2    the contract cannot be read, a port is taken, or the command line is not valid`;

/** A command that runs a proxy in front of a server of each API, with the options that all of these have. */
export function commandWithProxy(name: string, port: number): Command {
  return [...configOptions(), ...formatOptions('the report')].reduce(
    (command, option) => command.addOption(option),
    new Command(name)
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
      ),
  );
}

export function proxyCommand(terminal: Terminal): Command {
  return commandWithProxy('proxy', 4030)
    .summary("report how a server's traffic differs from its contract")
    .description(
      'Passes traffic on to a running server, in any language, until it is stopped. It compares a copy with an OpenAPI document, and then reports the deviations.',
    )
    .option('--openapi <file>', 'the document (default: that of codegen.ts, or openapi.yaml)')
    .addOption(
      new Option(
        '--enforce <what>',
        'answer requests that break the contract with 400, and do not pass them on',
      ).choices(['requests']),
    )
    .option('--sample <share>', 'the share of exchanges that are compared, from 0 to 1', shareOf, 1)
    .option(
      '--usage <folder>',
      'count in this folder what the traffic uses of the document, for coverage and diff --usage',
    )
    .option('--client <header>', 'the request header that names the client, for the counts of --usage')
    .option('--metrics <port>', 'serve metrics for Prometheus at /metrics of this port', portOf)
    .addOption(allowOriginOption())
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

/** A server behind a proxy. */
interface Behind {
  readonly name?: string | undefined;
  /** Its address without a password. */
  readonly shown: string;
}

/** The options of a proxy. */
export interface ListenOptions {
  readonly url?: string;
  readonly host: string;
  readonly port: number;
}

/** @param shown - removes passwords @throws CommandFailure for an address that is missing or wrong */
export function addressOf(
  command: string,
  name: string | undefined,
  url: string | undefined,
  shown: (text: string) => string,
): string {
  if (url !== undefined && isAddress(url)) return url;
  throw usageFailure(
    url === undefined
      ? `${about(name)}Name the address of the server, or write it as url of ${command} into codegen.ts.`
      : `${about(name)}${shown(url)} is not an address such as http://localhost:3000.`,
  );
}

/**
 * The servers of a command, one for each API, with the address on which each proxy listens.
 *
 * @param ports - gets the ports that are taken
 * @throws CommandFailure for an address that is missing or wrong
 */
export async function serversOf<Options extends ListenOptions>(
  command: string,
  url: string | undefined,
  apis: readonly ForApi<Options>[],
  ports: Set<number>,
) {
  const { withoutPasswords } = await import('@concordat/runtime/observe');
  return apis.map(({ name, options }) => {
    const address = addressOf(command, name, url ?? options.url, withoutPasswords);
    const port = untaken(options.port, ports);
    ports.add(port);
    return {
      name,
      shown: withoutPasswords(address),
      options,
      listen: { target: new URL(address), host: options.host, port },
    };
  });
}

/**
 * Starts a proxy for each server, and stops all when the command is.
 *
 * @param stop - says what happens then
 * @throws CommandFailure if one cannot start
 */
export async function untilStopped<Server extends Behind, Report>(
  terminal: Terminal,
  format: ReportFormat,
  servers: readonly Server[],
  start: (server: Server) => Promise<{
    readonly url: string;
    readonly metrics?: string | undefined;
    readonly finish: () => Promise<Report>;
  }>,
  stop: (server: Server) => string,
): Promise<
  readonly { readonly server: Server; readonly name?: string | undefined; readonly value: Report }[]
> {
  const running: { readonly server: Server; readonly finish: () => Promise<Report> }[] = [];
  for (const server of servers) {
    const { url, metrics, finish } = await start(server).catch(refusedFor(server.name));
    running.push({ server, finish });
    const goes = `${about(server.name)}Traffic to ${url} goes to ${server.shown}.`;
    const served = metrics === undefined ? '' : ` Metrics are at ${metrics}.`;
    const line = `${goes}${served} Stop with Ctrl+C ${stop(server)}.`;
    if (format === 'text') print(terminal, line);
    // Standard output has the report alone.
    else if (format !== 'json') terminal.stderr.write(`${line}\n`);
  }
  await terminal.untilStopped();
  const reports = [];
  for (const { server, finish } of running)
    reports.push({ server, name: server.name, value: await finish() });
  return reports;
}

/** Compares the traffic of servers with their contracts until the command is stopped. @returns how many deviations there are */
export async function compare(
  terminal: Terminal,
  servers: readonly (Behind & { readonly settings: ProxyOptions })[],
  format: ReportFormat,
): Promise<number> {
  const { deviationsText } = await import('@concordat/runtime/observe');
  const { startProxy } = await import('../traffic/proxy.js');
  const places = new Map<string, ReturnType<RunningProxy['operations']['get']>>();
  const reports = await untilStopped(
    terminal,
    format,
    servers,
    async ({ name, settings }) => {
      const proxy = await startProxy(settings);
      for (const [id, place] of proxy.operations) places.set(about(name) + id, place);
      return proxy;
    },
    ({ settings: { file, usage } }) =>
      `for the deviations from ${file}${usage === undefined ? '' : `, and to write ${usage}`}`,
  );
  const deviations = reports.flatMap(({ name, value }) =>
    value.deviations.map((each) => ({ ...each, operation: about(name) + each.operation })),
  );
  if (format === 'json') printJson(terminal, byApi(reports));
  else if (format === 'text') {
    for (const { server, value } of reports)
      for (const line of reportLines(value, server.settings)) print(terminal, about(server.name) + line);
  } else {
    const options = { operations: [...places.keys()], placeOf: (id: string) => places.get(id) };
    const text = deviationsText(format, deviations, { command: 'concordat proxy', ...options });
    if (text !== '') print(terminal, text);
  }
  return deviations.length;
}

function reportLines(
  { exchanges, checked, unread, skipped, rejected, undeclared, dropped, deviations, usage }: ProxyReport,
  { file, bodyLimit }: ProxyOptions,
): readonly string[] {
  const routes = counted(undeclared.length, 'route that was', 'routes that were');
  const compared = `${String(checked)} compared with ${file}`;
  return [
    `${counted(exchanges, 'request')}, ${compared}${rejected > 0 ? `, ${String(rejected)} rejected` : ''}.`,
    ...(skipped > 0 ? [`${counted(skipped, 'exchange')} broke off, or came too fast to be compared.`] : []),
    ...(unread > 0 ? [unreadText(unread, bodyLimit)] : []),
    ...(usage === undefined ? [] : [`${usage} is written.`]),
    ...(dropped > 0 ? [`${counted(dropped, 'deviation')} made room for others.`] : []),
    ...(deviations.length > 0 ? [`${counted(deviations.length, 'deviation')} from ${file}:`] : []),
    ...deviations.map(({ id, count, detail }) => `  ${id} (${counted(count, 'time')}): ${detail}`),
    ...(undeclared.length > 0 ? [`${routes} asked for, and that ${file} does not have:`] : []),
    ...undeclared.map(
      ({ operation, status, count }) => `  ${operation}: ${String(status)} (${counted(count, 'time')})`,
    ),
  ];
}

export function unreadText(unread: number, bodyLimit: number): string {
  const bodies = counted(unread, 'body', 'bodies');
  return `${bodies} could not be read, or had over ${String(bodyLimit)} bytes.`;
}
