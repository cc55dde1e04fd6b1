/** The contracts of a project: those that the command names, those of its `codegen.ts`, those in its folder, or examples. */

import type { GraphQLSchema } from 'graphql';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { CommandFailure } from '@concordat/runtime/terminal';
import type { CodegenOptions } from '../generator/config-keys.js';
import type { SchemaFiles } from '../generator/graphql/resolver-options.js';
import { shellWords, singleQuoted } from '../text/code.js';
import { Verbatim, literal } from '../text/literal.js';
import { slashed } from './package-sources.js';
import { modelsOf } from './resolver-parts.js';
import type { Project, Template } from './project.js';

/** The contracts that a command names, and the other options of the generator. */
export interface NamedContracts {
  /** The options of the project's `codegen.ts`, if it has one. */
  readonly configured: CodegenOptions | undefined;
  readonly named: Pick<CodegenOptions, 'openapi' | 'schema'>;
  readonly options: Omit<CodegenOptions, 'openapi' | 'schema' | 'out'>;
}

/** @throws CommandFailure when the command names other contracts than an existing `codegen.ts` */
export function contractsOf({ configured, named, options }: NamedContracts): CodegenOptions {
  const openapi = named.openapi && fromHere(named.openapi);
  const schema = named.schema && filesFromHere(named.schema);
  if (configured !== undefined) {
    const differs = (given: SchemaFiles | undefined, own: SchemaFiles = '') =>
      given !== undefined && String(given) !== String(filesFromHere(own));
    const isOther = differs(openapi, configured.openapi) || differs(schema, configured.schema);
    if (isOther || Object.keys(options).some((name) => name !== 'allowOrigins')) {
      throw new CommandFailure(
        'codegen.ts has the options of the generator: change them there, and run init without options',
      );
    }
    return configured;
  }
  const found =
    openapi !== undefined || schema !== undefined
      ? { openapi, schema }
      : {
          openapi: present('openapi.yaml', 'openapi.yml', 'openapi.json'),
          schema: present('schema.graphql'),
        };
  const isEmpty = found.openapi === undefined && found.schema === undefined;
  return {
    ...((found.openapi ?? isEmpty) && { openapi: found.openapi ?? 'openapi.yaml' }),
    ...((found.schema ?? isEmpty) && { schema: found.schema ?? 'schema.graphql' }),
    ...options,
    out: 'generated',
  };
}

/** Writes an example for each contract whose file does not exist. */
export async function writeExamples(project: Project, { openapi, schema }: CodegenOptions): Promise<void> {
  if (openapi !== undefined) await project.create(openapi, { file: 'openapi.yaml' });
  if (typeof schema === 'string') await project.create(schema, { file: 'schema.graphql' });
}

/** `codegen.ts`, with the options of the first run. */
export function configTemplate(contracts: CodegenOptions): Template {
  return { file: 'codegen.ts', values: { OPTIONS: quotedLiteral(contracts, 29) } };
}

/** A value as the code of a project writes it. @param column - where it starts in its line */
export function quotedLiteral(value: unknown, column: number): Verbatim {
  const quoted = (inner: unknown): unknown => {
    if (typeof inner === 'string') return new Verbatim(singleQuoted(inner));
    if (Array.isArray(inner)) return inner.map(quoted);
    if (typeof inner !== 'object' || inner === null || inner instanceof Verbatim) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, quoted(each)]));
  };
  return new Verbatim(literal(quoted(value), 0, column));
}

/** The contracts, with the models of a schema in the options of its resolvers. */
export function withModels(contracts: CodegenOptions, schema: GraphQLSchema | undefined): CodegenOptions {
  const models = schema === undefined ? [] : [...modelsOf(schema)];
  if (models.length === 0) return contracts;
  const mappers = models.map(([{ name }, model]) => [name, `../src/graphql/models.js#${model}`]);
  return {
    ...contracts,
    resolvers: { mappers: Object.fromEntries(mappers) as Readonly<Record<string, string>> },
  };
}

/** Writes a module for each type of the team's own that `codegen.ts` looks for in `src/values`. */
export async function writeValues(project: Project, { values = {} }: CodegenOptions): Promise<void> {
  for (const type of Object.values(values)) {
    const [, file] = (typeof type !== 'string' && /^\.\.\/(src\/values\/.+)\.js$/.exec(type.from)) || [];
    if (typeof type === 'string' || file === undefined) continue;
    await project.create(`${file}.ts`, { file: 'src/values/value.ts', values: { NAME: type.type } });
  }
}

/** The page for developers who use a coding assistant. @param prefix - the path at which the REST contract is served */
export function guideTemplate({ openapi, schema, resolvers }: CodegenOptions, prefix: string): Template {
  const schemas = [schema ?? []].flat();
  const [first = ''] = schemas;
  const words = (...all: readonly string[]) => new Verbatim(shellWords(...all));
  const values = {
    REST: openapi !== undefined && words(`http://127.0.0.1:3000${prefix}`, '--openapi', openapi),
    CHANGED: words(`HEAD:${openapi ?? ''}`, openapi ?? ''),
    GRAPHQL:
      schema !== undefined &&
      words('http://127.0.0.1:3000', ...schemas.flatMap((each) => ['--schema', each])),
    MODELS: resolvers?.mappers !== undefined,
    EVOLVED: words(`HEAD:${first}`, first),
  };
  return { file: 'AGENTS.md', values };
}

/** A path relative to the working directory. */
export function fromHere(file: string): string {
  return slashed(relative('.', resolve(file)));
}

function filesFromHere(files: SchemaFiles): SchemaFiles {
  return typeof files === 'string' ? fromHere(files) : files.map(fromHere);
}

function present(...files: readonly string[]): string | undefined {
  return files.find((file) => existsSync(file));
}
