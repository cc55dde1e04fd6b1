/** `concordat coverage`: reports which parts of a contract tests or clients have used. */

import { Command } from 'commander';
import {
  CommandFailure,
  type ReportFormat,
  type Terminal,
  examples,
  exitCodes,
  print,
  printJson,
  printReport,
} from '@concordat/runtime/terminal';
import {
  type ReadsApis,
  about,
  allowOriginOption,
  byApi,
  configOptions,
  formatOptions,
} from 'concordat/options';

interface CoverageOptions {
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
  const [format, json] = formatOptions('{"contract", "days", "rate", "kinds", "unused", "unknown"}');
  const [config, api] = configOptions();
  return new Command('coverage')
    .summary('report which parts of a contract were used')
    .description(
      'Adds the counts that observers and record --usage have written, and lists the operations, statuses, parameters, media types, members of bodies and values of enums that nothing has used.',
    )
    .argument('[usage...]', 'files of usage, or folders with such files (default: those of codegen.ts)')
    .addOption(config)
    .addOption(api)
    .option('--openapi <file>', 'the document (default: that of codegen.ts, or openapi.yaml)')
    .option(
      '--min <kind=percent,...>',
      'the lowest percentages of operations, statuses, parameters, media-types, members and enum-values; repeatable',
      (given: string, before?: string) => (before === undefined ? given : `${before},${given}`),
    )
    .addOption(format)
    .addOption(json)
    .addOption(allowOriginOption())
    .addHelpText('after', EXIT_CODES)
    .addHelpText(
      'after',
      examples(
        'concordat coverage usage/',
        'concordat coverage usage/ --min operations=100,statuses=80 --format github',
      ),
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
  const { coverageFindings, coverageOf, coverageText, minimaOf, shortfalls } =
    await import('../usage/coverage.js');
  const { readUsage } = await import('../usage/usage-file.js');
  const { runContract } = await import('../running/running-contract.js');
  const { progressLine } = await import('concordat/contract');
  const all = (await apis()).map(({ name, options: { openapi, schema, min, usage = [], allowOrigin } }) => {
    const files = paths.length > 0 ? paths : usage;
    if (openapi === undefined && schema !== undefined)
      throw refusal(`${about(name)}the use of a GraphQL schema is not counted; name an OpenAPI document.`);
    if (files.length === 0)
      throw refusal(`${about(name)}name files of usage, or write them as usage of coverage into codegen.ts.`);
    const minima = min === undefined ? {} : minimaOf(min);
    return { name, file: openapi ?? 'openapi.yaml', minima, usage: readUsage(files), allowOrigin };
  });
  const reports = [];
  for (const { name, file, minima, usage, allowOrigin: allowOrigins } of all) {
    const progress = progressLine('Compiling checks');
    const running = await runContract(file, { allowOrigins, progress }).catch((error: unknown) => {
      throw refusal(about(name) + (error instanceof Error ? error.message : String(error)));
    });
    const value = coverageOf(file, running, usage);
    const missing = shortfalls(value, minima).map((each) => about(name) + each);
    const findings = coverageFindings(value, missing, running);
    reports.push({ name, value, missing, findings, cases: running.model.operations, usage });
    if (format === 'text') print(terminal, about(name) + coverageText(value));
  }
  if (format === 'json') printJson(terminal, byApi(reports));
  else if (format !== 'text') {
    const cases = reports.flatMap(({ name, cases: operations }) =>
      operations.map(({ method, path }) => `${about(name)}${method} ${path}`),
    );
    const findings = reports.flatMap(({ name, findings: found }) =>
      found.map((each) => ({ ...each, about: about(name) + each.about })),
    );
    printReport(terminal, format, { command: 'concordat coverage', cases, findings });
  }
  for (const { name, value, usage } of reports) {
    const [unknown] = value.unknown;
    const count = String(value.unknown.length);
    const others = `${value.contract} does not have ${count} of the counted parts, such as ${String(unknown)}.`;
    for (const sentence of [...usage.doubts(), ...(unknown === undefined ? [] : [others])])
      terminal.stderr.write(`${about(name)}${sentence}\n`);
  }
  const missing = reports.flatMap((each) => each.missing);
  if (missing.length > 0) throw new CommandFailure(`${missing.join('; ')}.`);
}

function refusal(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.usage);
}
