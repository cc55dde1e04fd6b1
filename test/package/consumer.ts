/** A project of another team: it has packages of this repository as npm would install them, and only the packages that it names. */

import { type SpawnSyncReturns, execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { ROOT } from '../architecture/source-tree.js';
import { sharingHost } from '../codegen/strict-compiler.js';
import { packedFiles } from './packed-files.js';
import { type Package, ownPackage } from './packages.js';

const runFile = promisify(execFile);

const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  types: ['node'],
};

/** For a suite: what makes projects, which are removed at its end. @returns a project with packages, see {@link Consumer} */
export function useConsumers(): (packages: readonly string[]) => Consumer {
  const consumers: Consumer[] = [];
  after(() => {
    for (const consumer of consumers) consumer.remove();
  });
  return (packages) => {
    const consumer = new Consumer(packages);
    consumers.push(consumer);
    return consumer;
  };
}

export class Consumer {
  readonly directory = realpathSync(mkdtempSync(join(secludedPlace(), 'concordat-consumer-')));
  readonly #files = new Map<string, ts.SourceFile>();

  /** @param packages - what the project has installed; each brings its own dependencies, and none of its optional peers */
  constructor(packages: readonly string[]) {
    for (const name of packages) {
      const own = ownPackage(name);
      if (own === undefined) this.#link(name, 'node_modules');
      else this.#install(own);
    }
    this.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  }

  write(file: string, text: string): void {
    writeFileSync(this.#reserve(file), text);
  }

  /** Runs Node in the project, and waits for it up to a minute: mocha cannot interrupt a synchronous wait. */
  node(...parameters: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, parameters, {
      cwd: this.directory,
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
  }

  /** Runs a module of the given text in the project. */
  run(source: string): SpawnSyncReturns<string> {
    return this.node('--input-type=module', '--eval', source);
  }

  /** Runs a module of the given text beside this process, which may serve it. @returns what it wrote to stdout */
  async runBeside(source: string): Promise<string> {
    const parameters = ['--input-type=module', '--eval', source];
    return (await runFile(process.execPath, parameters, { cwd: this.directory })).stdout;
  }

  /** What the compiler says of files of the project and all that they import, under the settings of this repository. */
  typeProblems(...files: readonly string[]): readonly string[] {
    return this.#diagnostics(files).map(({ text }) => text);
  }

  /** What the compiler says of each file itself; one program for all, because it reads its libraries once for each. */
  typeProblemsOf(files: readonly string[]): readonly (readonly string[])[] {
    const diagnostics = this.#diagnostics(files);
    return files.map((name) => diagnostics.filter(({ file }) => file === name).map(({ text }) => text));
  }

  #diagnostics(files: readonly string[]): readonly { readonly file: string; readonly text: string }[] {
    const program = this.#program(files, { noEmit: true });
    return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
      file: relative(this.directory, file?.fileName ?? ''),
      text: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }));
  }

  /** Compiles a file and all of the project that it imports, unchecked, into a directory of the project. */
  compile(file: string, outDir: string): void {
    this.#program([file], { outDir: join(this.directory, outDir), noCheck: true }).emit();
  }

  #program(files: readonly string[], others: ts.CompilerOptions): ts.Program {
    const typeRoots = [join(this.directory, 'node_modules/@types')];
    const options = { ...COMPILER_OPTIONS, typeRoots, ...others };
    return ts.createProgram(
      files.map((file) => join(this.directory, file)),
      options,
      sharingHost(this.directory, options, this.#files),
    );
  }

  remove(): void {
    this.#files.clear();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Installs a package of this repository as npm does: those that it depends on too, and its programs in `node_modules/.bin`. */
  #install({ folder, manifest: { name, peerDependencies = {}, ...rest } }: Package): void {
    const dependencies = { ...rest.dependencies, ...rest.optionalDependencies };
    const home = join('node_modules', name);
    if (existsSync(join(this.directory, home))) return;
    for (const file of packedFiles(folder)) {
      copyFileSync(join(ROOT, folder, file), this.#reserve(join(home, file)));
    }
    for (const needed of Object.keys(dependencies)) {
      const own = ownPackage(needed);
      if (own !== undefined) this.#install(own);
      // Where another package of this repository has it as a peer, there must be one of it for both.
      else this.#link(needed, isPeer(needed, dependencies) ? 'node_modules' : join(home, 'node_modules'));
    }
    for (const peer of Object.keys(peerDependencies)) {
      if (!rest.peerDependenciesMeta?.[peer]?.optional) this.#link(peer, 'node_modules');
    }
    for (const [program, file] of Object.entries(rest.bin ?? {})) {
      const path = join(this.directory, home, file);
      chmodSync(path, 0o755);
      symlinkSync(path, this.#reserve(join('node_modules/.bin', basename(program))));
    }
  }

  #link(name: string, folder: string): void {
    const link = this.#reserve(join(folder, name));
    if (!existsSync(link)) symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
  }

  #reserve(file: string): string {
    const path = join(this.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }
}

/** Whether one of the packages of this repository among the dependencies has a package as its peer. */
function isPeer(name: string, dependencies: Readonly<Record<string, string>>): boolean {
  return Object.keys(dependencies).some(
    (each) => name in (ownPackage(each)?.manifest.peerDependencies ?? {}),
  );
}

/** Where no directory above has packages: a project would find them, and need nothing of its own. */
export function secludedPlace(): string {
  const places = [tmpdir(), '/var/tmp'].filter((place) => existsSync(place));
  const found = places.find(
    (place) => !ancestors(place).some((each) => existsSync(join(each, 'node_modules'))),
  );
  if (found === undefined)
    throw new Error(`there are packages above ${places.join(' and ')}: set TMPDIR to another place`);
  return found;
}

function ancestors(place: string): readonly string[] {
  const above = dirname(place);
  return above === place ? [place] : [place, ...ancestors(above)];
}
