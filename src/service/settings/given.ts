/** Finds the texts of the settings: in variables, or in files for those that may hold a secret. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, type Setting, SettingFault } from './setting.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The texts of settings, and the faults of files that cannot be read, by the name of the setting. */
export interface Given extends Environment {
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
