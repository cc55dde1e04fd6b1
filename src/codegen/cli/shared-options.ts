/** The command-line options that the commands of both packages share, in the source-only entry point `concordat/options`. */

import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { SELECTOR_FORMS, selectorTest } from '@concordat/runtime/parts';
import {
  type Report,
  type ReportFormat,
  type Terminal,
  examples,
  explainFailure,
  printJson,
  printReport,
  reportFormats,
  usageFailure,
} from '@concordat/runtime/terminal';
import { isFolder, originOf } from '../contract/load/web-addresses.js';
export { isAddress } from '../generator/config-keys.js';
import { withLines } from './lines-around.js';
export { linesAdder } from './lines-around.js';
import type { SchemaFiles } from '../generator/graphql/resolver-options.js';

/** The options of a command for one API: those of the command line, and of `codegen.ts`. */
export interface ForApi<Options> {
  /** Undefined for an API that has no name. */
  readonly name?: string | undefined;
  readonly options: Options & Contracts;
}

export interface Contracts {
  readonly openapi?: string;
  readonly schema?: SchemaFiles;
}

/** An option of every command that reads `codegen.ts`, which the program sets. */
export interface ReadsApis<Options> {
  /** @param isContractNamed - whether the arguments name contracts, which stand in place of those of the file */
  readonly apis: (isContractNamed?: boolean) => Promise<readonly ForApi<Options>[]>;
}

interface CommandTexts {
  readonly summary: string;
  readonly description: string;
  /** Options that other commands have too, such as {@link formatOptions}. */
  readonly options?: readonly Option[];
  /** Printed after the options: its exit codes, for instance. */
  readonly notes?: string;
  readonly examples: readonly string[];
}

/** A command that reads `codegen.ts`, with `--config` and `--api`. */
export function contractCommand(name: string, texts: CommandTexts): Command {
  const { summary, description, options = [], notes = '' } = texts;
  const command = new Command(name)
    .summary(summary)
    .description(description)
    .option('-c, --config <file>', 'the configuration (default: codegen.ts, if it exists)')
    .option('--api <name>', 'one of the APIs of the configuration (default: all)');
  for (const option of options) command.addOption(option);
  return command.addHelpText('after', notes + examples(...texts.examples));
}

/** Begins a line about an API that has a name. */
export function about(name: string | undefined): string {
  return name === undefined ? '' : `${name}: `;
}

/** Makes any error of the work for an API a failure that names it, with the exit code 2: no server answers, or the contract cannot be read. */
export function refusedFor(name: string | undefined): (error: unknown) => never {
  return (error) => {
    throw usageFailure(about(name) + explainFailure(error).message);
  };
}

/** The JSON of a command: its result, or with several APIs an object that has the result of each. */
export function byApi(
  results: readonly { readonly name?: string | undefined; readonly value: unknown }[],
): unknown {
  const [first] = results;
  return results.length === 1
    ? first?.value
    : Object.fromEntries(results.map(({ name, value }) => [name, value]));
}

/** The report of a command about one API. */
interface ApiReport extends Pick<Report, 'cases' | 'findings' | 'summary' | 'shares'> {
  readonly name?: string | undefined;
  /** Its JSON. */
  readonly value: unknown;
}

/** Prints reports in another format than text. @param command - as `concordat verify` */
export async function printReports(
  terminal: Terminal,
  format: Exclude<ReportFormat, 'text'>,
  command: string,
  reports: readonly ApiReport[],
): Promise<void> {
  if (format === 'json') {
    printJson(terminal, byApi(reports));
    return;
  }
  const all = reports.map(({ name, cases, findings, summary = [], shares = [] }) => {
    const at = about(name);
    return {
      cases: cases.map((each) => at + each),
      findings: findings.map((each) => ({ ...each, about: at + each.about })),
      summary: summary.map((each) => at + each),
      shares: shares.map((each) => ({ ...each, name: at + each.name })),
    };
  });
  await printFindings(terminal, format, {
    command,
    cases: all.flatMap(({ cases }) => cases),
    findings: all.flatMap(({ findings }) => findings),
    summary: all.flatMap(({ summary }) => summary),
    shares: all.flatMap(({ shares }) => shares),
  });
}

