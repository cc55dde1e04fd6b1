/** The packages of Spector. */

import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** This folder, where they are installed when they are used. */
export const FOLDER = fileURLToPath(new URL('./', import.meta.url));

const MODULES = join(FOLDER, 'node_modules');

/** The folder of the specifications; their scenarios are compiled beside it. */
export const SPECIFICATIONS = join(MODULES, '@typespec/http-specs/specs');

/** The program `tsp-spector`. */
export const SPECTOR = join(MODULES, '@typespec/spector/cmd/cli.mjs');

/**
 * Imports a module of an installed package. The compiler cannot look at it, because a checkout may not have it.
 *
 * @param path - the package and the file in it
 */
export async function importInstalled<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(join(MODULES, path)).href)) as Module;
}
