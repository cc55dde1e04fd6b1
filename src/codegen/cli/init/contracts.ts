/** The contracts of a project: those that the command names, those of its `codegen.ts`, those in its folder, or examples. */

import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { CommandFailure, exitCodes } from 'concordat/terminal';
import type { CodegenOptions } from '../../config.js';
import { singleQuoted } from '../../text/code.js';
import { Verbatim, literal } from '../../text/literal.js';
import { type ContractOptions, readOptions } from '../generator/contract-options.js';
import type { Project } from './project.js';
import type { Template } from './template.js';

export interface NamedContracts extends Pick<
  ContractOptions,
  'accept' | 'lenient' | 'formats' | 'allowOrigin'
> {
  readonly contracts: readonly string[];
}

const CONFIG = 'codegen.ts';
const SDL = /\.(?:graphqls?|gql)$/i;

/** @throws CommandFailure when the command names other contracts than an existing `codegen.ts` */
export async function contractsOf({
  contracts,
  accept,
  lenient,
  formats,
  allowOrigin,
}: NamedContracts): Promise<CodegenOptions> {
  const schemas = contracts.filter((file) => SDL.test(file));
  const documents = contracts.filter((file) => !SDL.test(file));
  if (schemas.length > 1 || documents.length > 1) {
    throw new CommandFailure('name one OpenAPI document, one GraphQL schema, or both', exitCodes.usage);
  }
  const [openapi, schema] = [documents[0], schemas[0]].map((file) => file && fromHere(file));
  if (existsSync(CONFIG)) {
    const options = await readOptions({ ...(allowOrigin && { allowOrigin }) });
    const differs = (given: string | undefined, own: string | undefined) =>
      given !== undefined && (own === undefined || fromHere(own) !== given);
    if (
      differs(openapi, options.openapi) ||
      differs(schema, options.schema) ||
      (accept ?? lenient ?? formats)
    ) {
      throw new CommandFailure(
        `${CONFIG} says what is generated: change it there, and run init without options`,
      );
    }
    return options;
  }
  const found =
    contracts.length > 0
      ? { openapi, schema }
      : {
          openapi: present('openapi.yaml', 'openapi.yml', 'openapi.json'),
          schema: present('schema.graphql'),
        };
  const isEmpty = found.openapi === undefined && found.schema === undefined;
  return {
    ...((found.openapi ?? isEmpty) && { openapi: found.openapi ?? 'openapi.yaml' }),
    ...((found.schema ?? isEmpty) && { schema: found.schema ?? 'schema.graphql' }),
    ...(accept && { accept }),
    ...(lenient && { lenient }),
    ...(formats && { formats }),
    ...(allowOrigin && { allowOrigins: allowOrigin }),
    out: 'generated',
  };
}

/** Writes an example for each contract whose file does not exist. */
export async function writeExamples(project: Project, { openapi, schema }: CodegenOptions): Promise<void> {
  if (openapi !== undefined) await project.create(openapi, { file: 'openapi.yaml' });
  if (schema !== undefined) await project.create(schema, { file: 'schema.graphql' });
}

/** `codegen.ts`, with the options of the first run. */
export function configTemplate(contracts: CodegenOptions): Template {
  const { openapi, schema, accept, allowOrigins, lenient, formats, out } = contracts;
  const code = (text: string | undefined) =>
    text === undefined ? undefined : new Verbatim(singleQuoted(text));
  const options = {
    openapi: code(openapi),
    schema: code(schema),
    accept: accept?.map(code),
    allowOrigins: allowOrigins?.map(code),
    lenient,
    formats: code(formats),
    out: code(out),
  };
  return { file: 'codegen.ts', values: { OPTIONS: new Verbatim(literal(options, 0, 29)) } };
}

/** A path relative to the working directory, with `/` on every system. */
function fromHere(file: string): string {
  return relative('.', resolve(file)).split(sep).join('/');
}

function present(...files: readonly string[]): string | undefined {
  return files.find((file) => existsSync(file));
}
