/**
 * Takes the parts out of TypeScript 5.9 that read and print syntax trees. Its script of 9 MB takes a third of the CPU time of a small
 * `concordat generate` to load. All of it, with the checker, the emitter and the services for editors, is in one function, which a bundler keeps
 * whole. Here the statements of that function become those of a module, of which esbuild keeps what is used: an eighth.
 */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const SCRIPT = 'node_modules/typescript/lib/typescript.js';
const FIRST_LINE = 'var ts = {}; ((module) => {\n';
/** The names of everything that the script exports, and below it the statements. */
const EXPORTS = /^__export\(typescript_exports, \{([\s\S]*?)^\}\);$/m;

/** The code that uses these parts: the generator's, and the transforms of openapi-typescript. */
const USERS = ['src/codegen/generator', 'src/codegen/text', 'node_modules/openapi-typescript/dist'];

/** The text of a CommonJS module with the functions and constants that the users name. */
export async function typescriptParts() {
  const script = readFileSync(SCRIPT, 'utf8');
  const end = script.indexOf('// Annotate the CommonJS export names');
  if (!script.includes(FIRST_LINE) || end < 0) throw new Error(`${SCRIPT} is not written as it was in 5.9`);
  const text = script.slice(script.indexOf(FIRST_LINE) + FIRST_LINE.length, end);
  const exported = new Set(
    [...(EXPORTS.exec(text)?.[1] ?? '').matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name),
  );
  const names = namesIn(USERS).filter((name) => exported.has(name));
  const { outputFiles } = await build({
    stdin: { contents: `${asModule(text)}\nexport { ${names.join(', ')} };`, resolveDir: '.' },
    bundle: true,
    minify: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

/** The names after `ts.`, `ts$1.` or `ts__default.` in the sources of folders. */
function namesIn(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => /(?<!\.d)\.(?:ts|cjs)$/.test(file))
      .map((file) => join(folder, file)),
  );
  const found = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bts[\w$]*\.(\w+)/g)]);
  return [...new Set(found.map(([, name]) => name))];
}

/** Marks what has no effect but its value, and leaves out what is for editors and for the program `tsc`. */
function asModule(text) {
  return (
    text
      .replace(/^"use strict";$/m, '')
      .replace(/^module\.exports = .*$/m, '')
      .replaceAll(/^__export\(\w+, \{[\s\S]*?^\}\);$/gm, '')
      // A namespace: a variable, and a function that fills it.
      .replaceAll(
        /^var (\w+);\n\(\((\w+)\) => \{\n([\s\S]*?)^\}\)\(\1 \|\| \(\1 = \{\}\)\);$/gm,
        (_, name, parameter, body) =>
          `var ${name} = /* @__PURE__ */ ((${parameter}) => {\n${body}return ${parameter};\n})({});`,
      )
      // The files of the machine, which no syntax tree needs.
      .replace(/^var sys = [\s\S]*?^\}\)\(\);$/m, 'var sys;')
      // Refactorings and fixes, the state of the server for editors, and the settings of the environment.
      .replaceAll(/^register\w+(?=\()/gm, '0 && $&')
      .replaceAll(/^_(?:AutoImport|ProjectService|ScriptVersionCache|TypingsInstaller)\w*\.\w+ = /gm, '0 && ')
      .replaceAll(/^if \(.*\) \{\n[\s\S]*?^\}$/gm, '')
      .replaceAll(/^(var \w+ = )(?=[\w$.]+\(|new |\()/gm, '$1/* @__PURE__ */ ')
  );
}
