/** Starts a project from its contracts, or adds missing parts after the contracts have changed. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { type GraphQLSchema, isObjectType } from 'graphql';
import ts from 'typescript';
import type { CodegenOptions } from '../generator/config-keys.js';
import { generateFrom } from '../generator/generate.js';
import { readSchema } from '../generator/graphql/read-schema.js';
import type { SchemaFiles } from '../generator/graphql/resolver-options.js';
import { shellWords, stringLiteral } from '../text/code.js';
import { Verbatim } from '../text/literal.js';
import { acceptancesOf } from '../contract/problems/features.js';
import type { LoadOptions } from '../contract/load/load.js';
import type { ContractModel } from '../contract/model/model.js';
import { CommandFailure, progressLine } from '@concordat/runtime/terminal';
import { filesToWrite } from '../generator/generated-files.js';
import {
  type NamedContracts,
  configTemplate,
  contractsOf,
  withModels,
  guideTemplate,
  writeExamples,
  writeValues,
} from './contracts.js';
import { addParts } from './parts.js';
import { modelsTemplate, resolverParts } from './resolver-parts.js';
import {
  encodedTypes,
  engineTemplate,
  operationParts,
  readModel,
  restTestTemplate,
  securityParts,
} from './rest-parts.js';
import { type Host, type Served, isCommonJs, mergeManifest, packagesOf, serverTemplate } from './manifest.js';
import { type PackageManager, missingSettings, packageManager, slashed } from './package-sources.js';
import { Project, type Template, type TemplateValues } from './project.js';

interface InitOptions extends NamedContracts {
  readonly host: Host;
  readonly version: string;
  /** The specifiers of packed packages, by name. */
  readonly packed?: Readonly<Record<string, string>> | undefined;
}

interface InitResult extends Pick<Project, 'written' | 'notes'> {
  readonly manager: PackageManager['name'];
}

/**
 * Writes the files that the project in the working directory lacks. The user's files are never replaced: lists of handlers and resolvers
 * gain lines, and `package.json` gains missing entries.
 *
 * @throws ContractError when a contract has problems; CommandFailure when the project cannot be extended
 */
export async function init(options: InitOptions): Promise<InitResult> {
  const given = contractsOf(options);
  const served = await servedBy(given);
  const before = existsSync('package.json') ? await readFile('package.json', 'utf8') : undefined;
  const manager = packageManager();
  const project = new Project(given.out, { COMMONJS: isCommonJs(before), ...managerValues(manager) });
  if (before?.includes('"@concordat/codegen"') === true) project.notes.push(NEW_NAMES);
  const { version, packed } = options;
  const needs = { version, packed, ...packagesOf(options.host, served) };
  const manifest = mergeManifest(before, packageName(), needs);
  if (Object.keys(options.named).length === 0) await writeExamples(project, given);
  const schema = await schemaOf(given);
  const contracts = options.configured === undefined ? withModels(given, schema) : given;
  const { files } = await generateFrom(contracts, progressLine('Compiling checks'));
  const rest = contracts.openapi === undefined ? undefined : await readModel(contracts.openapi, contracts);
  if (rest?.hasRecords === true && !existsSync('src/rest/operations.ts')) throw new CommandFailure(OF_CORE);
  for (const name of await filesToWrite(contracts.out, files))
    await project.replace(join(contracts.out, name), files[name] ?? '');
  const { prefix = '' } = rest ?? {};
  if (contracts.openapi !== undefined && rest !== undefined)
    await addRest(project, rest.contract, contracts.openapi, contracts);
  if (contracts.schema !== undefined && schema !== undefined) {
    await project.create('src/graphql/context.ts', typesOf('src/graphql/context.ts', contracts.schema));
    if (contracts !== given)
      await project.create('src/graphql/models.ts', modelsTemplate(schema, files['graphql.ts'] ?? ''));
    await addParts(project, resolverParts(schema, join(contracts.out, 'graphql.ts')));
    const CONSTRAINTS = 'constraints.ts' in files;
    const file = 'src/graphql/endpoint.ts';
    const endpoint = await project.create(file, { file, values: { CONSTRAINTS } });
    if (CONSTRAINTS && !endpoint.includes('constraints'))
      project.notes.push(`${file} does not give the engine the constraints of the schema`);
    if (served.subscriptions) await project.create('src/graphql/sockets.ts');
    await project.create('test/graphql.test.ts');
  }
  await writeValues(project, contracts);
  await addServer(project, served, prefix, options.host);
  await project.create('AGENTS.md', guideTemplate(contracts, prefix));
  await project.create('codegen.ts', configTemplate(contracts));
  await addSettings(project, slashed(relative('.', contracts.out)), manager, before);
  if (manifest !== undefined) await project.replace('package.json', manifest);
  project.notes.push(...missingSettings(manager, packed));
  const { written, notes } = project;
  return { written, notes, manager: manager.name };
}

/**
 * The files beside the code that compilers, git, containers and formatters read.
 *
 * @param out - the folder of the generated files, from here
 * @param before - the text of package.json; undefined for a new project
 */
