/** `concordat generate` and `concordat check`: write the code of a contract, or report its problems and the files out of date. */

import { type Command, Option } from 'commander';
import {
  CommandFailure,
  exitCodes,
  type Finding,
  print,
  printJson,
  type ReportFormat,
  type Terminal,
} from '@concordat/runtime/terminal';
import { describeNotices } from '../contract/problems/contract-problem.js';
import type { CheckedFiles } from '../generator/generated-files.js';
import { generatorCommand, generatorsOf } from './contract-options.js';
import { needlessAcceptances } from './tools.js';
import { type ReadsApis, about, byApi, formatOptions, printFindings } from './shared-options.js';

interface GenerateOptions extends ReadsApis<{ readonly base?: string }> {
  readonly check?: true;
  readonly watch?: true;
  readonly json?: true;
  readonly verbose?: true;
}

function verboseOption(): Option {
  return new Option('--verbose', 'list every note, and not only the first of each kind');
}

export function generateCommand(terminal: Terminal): Command {
  return generatorCommand('generate', {
    summary: 'write the code of a contract',
    description:
      'Writes types, handler signatures, routing and checks from an OpenAPI document, and resolver signatures from a GraphQL schema. If there is a fault or an unsupported feature, it lists each with its place and writes nothing.',
    options: [verboseOption()],
    examples: [
      'concordat generate',
      'concordat generate --openapi openapi.yaml --out generated',
      'concordat generate --openapi openapi.yaml --schema schema.graphql --accept servers',
      'concordat generate --watch',
    ],
  })
    .option('--check', 'write nothing, and fail if a file is out of date')
    .addOption(
      new Option('-w, --watch', 'keep running, and write again whenever a contract changes').conflicts([
        'check',
        'json',
      ]),
    )
    .option('--json', 'print {"files", "written", "notices"} as JSON')
    .action(async (options: GenerateOptions) => {
      if (options.check) return check(terminal, { ...options, format: options.json ? 'json' : 'text' });
      if (options.watch) {
        const { watchContracts } = await import('./watch.js');
        return watchContracts(terminal, options);
      }
      const { writeFiles } = await import('../generator/generated-files.js');
      const apis = await options.apis();
      const made = await writeFiles(generatorsOf(apis));
      const results = made.map((result, index) => ({ ...result, name: apis[index]?.name }));
      for (const { name, dropped } of results)
        for (const line of dropped) terminal.stderr.write(`${about(name)}${line}\n`);
      if (options.json) {
        const values = results.map(({ name, files, written, notices }) => ({
          name,
          value: { files, written, notices },
        }));
        printJson(terminal, byApi(values));
        return;
      }
      for (const { name, files, written, notices } of results) {
        for (const line of describeNotices(notices, options.verbose))
          terminal.stderr.write(`${about(name)}${line}\n`);
        for (const file of written) print(terminal, `${about(name)}wrote ${file}`);
        const unchanged = files.length - written.length;
        if (unchanged > 0)
          print(terminal, `${about(name)}${unchanged} of ${files.length} files were up to date`);
      }
    });
}

interface CheckOptions extends ReadsApis<{ readonly base?: string }> {
  readonly api?: string;
  readonly format: ReportFormat;
  readonly against?: string;
  readonly update?: true;
  readonly verbose?: true;
}

export function checkCommand(terminal: Terminal): Command {
  return generatorCommand('check', {
    summary: 'compare the generated files with the contract',
    description:
      'Reads the contracts as the generator does, and lists every fault and every unsupported feature with its place, then each generated file that is out of date. If concordat.json lists the operations that are not served yet beside the OpenAPI document, each operation must be either generated or listed. If codegen.ts has the base of diff, each accepted change of concordat.json must be there.',
    options: [...formatOptions('{"problems", "stale", "list", "notices"}'), verboseOption()],
    examples: [
      'concordat check',
      'concordat check --openapi openapi.yaml --schema schema.graphql --out generated',
      'concordat check --against origin/main',
      'concordat check --format github',
    ],
  })
    .option(
      '--against <revision>',
      'fail if a list of concordat.json has an entry that it lacks at this git revision',
    )
    .option('--update', 'write the operations that are not generated into concordat.json, and nothing else')
    .action((options: CheckOptions) => check(terminal, options));
}

