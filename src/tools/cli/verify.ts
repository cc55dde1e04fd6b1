/** `concordat verify`: checks a running server against its contract. */

import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import {
  CommandFailure,
  type ReportFormat,
  type Terminal,
  examples,
  exitCodes,
  hasColours,
  print,
  printJson,
  printReport,
} from '@concordat/runtime/terminal';
import { accumulate, allowOriginOption, formatOptions, wholeNumber } from 'concordat/options';

interface VerifyCommandOptions {
  readonly openapi?: string;
  readonly schema?: readonly string[];
  readonly graphqlPath: string;
  readonly credential: Readonly<Record<string, string>>;
  readonly header: Readonly<Record<string, string>>;
  readonly seed?: number;
  readonly requests: number;
  readonly seconds: number;
  readonly warn: readonly string[];
  readonly skip: readonly string[];
  readonly protect: readonly string[];
  readonly format: ReportFormat;
  readonly allowOrigin?: readonly string[];
}

const EXIT_CODES = `
Exit codes:
  0    no violation, or warnings only
  1    there is a violation
  2    the contract cannot be read, no server answers, or the command line is not valid
  3    no violation, but operations were not verified, because a credential is missing`;

export function verifyCommand(terminal: Terminal): Command {
  const [format, json] = formatOptions('the report');
  return new Command('verify')
    .summary('report where a running server differs from its contract')
    .description(
      'Sends valid requests, requests at the edges of the schemas and broken ones to every operation of an OpenAPI document, of a GraphQL schema, or of both, and checks each answer. It creates, changes and deletes records: name a server that you started for this purpose.',
    )
    .argument('<url>', 'the address of the server, to which the paths of the document are added')
    .option('--openapi <file>', 'the document (default: openapi.yaml if it exists, unless a schema is named)')
    .option(
      '--schema <file>',
      'the schema (default: schema.graphql if it exists, unless a document is named); repeatable, for files that extend it',
      accumulate,
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
    .option(
      '--skip <operation>',
      'an operation to which no request is sent, by its operationId or as Query.field; repeatable',
      accumulate,
      [],
    )
    .option(
      '--protect <resource>',
      'a path that is only read, with all paths below it, or an id that is sent to no mutation; repeatable',
      accumulate,
      [],
    )
    .addOption(allowOriginOption())
    .addOption(format)
    .addOption(json)
    .addHelpText('after', EXIT_CODES)
    .addHelpText(
      'after',
      examples(
        'concordat verify http://localhost:3000',
        'concordat verify http://localhost:3000 --credential bearerAuth="$TOKEN" --seconds 20',
        'concordat verify http://localhost:3000 --schema schema.graphql --header authorization="Bearer $TOKEN"',
        "concordat verify http://localhost:3000 --seed 7 --warn 'valid-refused at listUsers'",
      ),
    )
    .action((url: string, options: VerifyCommandOptions) => verifyServer(terminal, url, options));
}

/** @throws CommandFailure when there is a violation or an unverified operation, or the options are wrong */
async function verifyServer(terminal: Terminal, url: string, options: VerifyCommandOptions): Promise<void> {
  const { verifyContracts } = await import('../verify/verify-contracts.js');
  const { RULES, verifyFindings, verifyText } = await import('../verify/run/verify-report.js');
  const { progressLine } = await import('concordat/contract');
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    throw new CommandFailure(`${url} is not an address such as http://localhost:3000.`, exitCodes.usage);
  }
  const unknown = options.warn.find((each) => !Object.hasOwn(RULES, each.replace(/ at .*/, '')));
  if (unknown !== undefined) {
    const names = Object.keys(RULES).join(', ');
    throw new CommandFailure(`${unknown} is not a rule. The rules are ${names}.`, exitCodes.usage);
  }
  const report = await verifyContracts({
    ...options,
    ...contractsOf(options),
    seed: options.seed ?? Math.floor(Math.random() * 1_000_000),
    url,
    allowOrigins: options.allowOrigin,
    credentials: options.credential,
    headers: options.header,
    compiling: progressLine('Compiling checks'),
    progress: progressLine('Sending requests'),
  }).catch((error: unknown) => {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), exitCodes.usage);
  });
  if (options.format === 'json') printJson(terminal, report);
  else if (options.format === 'text') print(terminal, verifyText(report, hasColours(terminal)));
  else {
    const cases = report.operations.map(({ name }) => name);
    const findings = verifyFindings(report);
    printReport(terminal, options.format, { command: 'concordat verify', cases, findings });
  }
  const count = report.violations.filter(({ isWarning }) => !isWarning).length;
  if (count > 0) throw new CommandFailure(count === 1 ? '1 violation.' : `${String(count)} violations.`);
  const { length } = report.unverified;
  if (length > 0) {
    const subject = length === 1 ? '1 operation was' : `${String(length)} operations were`;
    throw new CommandFailure(`${subject} not verified: a credential is missing.`, exitCodes.undecided);
  }
}

/** The default contracts that exist, unless the options name a contract. */
function contractsOf({
  openapi,
  schema,
}: VerifyCommandOptions): Pick<VerifyCommandOptions, 'openapi' | 'schema'> {
  if (openapi !== undefined || schema !== undefined) return {};
  const hasSchema = existsSync('schema.graphql');
  return {
    ...((!hasSchema || existsSync('openapi.yaml')) && { openapi: 'openapi.yaml' }),
    ...(hasSchema && { schema: ['schema.graphql'] }),
  };
}

function namedValue(
  text: string,
  others: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be name=value.');
  return { ...others, [name]: value };
}
