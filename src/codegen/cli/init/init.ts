/** Starts a project from its contracts, or adds what it lacks after they have changed. */

import { basename, join, resolve } from 'node:path';
import type { CodegenOptions } from '../../config.js';
import { generateFrom } from '../../generate.js';
import { progressLine } from '../../progress-line.js';
import { staleFiles } from '../generator/output.js';
import { type NamedContracts, configFile, contractsOf, writeExamples } from './contracts.js';
import { endpointFile, graphqlTest, resolverParts, resolverTypes } from './graphql-parts.js';
import { mergeManifest } from './manifest.js';
import { Project } from './project.js';
import {
  encodedTypes,
  engineFile,
  handlerTypes,
  operationParts,
  readModel,
  restTest,
  securityParts,
} from './rest-parts.js';
import { type Host, packagesOf, serverFile } from './servers.js';

export interface InitOptions extends NamedContracts {
  readonly host: Host;
  readonly version: string;
}

export type InitResult = Pick<Project, 'written' | 'notes'>;

/**
 * Writes the files that the project in the working directory lacks. No file of a person is replaced: lists of handlers and
 * resolvers gain lines, and `package.json` gains what it does not have.
 *
 * @throws ContractError when a contract cannot be generated from; CommandFailure when the project is not one to add to
 */
export async function init(options: InitOptions): Promise<InitResult> {
  const contracts = await contractsOf(options);
  const project = new Project(contracts.out);
  const manifest = await newManifest(project, contracts, options);
  if (options.contracts.length === 0) await writeExamples(project, contracts);
  const { files } = await generateFrom(contracts, progressLine('Compiling checks'));
  for (const name of await staleFiles(contracts.out, files)) {
    await project.replace(join(contracts.out, name), files[name] ?? '');
  }
  if (contracts.openapi !== undefined) await addRest(project, contracts.openapi);
  if (contracts.schema !== undefined) {
    const types = { path: join(contracts.out, 'graphql.ts'), text: files['graphql.ts'] ?? '' };
    await addGraphql(project, contracts.schema, types);
  }
  await addServer(project, contracts, options.host);
  await project.create('codegen.ts', configFile(contracts));
  await project.create('tsconfig.json', TSCONFIG);
  await project.create('tsconfig.build.json', TSCONFIG_BUILD);
  await project.create('.gitignore', 'node_modules/\ndist/\n');
  if (manifest !== undefined) await project.replace('package.json', manifest);
  return project;
}

function newManifest(project: Project, { schema, out }: CodegenOptions, { host, version }: InitOptions) {
  const { dependencies, devDependencies } = packagesOf(host);
  const graphql = schema === undefined ? [] : ['graphql', '@graphql-tools/schema'];
  const needs = { version, out, dependencies: [...dependencies, ...graphql], devDependencies };
  return project.read('package.json').then((text) => mergeManifest(text, packageName(), needs));
}

async function addRest(project: Project, openapi: string): Promise<void> {
  const contract = await readModel(openapi);
  await project.create('src/rest/handlers.ts', handlerTypes(openapi));
  await project.addParts(operationParts(contract));
  await project.addParts(securityParts(contract));
  const engine = await project.create('src/rest/engine.ts', engineFile(contract));
  for (const type of encodedTypes(contract).filter((each) => !engine.includes(each))) {
    project.notes.push(`src/rest/engine.ts has no encoder for ${type}`);
  }
  await project.create('test/rest.test.ts', restTest);
}

async function addGraphql(
  project: Project,
  schema: string,
  types: { path: string; text: string },
): Promise<void> {
  await project.create('src/graphql/context.ts', resolverTypes(schema));
  await project.addParts(await resolverParts(schema, types));
  await project.create('src/graphql/endpoint.ts', endpointFile);
  await project.create('test/graphql.test.ts', graphqlTest);
}

async function addServer(project: Project, { openapi, schema }: CodegenOptions, host: Host): Promise<void> {
  const served = { rest: openapi !== undefined, graphql: schema !== undefined };
  const server = await project.create('src/server.ts', serverFile(host, served));
  if (served.rest && !server.includes('engine')) {
    project.notes.push('src/server.ts does not serve the engine of src/rest/engine.ts');
  }
  if (served.graphql && !server.includes('endpoint')) {
    project.notes.push('src/server.ts does not serve the endpoint of src/graphql/endpoint.ts');
  }
}

/** The name of the folder, as far as npm allows it. */
function packageName(): string {
  const name = basename(resolve('.'))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'service' : name;
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023"],
    "module": "nodenext",
    "rootDir": ".",
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noUncheckedIndexedAccess": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true,
    "types": ["node"],
    "noEmit": true
  },
  "include": ["src", "test", "codegen.ts"]
}
`;

const TSCONFIG_BUILD = `{
  "extends": "./tsconfig.json",
  "compilerOptions": { "noEmit": false, "outDir": "dist" },
  "include": ["src"]
}
`;
