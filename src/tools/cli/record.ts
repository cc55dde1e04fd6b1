/** `concordat record`: writes a first document of a running server from its traffic. */

import { Command } from 'commander';
import {
  CommandFailure,
  type Terminal,
  examples,
  exitCodes,
  print,
  printJson,
} from '@concordat/runtime/terminal';
import { accumulate, portOf, wholeNumber } from 'concordat/options';

interface RecordCommandOptions {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly title: string;
  readonly path: readonly string[];
  readonly bodyLimit: number;
  readonly enums?: true;
  readonly examples?: true;
  readonly json?: true;
}

const REVIEW = `
Each recorded operation has "x-recorded: true": its requests are described by samples alone. Remove it when you have
compared the operation with the server's code; until then, verify does not judge which requests are valid.

With --examples and --enums, values are written that are harmless: truth values, dates, numbers with few digits, and words that at least
three callers send or get. Other examples are made up, in the same shape.`;

export function recordCommand(terminal: Terminal): Command {
  return new Command('record')
    .summary("write a first document from a server's traffic")
    .description(
      'Passes traffic on to a running server, byte by byte, until it is stopped. Then it writes what it saw as an OpenAPI 3.1 document, or adds the missing parts to the document that exists.',
    )
    .argument('<url>', 'the address of the server, to which the paths of the document are added')
    .option('-o, --out <file>', 'the document, in YAML or as .json', 'openapi.yaml')
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
    .option('--json', 'print the report as JSON')
    .addHelpText('after', REVIEW)
    .addHelpText(
      'after',
      examples(
        'concordat record http://localhost:3000',
        'concordat record http://localhost:3000 --port 8080 --out api/openapi.yaml',
        "concordat record http://localhost:3000/v1 --path '/users/{name}' --enums",
      ),
    )
    .action((url: string, options: RecordCommandOptions) => record(terminal, url, options));
}

/** @throws CommandFailure if the options are wrong, or the document cannot be extended */
async function record(terminal: Terminal, url: string, options: RecordCommandOptions): Promise<void> {
  const { withoutPasswords } = await import('@concordat/runtime/observe');
  const shown = withoutPasswords(url);
  const { startRecording } = await import('../record/record-server.js');
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    throw new CommandFailure(`${shown} is not an address such as http://localhost:3000.`, exitCodes.usage);
  }
  const wrong = options.path.find((template) => !template.startsWith('/'));
  if (wrong !== undefined)
    throw new CommandFailure(`The path ${wrong} does not start with /.`, exitCodes.usage);
  const { out: file, path: templates, enums = false, examples = false, ...rest } = options;
  const recording = await startRecording({
    ...rest,
    target: new URL(url),
    file,
    templates,
    enums,
    examples,
  }).catch((error: unknown) => {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), exitCodes.usage);
  });
  if (!options.json)
    print(terminal, `Traffic to ${recording.url} goes to ${shown}. Stop with Ctrl+C to write ${file}.`);
  await terminal.untilStopped();
  const report = await recording.finish();
  if (options.json) {
    printJson(terminal, report);
    return;
  }
  const { exchanges, ignored, operations, paths, unread, added } = report;
  print(
    terminal,
    `${counted(exchanges, 'request')}: ${counted(operations, 'operation')} on ${counted(paths, 'path')}.`,
  );
  if (ignored > 0) print(terminal, `${counted(ignored, 'request')} had no path of the API.`);
  if (unread > 0)
    print(
      terminal,
      `${counted(unread, 'body', 'bodies')} could not be read, or had over ${String(options.bodyLimit)} bytes.`,
    );
  if (added === undefined) print(terminal, `${file} is written.`);
  else if (added.length === 0) print(terminal, `${file} lacks none of it.`);
  else print(terminal, [`Added to ${file}:`, ...added.map((each) => `  ${each}`)].join('\n'));
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}
