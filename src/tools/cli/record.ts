/** `concordat record`: writes a first document of a running server from its traffic. */

import type { Command } from 'commander';
import {
  type ReportFormat,
  type Terminal,
  counted,
  examples,
  print,
  printJson,
  usageFailure,
} from '@concordat/runtime/terminal';
import { type ReadsApis, about, accumulate, byApi } from 'concordat/options';
import type { RecordReport } from '../record/record-server.js';
import {
  type ListenOptions,
  commandWithProxy,
  compare,
  serversOf,
  unreadText,
  untilStopped,
} from './proxy.js';
import { requireWritable } from './writable-file.js';

interface RecordCommandOptions extends ListenOptions {
  readonly out?: string;
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
several callers send or get. Other examples are made up, in the same shape.`;

export function recordCommand(terminal: Terminal): Command {
  return commandWithProxy('record', 4020)
    .summary("write a first document from a server's traffic")
    .description(
      'Passes traffic on to a running server until it is stopped. Then it writes what it saw as an OpenAPI 3.1 document, or adds the missing parts to the document that exists.',
    )
    .option(
      '-o, --out <file>',
      'the document, in YAML or as .json (default: the document of codegen.ts, or openapi.yaml)',
    )
    .option('--title <text>', 'the title of a new document', 'Recorded API')
    .option(
      '--path <template>',
      'a path with parameters that is known, such as /users/{name}; repeatable',
      accumulate,
      [],
    )
    .option('--enums', 'write words of several callers that have few values as enum')
    .option('--examples', 'write an example of each value, made up unless it is harmless')
    .option(
      '--usage <folder>',
      'leave the document as it is, and count in this folder what the traffic uses of it, for coverage and diff --usage',
    )
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
  const found = await serversOf('record', url, await readApis(), new Set());
  const servers = found.map(({ options, listen, ...server }) => {
    const at = about(server.name);
    const { out: file = options.openapi ?? 'openapi.yaml', path: templates, usage } = options;
    const wrong = templates.find((template) => !template.startsWith('/'));
    if (wrong !== undefined) throw usageFailure(`${at}The path ${wrong} does not start with /.`);
    const { title, bodyLimit, enums = false, examples = false } = options;
    if (usage !== undefined && (enums || examples || templates.length > 0)) {
      const kept = `With --usage, ${file} stays as it is: --enums, --examples and --path change it.`;
      throw usageFailure(at + kept);
    }
    if (usage === undefined && !['text', 'json'].includes(format)) {
      throw usageFailure(
        `${at}--format ${format} reports how traffic differs from a document: it needs --usage.`,
      );
    }
    if (usage === undefined) requireWritable(file, at);
    const settings = { ...listen, title, bodyLimit, enums, examples, file, templates, usage };
    return { ...server, settings };
  });
  if (servers.some(({ settings }) => settings.usage !== undefined)) {
    await compare(terminal, servers, format);
    return;
  }
  const files = servers.map(({ settings }) => settings.file);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw usageFailure(`Two APIs would be recorded in ${twice}: name one with --api.`);
  const { startRecording } = await import('../record/record-server.js');
  const reports = await untilStopped(
    terminal,
    format,
    servers,
    ({ settings }) => startRecording(settings),
    ({ settings }) => `to write ${settings.file}`,
  );
  if (format === 'json') printJson(terminal, byApi(reports));
  else {
    for (const { server, value } of reports)
      for (const line of reportLines(value, server.settings)) print(terminal, about(server.name) + line);
  }
}

function reportLines(
  { exchanges, ignored, operations, paths, unread, added }: RecordReport,
  { file, bodyLimit }: { readonly file: string; readonly bodyLimit: number },
): readonly string[] {
  const [all, found] = [counted(exchanges, 'request'), counted(operations, 'operation')];
  return [
    `${all}: ${found} on ${counted(paths, 'path')}.`,
    ...(ignored > 0 ? [`${counted(ignored, 'request')} had no path of the API.`] : []),
    ...(unread > 0 ? [unreadText(unread, bodyLimit)] : []),
    ...(added === undefined
      ? [`${file} is written.`]
      : added.length === 0
        ? [`${file} lacks none of it.`]
        : [`Added to ${file}:`, ...added.map((each) => `  ${each}`)]),
  ];
}
