/** Runs the proxies of `concordat proxy` and `record`, one for each API, until the command is stopped, and writes their reports. */

import {
  type FindingPlace,
  type ReportFormat,
  type Terminal,
  counted,
  print,
  printJson,
  usageFailure,
} from '@concordat/runtime/terminal';
import { about, byApi, isAddress, linesAdder, refusedFor } from 'concordat/options';
import type { RecordOptions, RecordReport } from '../record/recorder.js';
import type { ProxyOptions, ProxyReport } from '../traffic/proxy.js';

/** A server behind a proxy. */
export interface Behind {
  readonly name?: string | undefined;
  /** Its address without a password. */
  readonly shown: string;
  readonly settings: ProxyOptions;
  /** The document that is written; undefined if nothing is recorded. */
  readonly recording: RecordOptions | undefined;
}

/** The results of a proxy that has ended. */
interface Passed extends Behind {
  readonly report: ProxyReport;
  readonly recorded: RecordReport | undefined;
}

/** @param shown - removes passwords @throws CommandFailure for an address that is missing or wrong */
export function addressOf(
  command: string,
  name: string | undefined,
  url: string | undefined,
  shown: (text: string) => string,
): string {
  if (url !== undefined && isAddress(url)) return url;
  const lacking = `Name the address of the server, or write it as url of ${command} into codegen.ts.`;
  const wrong = `${shown(url ?? '')} is not an address such as http://localhost:3000.`;
  throw usageFailure(about(name) + (url === undefined ? lacking : wrong));
}

/**
 * Passes the traffic of servers on until the command is stopped, or reads the files of their exchanges.
 *
 * @returns how many deviations there are
 * @throws CommandFailure if a proxy cannot start, or a document cannot be written
 */
export async function runProxies(
  terminal: Terminal,
  servers: readonly Behind[],
  format: ReportFormat,
): Promise<number> {
  const { deviationsText } = await import('@concordat/runtime/observe');
  const { startProxy } = await import('../traffic/proxy.js');
  const { startRecorder } = await import('../record/recorder.js');
  const start = async ({ settings, recording }: Behind) => {
    const recorder = recording && (await startRecorder(recording));
    return { proxy: await startProxy({ ...settings, consume: recorder?.consume }), recorder };
  };
  const running: { readonly server: Behind; readonly started: Awaited<ReturnType<typeof start>> }[] = [];
  for (const server of servers) {
    const started = await start(server).catch(refusedFor(server.name));
    running.push({ server, started });
    const { url, metrics } = started.proxy;
    if (url === undefined) continue;
    const goes = `${about(server.name)}Traffic to ${url} goes to ${server.shown}.`;
    const served = metrics === undefined ? '' : ` Metrics are at ${metrics}.`;
    const line = `${goes}${served} Stop with Ctrl+C ${purposeOf(server)}.`;
    if (format === 'text') print(terminal, line);
    // Standard output has the report alone.
    else if (format !== 'json') terminal.stderr.write(`${line}\n`);
  }
  if (running.some(({ started }) => started.proxy.url !== undefined)) await terminal.untilStopped();
  const finished = await Promise.allSettled(
    running.map(async ({ server, started: { proxy, recorder } }): Promise<Passed> => {
      const report = await proxy.finish();
      return { ...server, report, recorded: await recorder?.finish() };
    }),
  );
  // A document that cannot be extended loses no other one.
  const passed = finished.map((each, index) => {
    if (each.status === 'rejected') return refusedFor(servers[index]?.name)(each.reason);
    return each.value;
  });
  const deviations = passed.flatMap(({ name, report }) =>
    report.deviations.map((each) => ({ ...each, operation: about(name) + each.operation })),
  );
  if (format === 'json') {
    const values = passed.map(({ name, settings: { file }, report, recorded }) => {
      return { name, value: file === undefined ? recorded : { ...report, ...(recorded && { recorded }) } };
    });
    printJson(terminal, byApi(values));
  } else if (format === 'text') {
    for (const each of passed) for (const line of linesOf(each)) print(terminal, about(each.name) + line);
  } else {
    const found = running.flatMap(({ server, started }) =>
      [...started.proxy.operations].map(([id, place]) => [about(server.name) + id, place] as const),
    );
    const places = new Map<string, FindingPlace & { readonly tags: readonly string[] }>(found);
    const add = linesAdder();
    if (format === 'html')
      for (const { operation } of deviations) {
        const place = places.get(operation);
        if (place !== undefined) places.set(operation, { ...place, ...(await add(place)) });
      }
    const summary = passed.flatMap((each) => {
      const [first] = linesOf(each);
      return first === undefined ? [] : [about(each.name) + first];
    });
    const options = { summary, operations: [...places.keys()], placeOf: (id: string) => places.get(id) };
    const text = deviationsText(format, deviations, { command: 'concordat proxy', ...options });
    if (text !== '') print(terminal, text);
  }
  return deviations.length;
}

