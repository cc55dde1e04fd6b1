/** Gives schemas that accept everything a check that says so, so that every name that the contract mentions is there. */

import type { ValidatorsFile } from '../schemas/validators-file.js';

/**
 * A module of checks with one more for each name whose schema restricts nothing.
 *
 * @param names - the checks that the module is asked for
 * @param trivial - those of all modules that the compiler left out
 */
export function acceptAll(
  { js, dts }: ValidatorsFile,
  names: readonly string[],
  trivial: ReadonlySet<string>,
): ValidatorsFile {
  const missing = names.filter((name) => trivial.has(name));
  return {
    js: js + missing.map((name) => `\nexport const ${name} = () => true;\n`).join(''),
    dts:
      dts +
      missing.map((name) => `\n/** Accepts everything. */\nexport declare const ${name}: Check;\n`).join(''),
  };
}
