/** The rows of the table of settings, the readers that several rows share, and how the texts of all are found in variables and files. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One setting, read from one variable of the environment. */
export interface Setting<Value> {
  /** The variable's name. */
  readonly name: string;
  /** A description of the default. */
  readonly byDefault: string;
  readonly meaning: string;
  /** Whether the text may be in a file, because it is a secret or a URL, which may have a password. */
  readonly mayBeFile?: boolean;
  readonly read: Reader<Value>;
}

/** Turns the text of a setting, which is never empty, into its value. @throws SettingFault when the text is invalid */
export type Reader<Value> = (given: string | undefined, environment: Environment) => Value;

/** The other variables, for settings whose default or validity depends on them. */
export interface Environment {
  readonly isProduction: boolean;
  /** @returns undefined also for an empty variable */
  valueOf(name: string): string | undefined;
}

/** A fault of a setting. The message continues a sentence that begins with its name: `must be on or off, not maybe`. */
export class SettingFault extends Error {}

/**
 * Warnings for variables that are one typing error away from a setting, such as `RATE_LIMTI` or `rate_limit`, and are ignored.
 *
 * @param names - the names of the settings
 */
export function slipWarnings(
  variables: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): readonly string[] {
  const given = Object.keys(variables).filter((variable) => variables[variable] && !names.includes(variable));
  return given.flatMap((variable) => {
    const meant = names.find((name) => isOneSlip(variable.toUpperCase(), name));
    return meant === undefined ? [] : [`${variable} is ignored: the setting is ${meant}`];
  });
}

/** Whether two texts differ by one letter (added, omitted or replaced), or by the order of two neighbouring letters. */
function isOneSlip(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one, other].map((text) => text.slice(start, text.length - end));
  if (left === undefined || right === undefined) return false;
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === `${right[1]}${right[0]}`);
}

/** A setting without a default. @param read - reads the given text; it is kept unchanged unless given */
export function optional<Value = string>(
  name: string,
  meaning: string,
  read: (given: string) => Value = (given) => given as Value,
  byDefault = 'none',
): Setting<Value | undefined> {
  return { name, byDefault, meaning, read: (given) => (given === undefined ? undefined : read(given)) };
}

/** A setting that is a whole number, with both ends included. Without a default, it is off. */
export function integer<Default extends number | undefined>(
  name: string,
  meaning: string,
  { from, to, byDefault }: { readonly from: number; readonly to: number; readonly byDefault: Default },
): Setting<number | Default> {
  return {
    name,
    byDefault: byDefault === undefined ? 'off' : `\`${String(byDefault)}\``,
    meaning,
    read: (given) => {
      if (given === undefined) return byDefault;
      const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (value >= from && value <= to) return value;
      throw new SettingFault(`must be a number from ${String(from)} to ${String(to)}, not ${given}`);
    },
  };
}

/** Reads one of a few words. */
export function choice<Word extends string>(
  words: readonly Word[],
  fallback: Word | ((environment: Environment) => Word),
): Reader<Word> {
  return (given, environment) => {
    if (given === undefined) return typeof fallback === 'string' ? fallback : fallback(environment);
    const word = words.find((each) => each === given);
    if (word !== undefined) return word;
    throw new SettingFault(`must be ${words.join(' or ')}, not ${given}`);
  };
}

type OnOff = 'on' | 'off';

/** @throws SettingFault for another text */
export function onOff(given: string): OnOff {
  if (given === 'on' || given === 'off') return given;
  throw new SettingFault(`must be on or off, not ${given}`);
}

/** A setting that is `on` or `off`. @param inProduction - the default when NODE_ENV=production, if it differs */
export function toggle(
  name: string,
  meaning: string,
  byDefault: OnOff,
  inProduction: OnOff = byDefault,
): Setting<boolean> {
  const exception = inProduction === byDefault ? '' : `; \`${inProduction}\` when \`NODE_ENV=production\``;
  const read = choice(['on', 'off'], ({ isProduction }) => (isProduction ? inProduction : byDefault));
  return {
    name,
    byDefault: `\`${byDefault}\`${exception}`,
    meaning,
    read: (given, environment) => read(given, environment) === 'on',
  };
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The texts of settings, and the faults of files that cannot be read, by the name of the setting. */
interface Given extends Environment {
  readonly faults: ReadonlyMap<string, string>;
}

/**
 * A setting that may hold a secret is read from its variable, else from the file that `NAME_FILE` names, else from the file `NAME`
 * of systemd's credentials (`LoadCredential=` in systemd.exec(5)).
 *
 * @param variables - such as `process.env`
 */
export function givenSettings(variables: Variables, rows: readonly Setting<unknown>[]): Given {
  const texts = new Map<string, string | undefined>();
  const faults = new Map<string, string>();
  for (const { name, mayBeFile } of rows) {
    if (!mayBeFile) continue;
    try {
      texts.set(name, variables[name] || fileText(name, variables));
      if (variables[name] && variables[fileVariable(name)]) {
        throw new SettingFault(`and ${fileVariable(name)} are both given: give one of them`);
      }
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      faults.set(name, `${name} ${error.message}`);
    }
  }
  return {
    isProduction: variables['NODE_ENV'] === 'production',
    valueOf: (name) => (texts.has(name) ? texts.get(name) : variables[name] || undefined),
    faults,
  };
}

/** @returns the values of the settings of a table @throws an error with one line per wrong setting */
export function readValues(
  table: Readonly<Record<string, Setting<unknown>>>,
  environment: Given,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [key, { name, read }] of Object.entries(table)) {
    const fault = environment.faults.get(name);
    if (fault !== undefined) {
      faults.push(fault);
      continue;
    }
    try {
      values[key] = read(environment.valueOf(name), environment);
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      faults.push(`${name} ${error.message}`);
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return values;
}

/** The names of all variables that are read. */
export function variableNames(rows: readonly Setting<unknown>[]): readonly string[] {
  return rows.flatMap(({ name, mayBeFile }) => (mayBeFile ? [name, fileVariable(name)] : [name]));
}

function fileVariable(name: string): string {
  return `${name}_FILE`;
}

function fileText(name: string, variables: Variables): string | undefined {
  const path = variables[fileVariable(name)];
  if (path) return read(path);
  const directory = variables['CREDENTIALS_DIRECTORY'];
  return directory ? read(join(directory, name), 'ENOENT') : undefined;
}

/** @param expected - the code of an error that means that there is no file */
function read(path: string, expected?: string): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === expected) return undefined;
    throw new SettingFault(`is in a file that cannot be read: ${path} (${code})`);
  }
  let text: string;
  try {
    // Fatal, because two secrets of random bytes could otherwise become the same text.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SettingFault(`is in a file that is not text in UTF-8: ${path}`);
  }
  const line = text.replace(/\r?\n$/, '');
  // Not unset: a default in place of a secret that was meant to be given would go unnoticed.
  if (line === '') throw new SettingFault(`is in a file that is empty: ${path}`);
  return line;
}
