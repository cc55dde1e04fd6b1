/** The command-line options that the commands of both packages share, in the source-only entry point `concordat/options`. */

import { InvalidArgumentError, Option } from 'commander';
import { CommandFailure, exitCodes, reportFormats } from '@concordat/runtime/terminal';
import { originOf } from '../contract/load/web-addresses.js';
import type { SchemaFiles } from '../generator/graphql/resolver-options.js';

/** `--allow-origin`, of every command that reads a document. */
export function allowOriginOption(): Option {
  return new Option(
    '--allow-origin <origin>',
    'an origin from which documents of a $ref are fetched; may be repeated',
  ).argParser((given: string, before?: readonly string[]) => {
    const origin = originOf(given);
    if (origin === undefined)
      throw new InvalidArgumentError('It must be an origin such as https://example.com.');
    return accumulate(origin, before);
  });
}

/** `--format` and `--json`, of every command that makes a report. @param json - the members of the JSON */
export function formatOptions(json: string): readonly [Option, Option] {
  return [
    new Option('--format <format>', 'the form of the report').choices(reportFormats).default('text'),
    new Option('--json', `print ${json} as JSON, as --format json does`).implies({ format: 'json' }),
  ];
}

/** Collects the values of an option that may be repeated. */
export function accumulate(feature: string, before: readonly string[] = []): readonly string[] {
  return [...before, feature];
}

const SDL = /\.(?:graphqls?|gql)$/i;

/** The contracts among files; the ending of a file shows which kind it is. @throws CommandFailure for two documents */
export function contractsAmong(files: readonly string[]): {
  readonly openapi?: string;
  readonly schema?: SchemaFiles;
} {
  const schemas = files.filter((file) => SDL.test(file));
  const schema = schemas.length === 1 ? schemas[0] : schemas;
  const [openapi, ...documents] = files.filter((file) => !SDL.test(file));
  if (documents.length > 0) {
    throw new CommandFailure('name one OpenAPI document, one GraphQL schema, or both', exitCodes.usage);
  }
  return { ...(openapi !== undefined && { openapi }), ...(schemas.length > 0 && { schema }) };
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
