/** Compiles files with the project's own strict settings, in this process, and returns the errors. */

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

/** A setting under which a file has only what Node can run after it has removed the types. */
export const ERASABLE = { erasableSyntaxOnly: true };

/** Every complaint of the compiler: `file.ts:12: TS2322: …`, the file relative to the directory. */
export function complaints(
  directory: string,
  files: readonly string[],
  settings: ts.CompilerOptions = {},
): readonly string[] {
  const host = ts.createCompilerHost(strictOptions());
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (name.startsWith(`${directory}/`)) return read(name, ...rest);
    const file = libraries.get(name) ?? read(name, ...rest);
    if (file !== undefined) libraries.set(name, file);
    return file;
  };
  const program = ts.createProgram(
    files.map((file) => `${directory}/${file}`),
    { ...strictOptions(), ...settings, typeRoots: [`${root}node_modules/@types`] },
    host,
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

function sentence({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, '\n');
}