async function addSettings(
  project: Project,
  out: string,
  { root }: PackageManager,
  before: string | undefined,
): Promise<void> {
  if (existsSync('tsconfig.json')) project.notes.push(...tsconfigNotes(isCommonJs(before)));
  const values = { OUT: new Verbatim(stringLiteral(out)) };
  await project.create('tsconfig.json', { file: 'tsconfig.json', values });
  await project.create('tsconfig.build.json');
  await project.create('.gitignore', { file: 'gitignore' });
  if (!existsSync('.prettierignore')) await project.replace('.prettierignore', `${out}/\n`);
  const pattern = /[\s"]/.test(out) ? JSON.stringify(`${out}/**`) : `${out}/**`;
  const attributes = (await project.read('.gitattributes')) ?? '';
  if (!attributes.includes(pattern)) {
    const start = attributes.replace(/(?<=[^\n])$/, '\n');
    await project.replace('.gitattributes', `${start}${pattern} linguist-generated\n`);
  }
  await project.create('Containerfile');
  const ignored = root === resolve('.') ? '.dockerignore' : 'Containerfile.dockerignore';
  await project.create(ignored, { file: 'dockerignore' });
  // The settings of an existing project may be in other files.
  if (before === undefined) await project.create('.prettierrc.json', { file: 'prettierrc.json' });
}

/** The placeholders of templates for the commands of the package manager, and for the folder of the project in its workspace. */
function managerValues({ name, root }: PackageManager): TemplateValues {
  const PNPM = name === 'pnpm';
  const folder = slashed(relative(root, '.'));
  return {
    PNPM,
    NPM: new Verbatim(shellWords(name)),
    NPX: new Verbatim(PNPM ? shellWords('pnpm', 'exec') : shellWords('npx')),
    FOLDER: folder !== '' && new Verbatim(shellWords(folder)),
  };
}

/** A sentence for each setting that the tsconfig.json of an existing project should have and does not. */
function tsconfigNotes(isCommon: boolean): readonly string[] {
  const { config } = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file)) as {
    config?: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config ?? {}, ts.sys, '.');
  const { module = ts.ModuleKind.None, moduleResolution, verbatimModuleSyntax = false } = options;
  const isOld =
    moduleResolution === undefined
      ? module < ts.ModuleKind.Node16
      : moduleResolution < ts.ModuleResolutionKind.Node16;
  const exportsNote = 'tsconfig.json does not read the "exports" of packages: set "module" to "nodenext"';
  const syntaxNote =
    'tsconfig.json has "verbatimModuleSyntax", under which a CommonJS file has no import: set it to false';
  return [...(isOld ? [exportsNote] : []), ...(isCommon && verbatimModuleSyntax ? [syntaxNote] : [])];
}

const NEW_NAMES =
  'package.json lists @concordat/codegen: the packages have new names, which the change log of concordat lists under "New names of the packages"';

const OF_CORE =
  'the contract extends that of @concordat/core, which has the handlers of its operations: generate the code with concordat generate, and write yours as the guide shows that concordat docs extend prints';

async function servedBy(contracts: CodegenOptions): Promise<Served> {
  const schema = await schemaOf(contracts);
  return {
    rest: contracts.openapi !== undefined,
    graphql: contracts.schema !== undefined,
    subscriptions: isObjectType(schema?.getSubscriptionType()),
  };
}

/** Undefined for a schema with problems, which are reported with those of the other contract where the code is generated. */
async function schemaOf(contracts: CodegenOptions): Promise<GraphQLSchema | undefined> {
  if (contracts.schema === undefined) return undefined;
  return await readSchema(contracts.schema, acceptancesOf(contracts).schema).catch(() => undefined);
}

async function addRest(
  project: Project,
  contract: ContractModel,
  openapi: string,
  options: LoadOptions,
): Promise<void> {
  await project.create('src/rest/handlers.ts', typesOf('src/rest/handlers.ts', openapi));
  await addParts(project, operationParts(contract));
  await addParts(project, securityParts(contract));
  const engine = await project.create('src/rest/engine.ts', engineTemplate(contract));
  for (const type of encodedTypes(contract).filter((each) => !engine.includes(each)))
    project.notes.push(`src/rest/engine.ts has no encoder for ${type}`);
  await project.create('test/rest.test.ts', restTestTemplate(contract, openapi, options));
}

/** The file with the types of a contract's functions. */
function typesOf(file: string, contract: SchemaFiles): Template {
  const names = [contract].flat().map((each) => basename(each));
  return { file, values: { CONTRACT: names.join(' and ') } };
}

async function addServer(project: Project, served: Served, prefix: string, host: Host): Promise<void> {
  const isNew = (await project.read('src/server.ts')) === undefined;
  const server = await project.create('src/server.ts', serverTemplate(host, served, prefix));
  if (isNew) await project.create('src/stop.ts');
  const parts = [
    [served.rest, 'engine', 'serve the engine of src/rest/engine.ts'],
    [served.rest, prefix, `have the prefix ${prefix} of the contract's servers`],
    [served.graphql, 'endpoint', 'serve the endpoint of src/graphql/endpoint.ts'],
    [served.subscriptions, 'sockets', 'serve the WebSockets of src/graphql/sockets.ts'],
  ] as const;
  for (const [isServed, name, what] of parts)
    if (isServed && !server.includes(name)) project.notes.push(`src/server.ts does not ${what}`);
}

/** The name of the folder, without the characters that npm does not allow. */
function packageName(): string {
  const name = basename(resolve('.'))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'service' : name;
}
