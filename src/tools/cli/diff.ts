/** `concordat diff`: lists the changes between two versions of a contract, and the sides that they break. */

import { type Command, Option } from 'commander';
import {
  type Terminal,
  CommandFailure,
  type ReportFormat,
  counted,
  hasColours,
  print,
  usageFailure,
} from '@concordat/runtime/terminal';
import {
  type ReadsApis,
  about,
  accumulate,
  allowOriginOption,
  contractCommand,
  formatOptions,
  printReports,
  selectionOptions,
} from 'concordat/options';
import type { OperationChoice } from '@concordat/runtime/parts';
import type { End } from '../diff/accepted.js';
import type { Change } from '../diff/change/change.js';
import type { Stability } from '../diff/change/rules.js';
import type { ContractDiff } from '../diff/diff.js';

interface DiffCommandOptions extends OperationChoice {
  readonly base?: string;
  readonly for: 'client' | 'server' | 'both';
  readonly failOn: 'breaking' | 'dangerous';
  readonly stability?: Partial<Stability>;
  readonly allowOrigin?: readonly string[];
}

interface DiffRunOptions extends ReadsApis<DiffCommandOptions> {
  readonly api?: string;
  /** As the command line has it. */
  readonly base?: string;
  readonly format: ReportFormat;
  readonly all?: true;
  readonly accept?: true;
  readonly reason?: string;
  readonly until?: string;
  readonly usage?: readonly string[];
}

const EXIT_CODES = `
Exit codes:
  0    no change that must be refused; so it is if info.version has a new major version (before 1.0.0 a new minor one), which may break
  1    there is such a change: --fail-on sets the lowest severity, --for the side
  2    a contract cannot be read, or the command line is not valid`;

export function diffCommand(terminal: Terminal): Command {
  return contractCommand('diff', {
    summary: 'report what changed between two versions of a contract',
    description:
      'Compares two versions of an OpenAPI document or of a GraphQL schema. A change is breaking for clients if a client of the old version cannot talk to a server of the new one, and breaking for servers if a server of the old version cannot talk to a client of the new one; each is proved by a message, or reported as unproven. A version may be a file of a git revision, as REV:PATH.',
    options: [
      ...formatOptions('a list of {"old", "new", "changes", "version"}'),
      allowOriginOption(),
      ...selectionOptions(),
    ],
    notes: EXIT_CODES,
    examples: [
      'concordat diff main:openapi.yaml openapi.yaml',
      'concordat diff --base origin/main',
      'concordat diff v1.4.0:openapi.yaml openapi.yaml v1.4.0:schema.graphql schema.graphql --format markdown',
      'concordat diff old.yaml new.yaml --for both --fail-on dangerous --format github',
      'concordat diff main:openapi.yaml openapi.yaml --usage usage/',
      'concordat diff main:openapi.yaml openapi.yaml --accept --reason "Nobody reads it" --until 2027-03-01',
    ],
  })
    .argument(
      '[contracts...]',
      'OLD NEW, and more such pairs (default: the contracts of codegen.ts, and the base of its section diff)',
    )
    .option('--base <version>', 'compare with this git revision, folder or file, if no contracts are named')
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
    .option('--all', 'list every change, also what breaks nothing (formats text, markdown and html)')
    .option(
      '--usage <path>',
      'a file or a folder of usage of the old version: each break says how often its part was used; repeatable',
      accumulate,
    )
    .addOption(new Option('--accept', 'accept what fails: write it into concordat.json'))
    .option('--reason <text>', 'why it is accepted')
    .option(
      '--until <end>',
      'the last day of the acceptance, or the first version in which it is refused again',
    )
    .action((contracts: readonly string[], options: DiffRunOptions) => diff(terminal, contracts, options));
}

