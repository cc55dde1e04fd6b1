/** Runs generated files in a realm of their own, and says what they did there. */

import vm from 'node:vm';
import { bodyCodecs } from '@concordat/runtime';
import { standardSchema } from '@concordat/runtime/standard-schema';
import { transformSync } from 'esbuild';

type Files = Readonly<Record<string, string>>;

/** What the modules export, by the name of their file, and the global object after all were loaded. */
export interface LoadedModules {
  readonly exports: Readonly<Record<string, object>>;
  readonly global: Readonly<Record<string, unknown>>;
}

/**
 * Loads every file that has code. They import each other, and from packages only the codecs of bodies and the standard schemas.
 *
 * @throws when one does not parse, or throws
 */
export function loadModules(files: Files): LoadedModules {
  const global = vm.createContext({ atob, btoa }) as Readonly<Record<string, unknown>>;
  const loaded = new Map<string, object>();
  const load = (name: string): object => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const text = files[name];
    if (text === undefined) throw new Error(`no file ${name} was generated`);
    const { code } = transformSync(text, { loader: name.endsWith('.ts') ? 'ts' : 'js', format: 'cjs' });
    const module = { exports: {} };
    loaded.set(name, module.exports);
    const run = vm.runInContext(`(function (module, exports, require) {${code}\n})`, global) as (
      ...parameters: readonly unknown[]
    ) => void;
    run(module, module.exports, (path: string) => PACKAGES[path] ?? load(sourceOf(files, path)));
    loaded.set(name, module.exports);
    return module.exports;
  };
  const names = Object.keys(files).filter((name) => !name.endsWith('.d.ts'));
  return { exports: Object.fromEntries(names.map((name) => [name, load(name)])), global };
}

const PACKAGES: Readonly<Record<string, object>> = {
  '@concordat/runtime': { bodyCodecs },
  '@concordat/runtime/standard-schema': { standardSchema },
};

/** `./routing.js` may be generated as `routing.ts`. */
function sourceOf(files: Files, path: string): string {
  const name = path.replace(/^\.\//, '');
  return name in files ? name : name.replace(/\.js$/, '.ts');
}
