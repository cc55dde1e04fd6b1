/** A copy of the contracts and the sources, to change like a developer and to compile. */

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { strictOptions } from '../codegen/strict-compiler.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['generated', 'openapi.yaml', 'package.json', 'schema.graphql', 'src/core', 'src/service'];

/** What the compiler says of one place. */
export interface Complaint {
  /** From the root of the copy. */
  readonly file: string;
  readonly text: string;
}

export class RepositoryCopy {
  readonly directory: string;
  #program: ts.Program | undefined;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** Remove it with {@link remove}. */
  static async make(): Promise<RepositoryCopy> {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-copy-'));
    for (const path of COPIED) {
      const filter = (source: string) => !/\/(?:dist|node_modules|bin)$/.test(source);
      await cp(join(ROOT, path), join(directory, path), { recursive: true, filter });
    }
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    return new RepositoryCopy(directory);
  }

  /** Puts one text in the place of another, which the file must have once. */
  async edit(file: string, from: string, to: string): Promise<void> {
    const path = join(this.directory, file);
    const text = await readFile(path, 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${file} must have once: ${from}`);
    await writeFile(
      path,
      text.replace(from, () => to),
    );
  }

  /** What the compiler refuses in folders of the copy. Files that did not change are not read again. */
  complaints(folders: readonly string[]): readonly Complaint[] {
    const options: ts.CompilerOptions = {
      ...strictOptions(),
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: this.#corePaths(),
    };
    const roots = ['src/core', 'src/service', 'generated'].flatMap((folder) =>
      // The console is compiled for browsers, and the examples of guides with the packages that they are of.
      ts.sys.readDirectory(
        join(this.directory, folder),
        ['.ts'],
        ['**/node_modules', '**/console', '**/guides'],
      ),
    );
    const host = ts.createCompilerHost(options);
    const known = this.#program;
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (name, ...rest) => {
      const old = known?.getSourceFile(name);
      return old !== undefined && old.text === ts.sys.readFile(name) ? old : read(name, ...rest);
    };
    const program = ts.createProgram(roots, options, host, known);
    this.#program = program;
    const own = program
      .getSourceFiles()
      .filter(({ fileName }) => folders.some((folder) => fileName.startsWith(join(this.directory, folder))));
    return own
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
      .map(({ file, messageText }) => ({
        file: file?.fileName.slice(this.directory.length + 1) ?? '',
        text: ts.flattenDiagnosticMessageText(messageText, '\n'),
      }));
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  /** The core is found in the copy; other packages, `concordat` among them, where they are. */
  #corePaths(): Record<string, string[]> {
    const { exports } = JSON.parse(readFileSync(join(this.directory, 'src/core/package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, { readonly '@concordat/source'?: string }>>;
    };
    return Object.fromEntries(
      Object.entries(exports).flatMap(([name, { '@concordat/source': source }]) =>
        source === undefined
          ? []
          : [[join('@concordat/core', name), [join(this.directory, 'src/core', source)]]],
      ),
    );
  }
}
