/** `concordat diff`: lists the changes between two versions of a contract, and the sides that they break. */

import { Command, Option } from 'commander';
import {
  type Terminal,
  CommandFailure,
  type ReportFormat,
  examples,
  exitCodes,
  hasColours,
  print,
  printJson,
  printReport,
} from '@concordat/runtime/terminal';
import { allowOriginOption, formatOptions } from 'concordat/options';
import type { End } from '../diff/accepted.js';

interface DiffCommandOptions {
  readonly for: 'client' | 'server' | 'both';
  readonly failOn: 'breaking' | 'dangerous';
  readonly format: ReportFormat;
  readonly accept?: true;
  readonly reason?: string;
  readonly until?: string;
  readonly allowOrigin?: readonly string[];
}

const EXIT_CODES = `
Exit codes:
  0    no change that must be refused
  1    there is such a change: --fail-on sets the lowest severity, --for the side
  2    a contract cannot be read, or the command line is not valid`;

export function diffCommand(terminal: Terminal): Command {
  const [format, json] = formatOptions('a list of {"old", "new", "changes", "version"}');
  return new Command('diff')
    .summary('report what changed between two versions of a contract')
    .description(
      'Compares two versions of an OpenAPI document or of a GraphQL schema. A change is breaking for clients if a client of the old version cannot talk to a server of the new one, and breaking for servers if a server of the old version cannot talk to a client of the new one; each is proved by a message, or reported as unproven. A version may be a file of a git revision, as REV:PATH.',
    )
    .argument('<contracts...>', 'OLD NEW, and more such pairs')
    .addOption(
      new Option('--for <side>', 'the side whose breaking changes fail')
        .choices(['client', 'server', 'both'])
        .default('client'),
    )
    .addOption(
      new Option('--fail-on <severity>', 'the lowest severity that fails')
        .choices(['breaking', 'dangerous'])
        .default('breaking'),
    )
    .addOption(format)
    .addOption(json)
    .addOption(allowOriginOption())
    .addOption(new Option('--accept', 'accept what fails: write it into concordat.json'))
    .option('--reason <text>', 'why it is accepted')
    .option(
      '--until <end>',
      'the last day of the acceptance, or the first version in which it is refused again',
    )
    .addHelpText('after', EXIT_CODES)
    .addHelpText(
      'after',
      examples(
        'concordat diff main:openapi.yaml openapi.yaml',
        'concordat diff v1.4.0:openapi.yaml openapi.yaml v1.4.0:schema.graphql schema.graphql --format markdown',
        'concordat diff old.yaml new.yaml --for both --fail-on dangerous --format github',
        'concordat diff main:openapi.yaml openapi.yaml --accept --reason "Nobody reads it" --until 2027-03-01',
      ),
    )
    .action((contracts: readonly string[], options: DiffCommandOptions) =>
      diff(terminal, contracts, options),
    );
}

/** @throws CommandFailure when a change must not be released, or a contract cannot be read */
async function diff(
  terminal: Terminal,
  contracts: readonly string[],
  options: DiffCommandOptions,
): Promise<void> {
  if (contracts.length % 2 !== 0) {
    throw new CommandFailure('Name an old and a new version of each contract.', exitCodes.usage);
  }
  const [{ diffFiles }, { refusedChanges }, { diffFindings, diffMarkdown, diffText, headingOf }, accepting] =
    await Promise.all([
      import('../diff/diff-files.js'),
      import('../diff/diff.js'),
      import('../diff/diff-text.js'),
      import('../diff/accepted.js'),
    ]);
  const now = new Date();
  const acceptance = acceptanceOf(options, (until) => accepting.endOf(until, now));
  const found = await diffFiles(contracts, { allowOrigins: options.allowOrigin });
  const diffs = found.map((each) => accepting.withAccepted(each, now));
  const sides = options.for === 'both' ? (['client', 'server'] as const) : [options.for];
  const refusedOf = (each: (typeof diffs)[number]) => refusedChanges(each, options.failOn, sides);
  if (acceptance !== undefined) {
    const { reason, end } = acceptance;
    for (const each of diffs) {
      const [changes, file] = [refusedOf(each), accepting.acceptedFile(each)];
      if (changes.length > 0) accepting.writeAccepted(file, changes, reason, end);
      const count = changes.length === 1 ? '1 change' : `${String(changes.length)} changes`;
      print(terminal, `Accepted ${count} ${accepting.endText(end)}, in ${file}`);
    }
    return;
  }
  const refused = diffs.flatMap(refusedOf);
  if (options.format === 'json') printJson(terminal, diffs);
  else if (options.format === 'text')
    print(terminal, diffs.map((each) => diffText(each, hasColours(terminal))).join('\n\n'));
  else if (options.format === 'markdown')
    print(terminal, diffs.map((each) => diffMarkdown(each)).join('\n\n'));
  else {
    const cases = diffs.map((each) => headingOf(each));
    const failing = new Set(refused);
    const findings = diffs.flatMap((each) => diffFindings(each, failing));
    printReport(terminal, options.format, { command: 'concordat diff', cases, findings });
  }
  for (const sentence of accepting.needlessEntries(diffs)) terminal.stderr.write(`${sentence}\n`);
  if (refused.length > 0) {
    const [one, are] = refused.length === 1 ? ['change', 'is'] : ['changes', 'are'];
    const severity = options.failOn === 'breaking' ? 'breaking' : 'dangerous or breaking';
    const over = refused.filter((each) => each.accepted !== undefined).length;
    const ended =
      over === 0
        ? ''
        : ` ${String(over)} of them ${over === 1 ? 'was' : 'were'} accepted for a time that is over.`;
    throw new CommandFailure(`${String(refused.length)} ${one} ${are} ${severity}.${ended}`);
  }
}

/** @throws CommandFailure for an option without the others */
function acceptanceOf(
  { accept, reason, until }: DiffCommandOptions,
  endOf: (text: string) => End,
): { readonly reason: string; readonly end: End } | undefined {
  if (accept === undefined && reason === undefined && until === undefined) return undefined;
  if (accept === undefined || reason === undefined || reason.trim() === '' || until === undefined)
    throw new CommandFailure('--accept needs --reason and --until, and they need it.', exitCodes.usage);
  return { reason, end: endOf(until) };
}
