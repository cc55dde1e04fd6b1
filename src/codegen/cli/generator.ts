/** Runs the generator as graphql-codegen does, with or without a configuration file. */

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import { CodegenContext, generate, loadCodegenConfig } from '@graphql-codegen/cli';
import type { Types } from '@graphql-codegen/plugin-helpers';
import { codegenConfig } from '../index.js';
import { CommandFailure, exitCodes } from 'concordat/terminal';
import type { ContractOptions } from './commands/contract-options.js';
import { schemaProblems } from './schema-problems.js';

const DEFAULT_CONFIG = 'codegen.ts';
const DEFAULT_OUT = 'generated';

/** Generates, and writes what is not there yet. @returns all files, and which were written */
export async function generateFiles(
  options: ContractOptions,
): Promise<{ readonly files: readonly string[]; readonly written: readonly string[] }> {
  const written: string[] = [];
  const config = await configOf(options);
  const hooks: NonNullable<Types.Config['hooks']> = config.hooks ?? {};
  const noteFile = (file: string): void => void written.push(shown(file));
  const outputs = (await generateQuietly({
    ...config,
    silent: true,
    hooks: { ...hooks, afterOneFileWrite: [hooks.afterOneFileWrite ?? [], noteFile].flat() },
  }).catch(async (error: unknown) => {
    const problems = await problemsOfSchema(config);
    throw problems.length > 0 ? new CommandFailure(problems.join('\n')) : error;
  })) as readonly Types.FileOutput[];
  const files = outputs.map(({ filename }) => shown(filename));
  return { files: files.sort(), written: written.sort() };
}

/** Generates and compares. @returns what is wrong with the contract, else the files that are not what it says */
export async function checkFiles(
  options: ContractOptions,
): Promise<{ readonly problems: readonly string[]; readonly stale: readonly string[] }> {
  const config = await configOf(options);
  const context = new CodegenContext({ config: { ...config, silent: true } });
  context.enableCheckMode();
  try {
    await generateQuietly(context);
  } catch (error) {
    const problems = await problemsOfSchema(config);
    if (problems.length > 0) return { problems, stale: [] };
    if (error instanceof AggregateError) return { problems: error.message.split('\n'), stale: [] };
    throw error;
  }
  return { problems: [], stale: context.checkModeStaleFiles.map(shown).sort() };
}

/** Generates, and again whenever a contract changes. What goes wrong is shown, and ends nothing. @param stopped ends it */
export async function watchContract(options: ContractOptions, stopped: Promise<void>): Promise<void> {
  requireWatcher();
  const config = { ...(await configOf(options)), watch: true };
  // graphql-codegen asks for the path of the configuration, and where there is none a contract's does as well.
  const filepath = resolve(options.openapi ?? options.schema ?? options.config ?? DEFAULT_CONFIG);
  // It hears of signals by itself, but does not say when it has ended.
  await Promise.race([generate(new CodegenContext({ config, filepath })), stopped]);
}

/** Without it graphql-codegen would wait for nothing. */
function requireWatcher(): void {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('@graphql-codegen/cli'));
  try {
    resolve('@parcel/watcher');
  } catch {
    const missing = '--watch needs the package @parcel/watcher, which is not installed';
    throw new CommandFailure(`${missing}: npm install --save-dev @parcel/watcher`);
  }
}

async function configOf({ config, openapi, schema, out, accept }: ContractOptions): Promise<Types.Config> {
  if (openapi !== undefined || schema !== undefined) {
    for (const contract of [openapi, schema]) if (contract !== undefined) requireFile(contract);
    return codegenConfig({
      ...(openapi !== undefined && { openapi }),
      ...(schema !== undefined && { schema }),
      out: out ?? DEFAULT_OUT,
      ...(accept && { accept }),
    });
  }
  if (out !== undefined || accept !== undefined) {
    throw new CommandFailure('--out and --accept go with --openapi or --schema', exitCodes.usage);
  }
  const file = config ?? DEFAULT_CONFIG;
  if (config === undefined && !existsSync(file)) {
    throw new CommandFailure(
      `${file} is not there: write one, or name a contract with --openapi or --schema`,
    );
  }
  requireFile(file);
  const loaded = await loadCodegenConfig({ configFilePath: resolve(file) });
  if (loaded.isEmpty === true) throw new CommandFailure(`${file} holds no configuration`);
  // graphql-codegen reads it again when it changes, if it knows where it stands.
  return Object.assign({}, loaded.config, { configFilePath: resolve(file) });
}

/** Where one contract of two fails, graphql-codegen advises a setting that leaves the files of the other. */
async function generateQuietly(input: Parameters<typeof generate>[0]): ReturnType<typeof generate> {
  const { error } = console;
  console.error = (...said: readonly unknown[]) => {
    if (!String(said[0]).includes('allowPartialOutputs')) error(...said);
  };
  try {
    return await generate(input);
  } finally {
    console.error = error;
  }
}

/** What graphql-codegen fails for may be the schema, of which it says little. */
async function problemsOfSchema({ schema }: Types.Config): Promise<readonly string[]> {
  return typeof schema === 'string' ? schemaProblems(schema) : [];
}

function requireFile(file: string): void {
  if (!existsSync(file)) throw new CommandFailure(`${file} is not there`);
}

function shown(file: string): string {
  return relative(process.cwd(), file) || file;
}
