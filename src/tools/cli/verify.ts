/** `concordat verify`: checks a running server against its contract. */

import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OperationChoice } from '@concordat/runtime/parts';
import {
  CommandFailure,
  type ReportFormat,
  type Terminal,
  counted,
  exitCodes,
  hasColours,
  print,
  progressLine,
  usageFailure,
} from '@concordat/runtime/terminal';
import {
  type ReadsApis,
  about,
  accumulate,
  allowOriginOption,
  contractCommand,
  contractsOf,
  formatOptions,
  printReports,
  refusedFor,
  selectionOptions,
  wholeNumber,
} from 'concordat/options';
import { addressOf } from './passing.js';
import { requireWritable } from './writable-file.js';

interface VerifyCommandOptions extends OperationChoice {
  readonly url?: string;
  readonly openapiPath?: string;
  readonly graphqlPath: string;
  readonly credential: Values;
  readonly header: Values;
  readonly seed?: number;
  readonly requests: number;
  readonly seconds: number;
  readonly warn: readonly string[];
  readonly skip?: readonly string[];
  readonly protect: readonly string[];
  readonly allowOrigin?: readonly string[];
}

/** The options for all APIs together. */
interface WholeOptions {
  readonly format: ReportFormat;
  readonly har?: string;
}

/** Values by name; the configuration has values of environment variables. */
type Values = Readonly<Record<string, string | { readonly env: string }>>;

const EXIT_CODES = `
Exit codes:
  0    no violation, or warnings only
  1    there is a violation
  2    the contract cannot be read, no server answers, or the command line is not valid
  3    no violation, but operations were not verified, because a credential is missing`;

export function verifyCommand(terminal: Terminal): Command {
  return (
    contractCommand('verify', {
      summary: 'report where a running server differs from its contract',
      description:
        'Sends valid requests, requests at the edges of the schemas and broken ones to every operation of an OpenAPI document, of a GraphQL schema, or of both, and checks each answer. It creates, changes and deletes records: name a server that you started for this purpose.',
      options: [...selectionOptions(), allowOriginOption(), ...formatOptions('the report')],
      notes: EXIT_CODES,
      examples: [
        'concordat verify http://localhost:3000',
        'concordat verify http://localhost:3000 --credential bearerAuth="$TOKEN" --seconds 20',
        'concordat verify http://localhost:3000 --schema schema.graphql --header authorization="Bearer $TOKEN"',
        "concordat verify http://localhost:3000 --seed 7 --warn 'valid-refused at listUsers'",
      ],
    })
      .argument(
        '[url]',
        'the address of the server, to which the paths of the document are added (default: that of codegen.ts)',
      )
      .option(
        '--openapi <file>',
        'the document (default: that of codegen.ts, or openapi.yaml if it exists, unless a schema is named)',
      )
      .option(
        '--schema <file>',
        'the schema (default: that of codegen.ts, or schema.graphql if it exists, unless a document is named); repeatable, for files that extend it',
        accumulate,
      )
      .option(
        '--openapi-path <path>',
        'the path on the server before those of the document (default: that of its first server, unless the address has a path)',
      )
      .option('--graphql-path <path>', 'the path of GraphQL on the server', '/graphql')
      .option(
        '--credential <scheme=value>',
        'the credential for a security scheme of the document, user:password for basic; repeatable',
        namedValue,
        {},
      )
      .option(
        '--header <name=value>',
        'a header to send with every GraphQL request; repeatable',
        namedValue,
        {},
      )
      .option('--seed <number>', 'repeat the run that reported this seed', wholeNumber)
      .option('--requests <number>', 'the maximum number of requests', wholeNumber, 5000)
      .option('--seconds <number>', 'the maximum number of seconds', wholeNumber, 60)
      .option(
        '--warn <rule>',
        'a rule whose violations are only warnings: `rule`, `rule at operationId` or `rule at Type.field`; repeatable',
        accumulate,
        [],
      )
      // An earlier name of `--except operation:ID`.
      .addOption(new Option('--skip <id>').hideHelp().argParser<readonly string[]>(accumulate))
      .option(
        '--protect <resource>',
        'a path that is only read, with all paths below it, or an id that is sent to no mutation; repeatable',
        accumulate,
        [],
      )
      .option('--har <file>', 'write what was sent and answered as an HTTP Archive, without secrets')
      .action((url: string | undefined, options: ReadsApis<VerifyCommandOptions> & WholeOptions) =>
        verifyServers(terminal, url, options),
      )
  );
}