/** Prints a report, on a page with the lines around each place. */
export async function printFindings(
  terminal: Terminal,
  format: Exclude<ReportFormat, 'text' | 'json'>,
  report: Report,
): Promise<void> {
  const shown = format === 'html' ? { ...report, findings: await withLines(report.findings) } : report;
  printReport(terminal, format, shown);
}

/** `--allow-origin`, of every command that reads a document. */
export function allowOriginOption(): Option {
  return new Option(
    '--allow-origin <origin>',
    'an origin, or a folder such as ../shared outside the project, from which documents of a $ref are read; may be repeated',
  ).argParser((given: string, before?: readonly string[]) => {
    const origin = isFolder(given) ? given : originOf(given);
    if (origin === undefined)
      throw new InvalidArgumentError(
        'It must be an origin such as https://example.com, or a folder such as ../shared.',
      );
    return accumulate(origin, before);
  });
}

/** `--only` and `--except`, of every command that works on operations. */
export function selectionOptions(): readonly [Option, Option] {
  const collect = (given: string, before?: readonly string[]): readonly string[] => {
    if (selectorTest(given) === undefined) throw new InvalidArgumentError(`Write ${SELECTOR_FORMS}.`);
    return accumulate(given, before);
  };
  return [
    new Option('--only <selector>', `only these operations: ${SELECTOR_FORMS}; may be repeated`).argParser(
      collect,
    ),
    new Option('--except <selector>', 'all operations but these; may be repeated').argParser(collect),
  ];
}

/**
 * `--format` and `--json`, of every command that makes a report.
 *
 * @param json - the members of the JSON
 * @param formats - those that the command has
 */
export function formatOptions(
  json: string,
  formats: readonly ReportFormat[] = reportFormats,
): readonly [Option, Option] {
  return [
    new Option('--format <format>', 'the form of the report').choices(formats).default('text'),
    new Option('--json', `print ${json} as JSON, as --format json does`).implies({ format: 'json' }),
  ];
}

/** Collects the values of an option that may be repeated. */
export function accumulate(feature: string, before: readonly string[] = []): readonly string[] {
  return [...before, feature];
}

const SDL = /\.(?:graphqls?|gql)$/i;

/** The contracts among files; the ending of a file shows which kind it is. @throws CommandFailure for two documents */
export function contractsAmong(files: readonly string[]): Contracts {
  const schemas = files.filter((file) => SDL.test(file));
  const schema = schemas.length === 1 ? schemas[0] : schemas;
  const [openapi, ...documents] = files.filter((file) => !SDL.test(file));
  if (documents.length > 0) throw usageFailure('name one OpenAPI document, one GraphQL schema, or both');
  return { ...(openapi !== undefined && { openapi }), ...(schemas.length > 0 && { schema }) };
}

/** The contracts of an API, or if it names none, `openapi.yaml` and `schema.graphql` where they exist. */
export function contractsOf({ openapi, schema }: Contracts): Contracts {
  if (openapi !== undefined || schema !== undefined)
    return { ...(openapi !== undefined && { openapi }), ...(schema !== undefined && { schema }) };
  const existing = ['openapi.yaml', 'schema.graphql'].filter((file) => existsSync(file));
  return contractsAmong(existing.length > 0 ? existing : ['openapi.yaml']);
}

/** @throws InvalidArgumentError for a text that is no port */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

/** @throws InvalidArgumentError for a text that is no whole number */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** The port itself, or the next one that no other API has. @param taken - the ports of other APIs; 0, which picks a free one, may be repeated */
export function untaken(port: number, taken: { readonly has: (port: number) => boolean }): number {
  if (port > 65_535) throw usageFailure('There is no port after 65535 for a further API: give a lower port');
  return port !== 0 && taken.has(port) ? untaken(port + 1, taken) : port;
}
