/** Runs the proxies of `concordat proxy` and `record` until the command is stopped, and reports what they have seen. */

import {
  type ReportFormat,
  type Terminal,
  print,
  printJson,
  usageFailure,
} from '@concordat/runtime/terminal';
import { type ForApi, about, byApi, isAddress, untaken } from 'concordat/options';
import type { ProxyOptions, ProxyReport, RunningProxy } from '../traffic/proxy.js';

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
    const address = url ?? options.url;
    if (address === undefined) {
      throw usageFailure(
        `${about(name)}Name the address of the server, or write it as url of ${command} into codegen.ts.`,
      );
    }
    const shown = withoutPasswords(address);
    if (!isAddress(address)) {
      throw usageFailure(`${about(name)}${shown} is not an address such as http://localhost:3000.`);
    }
    const port = untaken(options.port, ports);
    ports.add(port);
    return { name, shown, options, listen: { target: new URL(address), host: options.host, port } };
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
  start: (server: Server) => Promise<{ readonly url: string; readonly finish: () => Promise<Report> }>,
  stop: (server: Server) => string,
): Promise<
  readonly { readonly server: Server; readonly name?: string | undefined; readonly value: Report }[]
> {
  const running: { readonly server: Server; readonly finish: () => Promise<Report> }[] = [];
  for (const server of servers) {
    const { url, finish } = await start(server).catch((error: unknown) => {
      throw usageFailure(about(server.name) + (error instanceof Error ? error.message : String(error)));
    });
    running.push({ server, finish });
    const line = `${about(server.name)}Traffic to ${url} goes to ${server.shown}. Stop with Ctrl+C ${stop(server)}.`;
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
      if (proxy.metrics !== undefined && format === 'text')
        print(terminal, `${about(name)}Metrics are at ${proxy.metrics}.`);
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
  { exchanges, checked, unread, skipped, rejected, dropped, deviations, usage }: ProxyReport,
  { file, bodyLimit }: ProxyOptions,
): readonly string[] {
  const compared = `${String(checked)} compared with ${file}`;
  return [
    `${counted(exchanges, 'request')}, ${compared}${rejected > 0 ? `, ${String(rejected)} rejected` : ''}.`,
    ...(skipped > 0 ? [`${counted(skipped, 'exchange')} broke off, or came too fast to be compared.`] : []),
    ...(unread > 0 ? [unreadText(unread, bodyLimit)] : []),
    ...(usage === undefined ? [] : [`${usage} is written.`]),
    ...(dropped > 0 ? [`${counted(dropped, 'deviation')} made room for others.`] : []),
    ...(deviations.length > 0 ? [`${counted(deviations.length, 'deviation')} from ${file}:`] : []),
    ...deviations.map(({ id, count, detail }) => `  ${id} (${counted(count, 'time')}): ${detail}`),
  ];
}

export function unreadText(unread: number, bodyLimit: number): string {
  const bodies = counted(unread, 'body', 'bodies');
  return `${bodies} could not be read, or had over ${String(bodyLimit)} bytes.`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}
