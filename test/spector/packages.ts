/** The packages of Spector. They are too heavy for every checkout, so they are installed here when they are used. */

import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** This folder, which has a `package.json` and a lock file of its own. */
export const FOLDER = fileURLToPath(new URL('./', import.meta.url));

const MODULES = join(FOLDER, 'node_modules');

/** The folder of the specifications; their scenarios are compiled beside it. */
export const SPECIFICATIONS = join(MODULES, '@typespec/http-specs/specs');

/** The program `tsp-spector`. */
export const SPECTOR = join(MODULES, '@typespec/spector/cmd/cli.mjs');

/** Installs the locked versions, unless npm has done so since the lock file was written. */
export function install(): void {
  const installed = join(MODULES, '.package-lock.json');
  const lock = join(FOLDER, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const parameters = ['ci', '--no-workspaces', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', parameters, { cwd: FOLDER, stdio: 'inherit', timeout: 300_000 });
}

/**
 * Imports a module of an installed package. The compiler cannot look at it, because a checkout may not have it.
 *
 * @param path - the package and the file in it
 */
export async function importInstalled<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(join(MODULES, path)).href)) as Module;
}
