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
import { accumulate, allowOriginOption, formatOptions } from 'concordat/options';

interface CoverageCommandOptions {
  readonly openapi: string;
  readonly min?: readonly string[];
  readonly format: ReportFormat;
  readonly allowOrigin?: readonly string[];
}

const EXIT_CODES = `
Exit codes:
  0    as much is used as --min says
  1    less is used
  2    the contract or the usage cannot be read, or the command line is not valid`;

export function coverageCommand(terminal: Terminal): Command {
  const [format, json] = formatOptions('{"contract", "days", "rate", "kinds", "unused", "unknown"}');
  return new Command('coverage')
    .summary('report which parts of a contract were used')
    .description(
      'Adds the counts that observers and record --usage have written, and lists the operations, statuses, parameters, media types, members of bodies and values of enums that nothing has used.',
    )
    .argument('<usage...>', 'files of usage, or folders with such files')
    .option('--openapi <file>', 'the document', 'openapi.yaml')
    .option(
      '--min <kind=percent,...>',
      'the lowest percentages of operations, statuses, parameters, media-types, members and enum-values',
      accumulate,
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
    .action((paths: readonly string[], options: CoverageCommandOptions) =>
      coverage(terminal, paths, options),
    );
}

/** @throws CommandFailure if less is used than it must, or something cannot be read */
async function coverage(
  terminal: Terminal,
  paths: readonly string[],
  { openapi, min, format, allowOrigin: allowOrigins }: CoverageCommandOptions,
): Promise<void> {
  const { coverageFindings, coverageOf, coverageText, minimaOf, shortfalls } =
    await import('../usage/coverage.js');
  const { readUsage } = await import('../usage/usage-file.js');
  const minima = min === undefined ? {} : minimaOf(min.join(','));
  const usage = readUsage(paths);
  const { runContract } = await import('../running/running-contract.js');
  const { progressLine } = await import('concordat/contract');
  const progress = progressLine('Compiling checks');
  const running = await runContract(openapi, { allowOrigins, progress }).catch((error: unknown) => {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), exitCodes.usage);
  });
  const found = coverageOf(openapi, running, usage);
  const missing = shortfalls(found, minima);
  if (format === 'json') printJson(terminal, found);
  else if (format === 'text') print(terminal, coverageText(found));
  else {
    const cases = running.model.operations.map(({ method, path }) => `${method} ${path}`);
    const findings = coverageFindings(found, missing, running);
    printReport(terminal, format, { command: 'concordat coverage', cases, findings });
  }
  const [unknown] = found.unknown;
  const others = `Of the counted parts, ${String(found.unknown.length)} are not in ${openapi}, such as ${String(unknown)}.`;
  for (const sentence of [...usage.doubts(), ...(unknown === undefined ? [] : [others])])
    terminal.stderr.write(`${sentence}\n`);
  if (missing.length > 0) throw new CommandFailure(`${missing.join('; ')}.`);
}
