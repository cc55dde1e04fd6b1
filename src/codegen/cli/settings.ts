/** The settings of a command for each API: its options on the command line, then those of `codegen.ts`, then its defaults. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { usageFailure } from '@concordat/runtime/terminal';
import type { ConcordatConfig } from '../generator/config.js';
import {
  API_KEYS,
  type ConfigOptions,
  type Key,
  type NamedApi,
  SECTION_KEYS,
  apisOf,
  unknownName,
} from '../generator/config-keys.js';
import type { ForApi } from './shared-options.js';

export const DEFAULT_CONFIG = 'codegen.ts';

/** A value, with the place from which it comes. */
export interface Setting {
  /** The key in `codegen.ts`, such as `verify.url`. */
  readonly key: string;
  /** The name that the option of the command has for its parser. */
  readonly option: string;
  readonly value: unknown;
  readonly from: string;
}

/** The commands that write code; they read all keys of an API. */
const GENERATING = ['generate', 'check', 'init'];

/** The keys of an API that the other commands read. */
const CONTRACT_KEYS = ['openapi', 'schema', 'allowOrigins', 'only', 'except'];

/** The names that `verify` gives to the choice of the operations that are served: it has one of its own. */
const SERVED: Readonly<Record<string, string>> = { only: 'onlyServed', except: 'exceptServed' };

interface Row extends Key {
  readonly path: readonly string[];
}

/** The keys that a command reads: those of an API, and those of its section. */
function rowsOf(command: string): readonly Row[] {
  const all = Object.entries<Key>(API_KEYS);
  const ofApi = GENERATING.includes(command) ? all : all.filter(([name]) => CONTRACT_KEYS.includes(name));
  // `check` compares with the base of `diff`.
  const section = command === 'check' ? 'diff' : command;
  const keys = Object.hasOwn(SECTION_KEYS, section)
    ? SECTION_KEYS[section as keyof typeof SECTION_KEYS].keys
    : {};
  return [
    ...ofApi.map(([name, key]) => {
      const option = command === 'verify' ? SERVED[name] : undefined;
      return { ...key, ...(option !== undefined && { option }), path: [name] };
    }),
    ...Object.entries<Key>(keys).map(([name, key]) => ({ ...key, path: [section, name] })),
  ];
}

/** The options of a command for one API, as its parser would give them, and the settings that they are of. */
interface ApiSettings extends ForApi<object> {
  readonly settings: readonly Setting[];
}

/**
 * The settings of a command for the API that `--api` names, or for each.
 *
 * @param isContractNamed - whether the arguments name contracts, which stand in place of those of the file, as `--openapi` and `--schema` do
 * @throws CommandFailure when the file cannot be read, or has no such API
 */
export async function settingsOf(command: Command, isContractNamed = false): Promise<readonly ApiSettings[]> {
  const { config, api } = command.opts<{ readonly config?: string; readonly api?: string }>();
  const isGiven = (option: string): boolean => command.getOptionValueSource(option) === 'cli';
  const isNamed = isContractNamed || isGiven('openapi') || isGiven('schema');
  const file = config ?? DEFAULT_CONFIG;
  const isGenerating = GENERATING.includes(command.name()) && !isNamed;
  const made = await readConfig(file, config !== undefined || isGenerating, isGenerating);
  return chosenApis(file, made, api, isNamed).map(({ name, own, shared }) => {
    const places = [
      [own, name === undefined ? file : `${file}, apis.${name}`],
      [shared, file],
    ] as const;
    const settings = rowsOf(command.name()).flatMap(
      ({ path, option = path.at(-1) ?? '' }): readonly Setting[] => {
        const setting = { key: path.join('.'), option };
        const given: unknown = command.getOptionValue(option);
        if (isGiven(option)) return [{ ...setting, value: given, from: 'command line' }];
        for (const [options, from] of isNamed && /^(?:openapi|schema)$/.test(setting.key) ? [] : places) {
          const value = path.reduce<unknown>(
            (at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step],
            options,
          );
          if (value !== undefined) return [{ ...setting, value, from }];
        }
        return given === undefined ? [] : [{ ...setting, value: given, from: 'default' }];
      },
    );
    const values = Object.fromEntries(settings.map(({ option, value }) => [option, value]));
    return { name, settings, options: { ...command.opts(), ...values } };
  });
}

function chosenApis(
  file: string,
  made: ConfigOptions | undefined,
  api: string | undefined,
  isNamed: boolean,
): readonly { readonly name?: string; readonly own: object; readonly shared: object }[] {
  const apis: readonly NamedApi[] = made === undefined ? [] : apisOf(made);
  if (api !== undefined) {
    const names = apis.flatMap(({ name }) => name ?? []);
    if (names.length === 0) throw usageFailure(`--api ${api}: ${file} names no APIs`);
    const found = apis.filter(({ name }) => name === api);
    if (found.length === 0) throw usageFailure(`${file}: ${unknownName('API', api, api, names)}`);
    return found;
  }
  const [first] = apis;
  if (first === undefined) return [{ own: {}, shared: {} }];
  return isNamed && first.name !== undefined ? [{ own: {}, shared: first.shared }] : apis;
}

/**
 * @param isRequired - whether it must be one that `codegenConfig()` made; if not, a missing file, and one of graphql-codegen alone, are ignored
 * @param isGenerating - whether everything that it generates must be ours
 */
async function readConfig(
  file: string,
  isRequired: boolean,
  isGenerating: boolean,
): Promise<ConfigOptions | undefined> {
  if (!existsSync(file)) {
    if (file !== DEFAULT_CONFIG) throw usageFailure(`${file} does not exist`);
    return undefined;
  }
  // Node 20 cannot run TypeScript. The cache is off so that a watched configuration is read again.
  const { createJiti } = await import('jiti');
  const generator = await import('../index.js');
  const virtualModules = { concordat: generator };
  const jiti = createJiti(import.meta.url, { moduleCache: false, virtualModules });
  const read = await jiti
    .import<Partial<ConcordatConfig> | undefined>(resolve(file), { default: true })
    .then((config) => {
      const made = config?.concordat;
      if (made === undefined) return undefined;
      const { generates } = generator.codegenConfig(made);
      return { made, others: Object.keys(config?.generates ?? {}).filter((path) => !(path in generates)) };
    })
    .catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const [line = ''] = message.replace(/^codegenConfig: /, '').split('\n');
      throw usageFailure(`${file}${/:\d+:\d+$/m.exec(message)?.[0] ?? ''}: ${line.trim()}`);
    });
  if (read === undefined && isRequired)
    throw usageFailure(`${file} must export default codegenConfig({ … })`);
  const { made, others = [] } = read ?? {};
  if (isGenerating && others.length > 0)
    throw usageFailure(`${file} also generates ${others.join(', ')}: run graphql-codegen --config ${file}`);
  return made;
}
