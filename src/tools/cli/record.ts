/** `concordat record`: writes a first document of a running server from its traffic. */

import { Command } from 'commander';
import {
  type ReportFormat,
  type Terminal,
  examples,
  print,
  printJson,
  usageFailure,
} from '@concordat/runtime/terminal';
import {
  type ReadsApis,
  about,
  accumulate,
  byApi,
  configOptions,
  formatOptions,
  isAddress,
  portOf,
  untaken,
  wholeNumber,
} from 'concordat/options';
import type { RecordReport, RunningRecording } from '../record/record-server.js';
import { requireWritable } from './writable-file.js';

interface RecordCommandOptions {
  readonly url?: string;
  readonly out?: string;
  readonly host: string;
  readonly port: number;
  readonly title: string;
  readonly path: readonly string[];
  readonly bodyLimit: number;
  readonly enums?: true;
  readonly examples?: true;
  readonly usage?: string;
}

const REVIEW = `
Each recorded operation has "x-recorded: true": its requests are described by samples alone. Remove it when you have
compared the operation with the server's code; until then, verify does not judge which requests are valid.

With --examples and --enums, values are written that are harmless: truth values, dates, numbers with few digits, and words that at least
three callers send or get. Other examples are made up, in the same shape.`;

export function recordCommand(terminal: Terminal): Command {
  const [config, api] = configOptions();
  const [format, json] = formatOptions('the report');
  return new Command('record')
    .summary("write a first document from a server's traffic")
    .description(
      'Passes traffic on to a running server, byte by byte, until it is stopped. Then it writes what it saw as an OpenAPI 3.1 document, or adds the missing parts to the document that exists.',
    )
    .argument(
      '[url]',
      'the address of the server, to which the paths of the document are added (default: that of codegen.ts)',
    )
    .addOption(config)
    .addOption(api)
    .option(
      '-o, --out <file>',
      'the document, in YAML or as .json (default: the document of codegen.ts, or openapi.yaml)',
    )
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('-p, --port <number>', 'the port to listen on; 0 picks a free one', portOf, 4020)
    .option('--title <text>', 'the title of a new document', 'Recorded API')
    .option(
      '--path <template>',
      'a path with parameters that is known, such as /users/{name}; repeatable',
      accumulate,
      [],
    )
    .option(
      '--body-limit <bytes>',
      'the maximum number of bytes that are read of a body',
      wholeNumber,
      262_144,
    )
    .option('--enums', 'write words of several callers that have few values as enum')
    .option('--examples', 'write an example of each value, made up unless it is harmless')
    .option(
      '--usage <folder>',
      'leave the document as it is, and count in this folder what the traffic uses of it, for coverage and diff --usage',
    )
    .addOption(format)
    .addOption(json)
    .addHelpText('after', REVIEW)
    .addHelpText(
      'after',
      examples(
        'concordat record http://localhost:3000',
        'concordat record http://localhost:3000 --port 8080 --out api/openapi.yaml',
        "concordat record http://localhost:3000/v1 --path '/users/{name}' --enums",
        'concordat record http://localhost:3000 --usage usage',
      ),
    )
    .action(
      (url: string | undefined, given: ReadsApis<RecordCommandOptions> & { readonly format: ReportFormat }) =>
        record(terminal, url, given.apis, given.format),
    );
}