/** @throws CommandFailure when there is a violation or an unverified operation, or the options are wrong */
async function verifyServers(
  terminal: Terminal,
  given: string | undefined,
  { apis, format, har: file }: ReadsApis<VerifyCommandOptions> & WholeOptions,
): Promise<void> {
  const { verifyContracts } = await import('../verify/verify-contracts.js');
  const { RULES, verifyFindings, verifySummary, verifyText } = await import('../verify/run/verify-report.js');
  const { withoutPasswords } = await import('@concordat/runtime/observe');
  const servers = (await apis()).map(({ name, options }) => {
    const at = about(name);
    const url = addressOf('verify', name, given ?? options.url, withoutPasswords);
    if (options.requests === 0 || options.seconds === 0)
      throw usageFailure(`${at}--requests and --seconds must be at least 1: nothing would be verified.`);
    const unknown = options.warn.find((each) => !Object.hasOwn(RULES, each.replace(/ at .*/, '')));
    if (unknown !== undefined)
      throw usageFailure(`${at}${unknown} is not a rule. The rules are ${Object.keys(RULES).join(', ')}.`);
    const credentials = valuesOf(`${at}credentials`, options.credential, terminal.env);
    const headers = valuesOf(`${at}headers`, options.header, terminal.env);
    return { name, url, options, credentials, headers };
  });
  if (file !== undefined) requireWritable(file, '--har: ');
  const har = file === undefined ? undefined : new (await import('../verify/run/har.js')).HarLog();
  const reports = [];
  for (const { name, options, ...server } of servers) {
    const value = await verifyContracts({
      ...options,
      except: [...(options.except ?? []), ...(options.skip ?? []).map((id) => `operation:${id}`)],
      ...contractsOf(options),
      ...server,
      seed: options.seed ?? Math.floor(Math.random() * 1_000_000),
      allowOrigins: options.allowOrigin,
      har,
      compiling: progressLine('Compiling checks'),
      progress: progressLine('Sending requests'),
    }).catch(refusedFor(name));
    const cases = value.operations.map((each) => each.name);
    reports.push({ name, value, cases, findings: verifyFindings(value), summary: verifySummary(value) });
    if (format === 'text') print(terminal, about(name) + verifyText(value, hasColours(terminal)));
  }
  if (file !== undefined) writeFileSync(file, har?.text ?? '');
  if (format !== 'text') await printReports(terminal, format, 'concordat verify', reports);
  const all = reports.map(({ value }) => value);
  const count = all.flatMap(({ violations }) => violations.filter(({ isWarning }) => !isWarning)).length;
  if (count > 0) throw new CommandFailure(`${counted(count, 'violation')}.`);
  const { length } = all.flatMap(({ unverified }) => unverified);
  if (length > 0) {
    const subject = counted(length, 'operation was', 'operations were');
    throw new CommandFailure(`${subject} not verified: a credential is missing.`, exitCodes.undecided);
  }
}

/** Values by name, with those of environment variables. @throws CommandFailure for a variable that is not set */
function valuesOf(what: string, values: Values, env: Terminal['env']): Readonly<Record<string, string>> {
  const found = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value : env[value.env];
    if (text !== undefined) return [name, text] as const;
    const variable = typeof value === 'string' ? '' : value.env;
    throw usageFailure(`${what}.${name}: the environment variable ${variable} is not set.`);
  });
  return Object.fromEntries(found);
}

function namedValue(
  text: string,
  others: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be name=value.');
  return { ...others, [name]: value };
}
