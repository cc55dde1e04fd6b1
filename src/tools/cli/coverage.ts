/** `concordat coverage`: reports which parts of a contract tests or clients have used. */

import type { Command } from 'commander';
import {
  CommandFailure,
  type ReportFormat,
  type Terminal,
  print,
  progressLine,
  usageFailure,
} from '@concordat/runtime/terminal';
import {
  type ReadsApis,
  about,
  allowOriginOption,
  contractCommand,
  formatOptions,
  printReports,
  refusedFor,
  selectionOptions,
} from 'concordat/options';
import type { OperationChoice } from '@concordat/runtime/parts';

interface CoverageOptions extends OperationChoice {
  readonly usage?: readonly string[];
  readonly min?: string;
  readonly allowOrigin?: readonly string[];
}

const EXIT_CODES = `
Exit codes:
  0    as much is used as --min says
  1    less is used
  2    the contract or the usage cannot be read, or the command line is not valid`;

export function coverageCommand(terminal: Terminal): Command {
  return contractCommand('coverage', {
    summary: 'report which parts of a contract were used',
    description:
      'Adds the counts that observers and record --usage have written, and lists the operations, statuses, parameters, media types, members of bodies and values of enums that nothing has used.',
    options: [
      ...selectionOptions(),
      ...formatOptions('{"contract", "days", "rate", "kinds", "unused"}'),
      allowOriginOption(),
    ],
    notes: EXIT_CODES,
    examples: [
      'concordat coverage usage/',
      'concordat coverage usage/ --min operations=100,statuses=80 --format github',
    ],
  })
    .argument('[usage...]', 'files of usage, or folders with such files (default: those of codegen.ts)')
    .option('--openapi <file>', 'the document (default: that of codegen.ts, or openapi.yaml)')
    .option(
      '--min <kind=percent,...>',
      'the lowest percentages of operations, statuses, parameters, media-types, members and enum-values; repeatable',
      (given: string, before?: string) => (before === undefined ? given : `${before},${given}`),
    )
    .action((paths: readonly string[], options: ReadsApis<CoverageOptions> & { format: ReportFormat }) =>
      coverage(terminal, paths, options),
    );
}

/** @throws CommandFailure if less is used than it must, or something cannot be read */
async function coverage(
  terminal: Terminal,
  paths: readonly string[],
  { apis, format }: ReadsApis<CoverageOptions> & { readonly format: ReportFormat },
): Promise<void> {
  const { coverageFindings, coverageOf, coverageText, coverageTitle, minimaOf, sharesOf, shortfalls } =
    await import('../usage/coverage.js');
  const { readUsage } = await import('../usage/usage-file.js');
  const { runContract } = await import('../running/running-contract.js');
  const all = (await apis()).map(({ name, options: { min, usage = [], ...options } }) => {
    const files = paths.length > 0 ? paths : usage;
    const fault = (text: string): Error => usageFailure(about(name) + text);
    if (options.openapi === undefined && options.schema !== undefined)
      throw fault('the use of a GraphQL schema is not counted; name an OpenAPI document.');
    if (files.length === 0)
      throw fault('name files of usage, or write them as usage of coverage into codegen.ts.');
    return { name, options, minima: minimaOf(min), usage: readUsage(files) };
  });
  const reports = [];
  for (const { name, options, minima, usage } of all) {
    const { openapi: file = 'openapi.yaml', allowOrigin: allowOrigins, only, except } = options;
    const progress = progressLine('Compiling checks');
    const given = { allowOrigins, only, except, progress };
    const running = await runContract(file, given).catch(refusedFor(name));
    const cases = running.model.operations.map(({ method, path }) => `${method} ${path}`);
    if ((only ?? except) === undefined) usage.compare(cases);
    const value = coverageOf(file, running, usage);
    const missing = shortfalls(value, minima);
    const tags = new Map(running.model.operations.map((each) => [`${each.method} ${each.path}`, each.tags]));
    const findings = coverageFindings(value, missing, tags);
    const shown = { summary: [coverageTitle(value)], shares: sharesOf(value) };
    reports.push({ name, value, missing, cases, findings, usage, ...shown });
  }
  if (format === 'text')
    print(terminal, reports.map(({ name, value }) => about(name) + coverageText(value)).join('\n\n'));
  else await printReports(terminal, format, 'concordat coverage', reports);
  for (const { name, usage } of reports)
    for (const sentence of usage.doubts()) terminal.stderr.write(`${about(name)}${sentence}\n`);
  const missing = reports.flatMap((each) => each.missing.map((sentence) => about(each.name) + sentence));
  if (missing.length > 0) throw new CommandFailure(`${missing.join('; ')}.`);
}