/** Says what stopping the command is for, in words that continue "Stop with Ctrl+C". */
function purposeOf({ settings: { file, usage }, recording }: Behind): string {
  const written = [usage, recording?.file].filter((each) => each !== undefined).join(' and ');
  const writes = `to write ${written}`;
  if (file === undefined) return writes;
  return `for the deviations from ${file}${written === '' ? '' : `, and ${writes}`}`;
}

function linesOf({ settings: { file, bodyLimit }, recording, report, recorded }: Passed): readonly string[] {
  return [
    ...(file === undefined ? [] : comparedLines(report, file, bodyLimit)),
    ...(file === undefined ? skippedLines(report.skipped) : []),
    ...(recorded && recording ? recordedLines(recorded, recording.file, bodyLimit) : []),
  ];
}

function comparedLines(
  { exchanges, checked, unread, skipped, rejected, undeclared, dropped, deviations, usage }: ProxyReport,
  file: string,
  bodyLimit: number,
): readonly string[] {
  const routes = counted(undeclared.length, 'route that was', 'routes that were');
  const compared = `${checked} compared with ${file}`;
  return [
    `${counted(exchanges, 'request')}, ${compared}${rejected > 0 ? `, ${rejected} rejected` : ''}.`,
    ...skippedLines(skipped),
    ...unreadLines(unread, bodyLimit),
    ...(usage === undefined ? [] : [`${usage} is written.`]),
    ...(dropped > 0 ? [`${counted(dropped, 'deviation')} made room for others.`] : []),
    ...(deviations.length > 0 ? [`${counted(deviations.length, 'deviation')} from ${file}:`] : []),
    ...deviations.map(({ id, count, detail }) => `  ${id} (${counted(count, 'time')}): ${detail}`),
    ...(undeclared.length > 0 ? [`${routes} asked for, and that ${file} does not have:`] : []),
    ...undeclared.map(
      (each) => `  ${each.operation}: ${String(each.status)} (${counted(each.count, 'time')})`,
    ),
  ];
}

function recordedLines(
  { exchanges, ignored, operations, paths, unread, added }: RecordReport,
  file: string,
  bodyLimit: number,
): readonly string[] {
  const [all, found] = [counted(exchanges, 'request'), counted(operations, 'operation')];
  return [
    `${all}: ${found} on ${counted(paths, 'path')}.`,
    ...(ignored > 0 ? [`${counted(ignored, 'request')} had no path of the API.`] : []),
    ...unreadLines(unread, bodyLimit),
    ...(added === undefined
      ? [`${file} is written.`]
      : added.length === 0
        ? [`${file} lacks none of it.`]
        : [`Added to ${file}:`, ...added.map((each) => `  ${each}`)]),
  ];
}

function skippedLines(skipped: number): readonly string[] {
  return skipped > 0 ? [`${counted(skipped, 'exchange')} broke off, or came too fast to be read.`] : [];
}

function unreadLines(unread: number, bodyLimit: number): readonly string[] {
  const bodies = counted(unread, 'body', 'bodies');
  return unread > 0 ? [`${bodies} could not be read, or had over ${bodyLimit} bytes.`] : [];
}