/** @throws CommandFailure when a change must not be released, or a contract cannot be read */
async function diff(
  terminal: Terminal,
  contracts: readonly string[],
  options: DiffRunOptions,
): Promise<void> {
  if (contracts.length % 2 !== 0) throw usageFailure('Name an old and a new version of each contract.');
  if (contracts.length > 0 && options.base !== undefined)
    throw usageFailure('--base goes with the contracts of codegen.ts: name no contracts beside it.');
  const [
    { configuredPairs, diffFiles },
    { isSdl, refusedChanges },
    { diffFindings, diffMarkdown, diffText, headingOf, summaryOf },
    accepting,
    { Selection },
  ] = await Promise.all([
    import('../diff/diff-files.js'),
    import('../diff/diff.js'),
    import('../diff/diff-text.js'),
    import('../diff/accepted.js'),
    import('@concordat/runtime/parts'),
  ]);
  const now = new Date();
  const acceptance = acceptanceOf(options, (until) => accepting.endOf(until, now));
  const { readUsage } = await import('../usage/usage-file.js');
  if (options.usage !== undefined && contracts.length > 0 && contracts.every(isSdl))
    throw usageFailure('--usage is the use of an OpenAPI document; name two versions of one.');
  const usage = options.usage && readUsage(options.usage);
  const diffs: Compared[] = [];
  for (const { name, options: own } of await options.apis(contracts.length > 0)) {
    const pairs =
      contracts.length > 0 ? { names: contracts, added: [] } : await configuredPairs(own, about(name));
    const absence = `is not in ${String(own.base)}: there is nothing to compare`;
    for (const file of pairs.added) terminal.stderr.write(`${about(name)}${file} ${absence}\n`);
    const sides = own.for === 'both' ? (['client', 'server'] as const) : [own.for];
    const isWhole = own.only === undefined && own.except === undefined;
    const selection = isWhole ? undefined : new Selection(own);
    const { allowOrigin: allowOrigins, stability } = own;
    const found = await diffFiles(pairs.names, { allowOrigins, usage, selection, stability });
    const [fault] = selection?.faults ?? [];
    if (fault !== undefined) throw usageFailure(about(name) + fault);
    for (const each of found) {
      const marked = accepting.withAccepted(each, now);
      const refused = refusedChanges(marked, own.failOn, sides);
      diffs.push({ name, failOn: own.failOn, found: marked, isWhole, refused });
    }
  }
  if (acceptance !== undefined) {
    const { reason, end } = acceptance;
    for (const { name, found } of diffs) {
      const reached = `${found.new} has the version ${String(found.version?.new)}`;
      if (accepting.hasCome(end, found, now))
        throw usageFailure(`${about(name)}--until ${String(options.until)} has come: ${reached}`);
    }
    for (const { name, found, refused } of diffs) {
      const file = accepting.acceptedFile(found);
      if (refused.length > 0) accepting.writeAccepted(file, refused, reason, end);
      const accepted = `Accepted ${counted(refused.length, 'change')} ${accepting.endText(end)}, in ${file}`;
      const nothing = `Nothing fails, so nothing was accepted, and ${file} stays as it is`;
      print(terminal, about(name) + (refused.length === 0 ? nothing : accepted));
    }
    return;
  }
  const refused = diffs.flatMap((each) => each.refused);
  if (options.format === 'json') {
    const { exactJson } = await import('../running/wire-request.js');
    const found = diffs.map((each) => {
      const { tags: _, ...members } = each.found;
      return { ...(each.name !== undefined && { api: each.name }), ...members };
    });
    print(terminal, exactJson(found));
  } else if (options.format === 'text') {
    const manner = { hasColours: hasColours(terminal), all: options.all };
    print(terminal, diffs.map(({ name, found }) => about(name) + diffText(found, manner)).join('\n\n'));
  } else {
    const failing = new Set(refused);
    const isMarkdown = options.format === 'markdown';
    const isForPeople = isMarkdown || options.format === 'html';
    const reports = diffs.map(({ name, found }) => {
      const findings = diffFindings(found, failing, isForPeople && options.all);
      const heading = headingOf(found);
      const summary = [heading, ...summaryOf(found)];
      return { name, found, value: found, cases: [heading], findings, summary };
    });
    if (isMarkdown) {
      const texts = reports.map((each) => diffMarkdown(each.found, each.findings, about(each.name)));
      print(terminal, texts.join('\n\n'));
    } else await printReports(terminal, options.format, 'concordat diff', reports);
  }
  // Of several APIs, one may have the changes of an entry that another lacks.
  if (options.api === undefined && diffs.every(({ isWhole }) => isWhole)) {
    const needless = accepting.needlessEntries(diffs.map(({ found }) => found));
    for (const sentence of [...needless.values()].flat()) terminal.stderr.write(`${sentence}\n`);
  }
  for (const sentence of usage?.doubts() ?? []) terminal.stderr.write(`${sentence}\n`);
  if (refused.length > 0) {
    const isOfBreaks = diffs.every(({ failOn }) => failOn === 'breaking');
    const severity = isOfBreaks ? 'breaking' : 'dangerous or breaking';
    const over = refused.filter((each) => each.accepted !== undefined).length;
    const ended = ` ${counted(over, 'of them was', 'of them were')} accepted for a time that is over.`;
    const changes = counted(refused.length, 'change is', 'changes are');
    throw new CommandFailure(`${changes} ${severity}.${over === 0 ? '' : ended}`);
  }
}

/** The comparison of a contract of an API. */
interface Compared extends Pick<DiffCommandOptions, 'failOn'> {
  readonly name: string | undefined;
  readonly found: ContractDiff;
  /** Whether all operations were compared. */
  readonly isWhole: boolean;
  readonly refused: readonly Change[];
}

/** The same of `diff-files.ts`, which is loaded when it is called. */
export async function needlessSinceBase(apis: readonly object[]): Promise<readonly (readonly string[])[]> {
  const files = await import('../diff/diff-files.js');
  return await files.needlessSinceBase(apis);
}

/** @throws CommandFailure for an option without the others */
function acceptanceOf(
  { accept, reason, until }: DiffRunOptions,
  endOf: (text: string) => End,
): { readonly reason: string; readonly end: End } | undefined {
  if (accept === undefined && reason === undefined && until === undefined) return undefined;
  if (accept === undefined || reason === undefined || reason.trim() === '' || until === undefined)
    throw usageFailure('--accept needs --reason and --until, and they need it.');
  return { reason, end: endOf(until) };
}