/** @throws CommandFailure if the options are wrong, or a document cannot be extended */
async function record(
  terminal: Terminal,
  url: string | undefined,
  readApis: ReadsApis<RecordCommandOptions>['apis'],
  format: ReportFormat,
): Promise<void> {
  const { deviationsText, withoutPasswords } = await import('@concordat/runtime/observe');
  const { startRecording } = await import('../record/record-server.js');
  const ports = new Set<number>();
  const servers = (await readApis()).map(({ name, options }) => {
    const target = url ?? options.url;
    const { out: file = options.openapi ?? 'openapi.yaml', path: templates } = options;
    if (target === undefined) {
      throw usageFailure(
        `${about(name)}Name the address of the server, or write it as url of record into codegen.ts.`,
      );
    }
    const shown = withoutPasswords(target);
    if (!isAddress(target)) {
      throw usageFailure(`${about(name)}${shown} is not an address such as http://localhost:3000.`);
    }
    const wrong = templates.find((template) => !template.startsWith('/'));
    if (wrong !== undefined) throw usageFailure(`${about(name)}The path ${wrong} does not start with /.`);
    const port = untaken(options.port, ports);
    ports.add(port);
    const { host, title, bodyLimit, enums = false, examples = false, usage: folder } = options;
    if (folder !== undefined && (enums || examples || templates.length > 0)) {
      const kept = `With --usage, ${file} stays as it is: --enums, --examples and --path change it.`;
      throw usageFailure(about(name) + kept);
    }
    if (folder === undefined && !['text', 'json'].includes(format)) {
      throw usageFailure(
        `${about(name)}--format ${format} reports how traffic differs from a document: it needs --usage.`,
      );
    }
    if (folder === undefined) requireWritable(file, about(name));
    const settings = { host, title, bodyLimit, enums, examples, port, file, templates, usage: folder };
    return { name, shown, settings: { ...settings, target: new URL(target) } };
  });
  const files = servers.map(({ settings }) => settings.file);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw usageFailure(`Two APIs would be recorded in ${twice}: name one with --api.`);
  const recordings: RunningRecording[] = [];
  for (const { name, shown, settings } of servers) {
    const recording = await startRecording(settings).catch((error: unknown) => {
      throw usageFailure(about(name) + (error instanceof Error ? error.message : String(error)));
    });
    recordings.push(recording);
    const stop = `Stop with Ctrl+C to write ${settings.usage ?? settings.file}.`;
    const line = `${about(name)}Traffic to ${recording.url} goes to ${shown}. ${stop}`;
    if (format === 'text') print(terminal, line);
    // Standard output has the report alone.
    else if (format !== 'json') terminal.stderr.write(`${line}\n`);
  }
  await terminal.untilStopped();
  const reports: { readonly name?: string | undefined; readonly value: RecordReport }[] = [];
  for (const [index, { name, settings }] of servers.entries()) {
    const value = await recordings[index]?.finish();
    if (value === undefined) continue;
    reports.push({ name, value });
    if (format !== 'text') continue;
    for (const line of reportLines(value, settings)) print(terminal, about(name) + line);
  }
  if (format === 'json') printJson(terminal, byApi(reports));
  else if (format !== 'text') {
    const places = new Map(
      recordings.flatMap(({ observed }, index) =>
        [...observed].map(([id, place]) => [about(servers[index]?.name) + id, place] as const),
      ),
    );
    const deviations = reports.flatMap(({ name, value }) =>
      (value.deviations ?? []).map((each) => ({ ...each, operation: about(name) + each.operation })),
    );
    const options = { operations: [...places.keys()], placeOf: (id: string) => places.get(id) };
    const text = deviationsText(format, deviations, options);
    if (text !== '') print(terminal, text);
  }
}

function reportLines(
  { exchanges, ignored, operations, paths, unread, added, usage: counts, deviations = [] }: RecordReport,
  { file, bodyLimit }: { readonly file: string; readonly bodyLimit: number },
): readonly string[] {
  const [all, found] = [counted(exchanges, 'request'), counted(operations, 'operation')];
  const bodies = counted(unread, 'body', 'bodies');
  return [
    `${all}: ${found} on ${counted(paths, 'path')}.`,
    ...(ignored > 0 ? [`${counted(ignored, 'request')} had no path of the API.`] : []),
    ...(unread > 0 ? [`${bodies} could not be read, or had over ${String(bodyLimit)} bytes.`] : []),
    ...(added === undefined
      ? [`${counts ?? file} is written.`]
      : added.length === 0
        ? [`${file} lacks none of it.`]
        : [`Added to ${file}:`, ...added.map((each) => `  ${each}`)]),
    ...(deviations.length > 0 ? [`${counted(deviations.length, 'deviation')} from ${file}:`] : []),
    ...deviations.map(({ id, count, detail }) => `  ${id} (${counted(count, 'time')}): ${detail}`),
  ];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}
