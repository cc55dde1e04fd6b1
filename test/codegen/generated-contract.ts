/** Generates contracts into a temporary directory, and starts engines on them. */

import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CodegenOptions } from 'concordat';
import type { Encoder, ResponseChecks, RestContract, RestEngine, SecurityHandler } from '@concordat/runtime';
import { generatedFiles } from '../support/generated-files.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** An empty ESM package that finds the packages of this one. Remove it with {@link removeDirectory}. */
export async function temporaryPackage(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-'));
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }\n');
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/** Generates contracts into a directory. */
export async function runCodegen({ out, ...contracts }: CodegenOptions): Promise<void> {
  const files = await generatedFiles(contracts);
  for (const [name, text] of Object.entries(files)) await writeFile(join(out, name), text);
}

/** What a service brings, as loosely as tests want it. */
export interface Service {
  readonly operations: Readonly<Record<string, unknown>>;
  readonly security?: Readonly<Record<string, SecurityHandler<string>>>;
  readonly encoders?: Readonly<Record<string, Encoder>>;
  /** Called with every error that the engine masks. */
  readonly report?: (error: unknown) => void;
}

/** A generated contract, loaded. */
export interface GeneratedContract {
  readonly contract: RestContract;
  readonly responseChecks: ResponseChecks;
  /** Starts an engine; callers are texts, `nobody` without a credential. */
  readonly start: (service: Service) => RestEngine<string>;
}

/**
 * A module that hands a generated contract to an engine with its generated types: it compiles only where they fit the
 * engine's, and it is what {@link loadContract} runs.
 */
const STARTER = `import * as responseChecks from './response-validators.js';
import type { Operations, SecuritySchemeName } from './operations.js';
import { contract } from './routing.js';
import {
  type CallContext,
  type Encoder,
  type RestEngine,
  type SecurityHandler,
  restEngine,
} from '@concordat/runtime';

export interface Service {
  readonly operations: Operations<CallContext<string>>;
  readonly security?: Readonly<Record<SecuritySchemeName, SecurityHandler<string>>>;
  readonly encoders?: Readonly<Record<string, Encoder>>;
  readonly report?: (error: unknown) => void;
}

export function start({ operations, security, encoders = {}, report = console.error }: Service): RestEngine<string> {
  return restEngine({
    contract,
    operations,
    security: security ?? ({} as Record<SecuritySchemeName, SecurityHandler<string>>),
    encoders,
    anonymous: 'nobody',
    checkResponses: responseChecks,
    report,
  });
}

export { contract, responseChecks };
`;

/** Writes what {@link loadContract} loads beside the generated files. */
export async function writeStarter(directory: string): Promise<void> {
  await writeFile(join(directory, 'starter.ts'), STARTER);
}

/** A module that uses what is generated from a GraphQL schema; it compiles only where resolvers can be written. */
export async function writeResolvers(directory: string): Promise<void> {
  const text = `import type { Resolvers } from './graphql.js';
import { typeDefs } from './schema.js';

export const types = (resolvers: Resolvers): (keyof Resolvers)[] => Object.keys(resolvers) as (keyof Resolvers)[];
export const sdl: string = typeDefs;
`;
  await writeFile(join(directory, 'resolvers.ts'), text);
}

/** Loads the files that were generated into a directory. */
export async function loadContract(directory: string): Promise<GeneratedContract> {
  return (await import(pathToFileURL(join(directory, 'starter.ts')).href)) as GeneratedContract;
}

/** Generates a contract into a directory, and loads it. */
export async function generateContract(
  directory: string,
  options: Omit<CodegenOptions, 'out'>,
): Promise<GeneratedContract> {
  await runCodegen({ ...options, out: directory });
  await writeStarter(directory);
  return loadContract(directory);
}