/** @throws CommandFailure when there is a problem, or a file is out of date */
async function check(
  terminal: Terminal,
  { apis: readApis, format, ...options }: CheckOptions,
): Promise<void> {
  const { checkFiles } = await import('../generator/generated-files.js');
  const apis = await readApis();
  const generators = generatorsOf(apis);
  const isPart = options.api !== undefined;
  const checked = await checkFiles(generators, { ...options, ...(isPart && { isPart }) });
  // Of several APIs, one may have the changes of an entry that another lacks.
  const isCompared = !isPart && apis.some(({ options: { base } }) => base !== undefined);
  const needless = isCompared ? await needlessAcceptances(apis.map((each) => each.options)) : [];
  const found = checked.map((each, index) => {
    const contracts = [generators[index]?.openapi ?? [], generators[index]?.schema ?? []].flat();
    return { ...each, name: apis[index]?.name, needless: needless[index] ?? [], contracts };
  });
  if (format === 'text') {
    for (const { name, notices, error, stale, list, needless } of found) {
      for (const line of describeNotices(notices, options.verbose))
        terminal.stderr.write(`${about(name)}${line}\n`);
      if (error !== undefined) continue;
      for (const line of [...stale.map((file) => `stale: ${file}`), ...list, ...needless])
        print(terminal, about(name) + line);
    }
  } else if (format === 'json') {
    const values = found.map(({ name, problems, stale, list, needless, notices }) => ({
      name,
      value: { problems, stale, list: [...list, ...needless], notices },
    }));
    printJson(terminal, byApi(values));
  } else {
    const cases = found.flatMap(({ contracts }) => contracts);
    const findings = found.flatMap((each) => findingsOf(each));
    await printFindings(terminal, format, { command: 'concordat check', cases, findings });
  }
  const errors = found.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) {
    throw new CommandFailure(
      format === 'text' ? errors.map(({ message }) => message).join('\n') : 'The contract has problems.',
      errors.every(({ exitCode }) => exitCode === exitCodes.usage) ? exitCodes.usage : exitCodes.failed,
    );
  }
  if (found.some(({ stale }) => stale.length > 0))
    throw new CommandFailure('These files are out of date: generate them again.');
  if (found.some(({ list }) => list.length > 0))
    throw new CommandFailure('The list of operations that are not served is not right.');
  if (needless.flat().length > 0)
    throw new CommandFailure('Remove the accepted changes that are not there from concordat.json.');
  if (format !== 'text') return;
  for (const { name } of found)
    print(terminal, `${about(name)}The contract has no problems, and the generated files are up to date.`);
}

function findingsOf(checked: CheckedFiles & { readonly needless: readonly string[] }): readonly Finding[] {
  const { problems, stale, list, needless, notices } = checked;
  const ofList = (rule: string, message: string): Finding => {
    return { rule, level: 'error', message, about: 'concordat.json' };
  };
  return [
    ...problems.map(({ feature, fault, file, line, pointer, message }): Finding => {
      const text = pointer === undefined ? message : `${pointer}: ${message}`;
      return { rule: feature ?? fault, level: 'error', message: text, about: file, place: { file, line } };
    }),
    ...stale.map((file): Finding => {
      const message = 'the file does not match the contract: generate it again';
      return { rule: 'stale-file', level: 'error', message, about: file, place: { file } };
    }),
    ...list.map((message) => ofList('not-served', message)),
    ...needless.map((message) => ofList('needless-acceptance', message)),
    ...notices.map(({ kind, file, line, pointer, message }): Finding => {
      const place = { file, line };
      return { rule: kind, level: 'note', message: `${pointer}: ${message}`, about: file, place };
    }),
  ];
}
