/** `concordat config`: lists the settings of the commands, and the place from which each comes. */

import type { Command } from 'commander';
import { withoutPasswords } from '@concordat/runtime/observe';
import { type Terminal, print, printJson, usageFailure } from '@concordat/runtime/terminal';
import { SECTION_KEYS, unknownName } from '../generator/config-keys.js';
import { type Setting, settingsOf } from './settings.js';
import { contractCommand } from './shared-options.js';
import { withoutTools } from './tools.js';

interface ConfigCommandOptions {
  readonly config?: string;
  readonly api?: string;
  readonly json?: true;
}

const ORDER = `
A command takes the first that there is: its option on the command line, the key of the API in codegen.ts, the key for all
APIs there, and its default.`;

/** @param root - the program, whose other commands it describes */
export function configCommand(terminal: Terminal, root: Command): Command {
  return contractCommand('config', {
    summary: 'list the settings of the commands, and where each comes from',
    description:
      'Lists what codegen.ts and the defaults say to the commands; of a single command, also what its options on the command line say. It runs nothing.',
    notes: ORDER,
    examples: [
      'concordat config',
      'concordat config verify --seconds 20',
      'concordat config generate --api billing',
    ],
  })
    .argument('[command]', 'the command whose settings are listed (default: all)')
    .argument('[options...]', 'its options')
    .allowUnknownOption()
    .option('--json', 'print a list of {"api", "key", "value", "from"} as JSON')
    .action(async (name: string | undefined, options: readonly string[], own: ConfigCommandOptions) => {
      const known = ['generate', 'check', 'init', ...Object.keys(SECTION_KEYS)];
      if (name !== undefined && !known.includes(name))
        throw usageFailure(unknownName('command', name, name, known));
      const names = name === undefined ? ['generate', ...Object.keys(SECTION_KEYS)] : [name];
      const apis = new Map<string | undefined, Setting[]>();
      for (const each of names) {
        const target = root.commands.find((found) => found.name() === each);
        if (target === undefined) continue;
        for (const { name: api, settings } of await settingsFor(target, options, own)) {
          // The keys of an API are listed once, with those of `generate`.
          const shown = settings.filter(({ key }) => each === names[0] || key.includes('.'));
          apis.set(api, [...(apis.get(api) ?? []), ...shown]);
        }
      }
      const all = [...apis].flatMap(([api, settings]) =>
        settings.map(({ key, value, from }) => ({ api, key, value: shownValue(key, value), from })),
      );
      if (own.json) {
        printJson(terminal, all);
        return;
      }
      const widthOf = (part: 'key' | 'from') => Math.max(...all.map((each) => each[part].length));
      const [keyWidth, fromWidth] = [widthOf('key'), widthOf('from')];
      for (const [index, { api, key, value, from }] of all.entries()) {
        if (api !== undefined && api !== all[index - 1]?.api)
          print(terminal, `${index === 0 ? '' : '\n'}${api}`);
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        print(terminal, `${key.padEnd(keyWidth)}  ${from.padEnd(fromWidth)}  ${text}`);
      }
    });
}

/** The settings of a command that is called with these options, but does not run. */
async function settingsFor(
  command: Command,
  options: readonly string[],
  { config, api }: ConfigCommandOptions,
): ReturnType<typeof settingsOf> {
  const parsed = command.parseOptions([...options]);
  const [[argument], [unknown]] = [parsed.operands, parsed.unknown];
  if (unknown !== undefined) {
    // The place of a command of the tools has no options.
    if (command.options.length === 0) throw withoutTools(`concordat ${command.name()}`);
    throw usageFailure(`${command.name()} has no option ${unknown}`);
  }
  if (config !== undefined) command.setOptionValue('config', config);
  // The guides have no API.
  if (api !== undefined && command.name() !== 'docs') command.setOptionValue('api', api);
  const isUrl = ['verify', 'record', 'proxy'].includes(command.name());
  if (isUrl && argument !== undefined) command.setOptionValueWithSource('url', argument, 'cli');
  return settingsOf(command, !isUrl && argument !== undefined);
}

/** A value without the secrets that the command line may have. */
function shownValue(key: string, value: unknown): unknown {
  if (typeof value === 'function') return 'a function';
  if (key.endsWith('.url')) return withoutPasswords(String(value));
  if (!/^verify\.(?:headers|credentials)$/.test(key)) return value;
  const hidden = (each: unknown): unknown => (typeof each === 'string' ? '…' : each);
  return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, hidden(each)]));
}
