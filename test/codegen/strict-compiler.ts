/** Compiles files with the project's own strict settings, and returns the errors. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The settings of `tsconfig.json`, without what says where output goes. */
export function strictOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    readonly config: { readonly compilerOptions: object };
  };
  const { options, errors } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  if (errors.length > 0) throw new Error(errors.map(sentence).join('\n'));
  delete options.rootDir;
  delete options.outDir;
  // A project of its own would list the generated files one by one.
  return { ...options, noEmit: true, composite: false, declaration: false };
}

/** The files outside of what is compiled, by path: they are the same for every call, and take most of the time. */
const libraries = new Map<string, ts.SourceFile>();

/**
 * A host that reads the files outside of a directory once.
 *
 * @param own - keeps those of the directory, for the next call, as long as their text is the same
 */
export function sharingHost(
  directory: string,
  options: ts.CompilerOptions,
  own?: Map<string, ts.SourceFile>,
): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    const isOwn = name.startsWith(`${directory}/`);
    const files = isOwn ? own : libraries;
    const known = files?.get(name);
    if (known !== undefined && (!isOwn || known.text === host.readFile(name))) return known;
    const file = read(name, ...rest);
    if (file !== undefined) files?.set(name, file);
    return file;
  };
  return host;
}

/** A setting under which a file has only what Node can run after it has removed the types. */
export const ERASABLE = { erasableSyntaxOnly: true };

/** Every complaint of the compiler: `file.ts:12: TS2322: …`, the file relative to the directory. */
export function complaints(
  directory: string,
  files: readonly string[],
  settings: ts.CompilerOptions = {},
): readonly string[] {
  const program = ts.createProgram(
    files.map((file) => `${directory}/${file}`),
    { ...strictOptions(), ...settings, typeRoots: [`${root}node_modules/@types`] },
    sharingHost(directory, strictOptions()),
  );
  // What is imported was checked where it was written: of it, only the types in use are resolved.
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${directory}/`));
  const found = own.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
  return ts.sortAndDeduplicateDiagnostics(found).map((diagnostic) => {
    const { file, start = 0, code } = diagnostic;
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    const name = file?.fileName.replace(`${directory}/`, '') ?? '';
    return `${name}:${String(line)}: TS${String(code)}: ${sentence(diagnostic)}`;
  });
}

/**
 * The same by the native compiler, in a process of its own, which also checks the sources of this repository that are imported. It takes a
 * fifth of the time for large programs, and more for small ones, because it reads the libraries anew.
 */
export function complaintsOfMany(
  directory: string,
  files: readonly string[],
  settings: ts.CompilerOptions = {},
): readonly string[] {
  const place = mkdtempSync(join(tmpdir(), 'concordat-compiler-'));
  try {
    const noOutput = { noEmit: true, composite: false, declaration: false };
    const typeRoots = [join(root, 'node_modules/@types')];
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { ...noOutput, ...settings, typeRoots },
      references: [],
      files: files.map((file) => join(directory, file)),
    };
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', place, '--pretty', 'false'],
      { cwd: directory, encoding: 'utf8', maxBuffer: 2 ** 26 },
    );
    if (stderr !== '') throw new Error(stderr);
    // A complaint has one line and, indented below it, its reasons.
    return stdout
      .split(/\n(?=\S)/)
      .map((text) => text.trimEnd())
      .filter((text) => text !== '' && !text.startsWith('../'))
      .map((text) => text.replace(/^(.*?)\((\d+),\d+\): error /, '$1:$2: '));
  } finally {
    rmSync(place, { recursive: true });
  }
}

function sentence({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, '\n');
}
