/** A project of another team: it has this package as npm would install it, and only the packages that it names. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
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
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../architecture/source-tree.js';
import { packedFiles } from './packed-files.js';

/** What `concordat/koa` needs. */
export const KOA = ['koa', '@koa/router'];

/** What `concordat/codegen` needs for an OpenAPI document. */
export const GENERATOR = [
  '@graphql-codegen/cli',
  '@graphql-codegen/plugin-helpers',
  '@redocly/openapi-core',
  'graphql',
  'openapi-typescript',
  'typescript',
];

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
  let packed: readonly string[] = [];
  before(() => {
    packed = packedFiles();
  });
  after(() => {
    for (const consumer of consumers) consumer.remove();
  });
  return (packages) => {
    const consumer = new Consumer(packed, packages);
    consumers.push(consumer);
    return consumer;
  };
}

export class Consumer {
  readonly directory = realpathSync(mkdtempSync(join(secludedPlace(), 'concordat-consumer-')));

  /**
   * @param packed - the files of this package
   * @param packages - what else the project has installed; each brings its own dependencies
   */
  constructor(packed: readonly string[], packages: readonly string[]) {
    for (const file of packed) this.#copy(join(ROOT, file), join('node_modules/concordat', file));
    for (const name of packages) {
      const link = this.#reserve(join('node_modules', name));
      symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
    }
    this.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  }

  write(file: string, text: string): void {
    writeFileSync(this.#reserve(file), text);
  }

  /** Runs Node in the project, and waits for it. */
  node(...parameters: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, parameters, { cwd: this.directory, encoding: 'utf8' });
  }

  /** Runs a module of the given text in the project. */
  run(source: string): SpawnSyncReturns<string> {
    return this.node('--input-type=module', '--eval', source);
  }

  /** What the compiler says of files of the project and all that they import, under this house's settings. */
  typeProblems(...files: readonly string[]): readonly string[] {
    return this.#diagnostics(files).map(({ text }) => text);
  }

  /** What the compiler says of each file itself; one program for all, because it reads its libraries once for each. */
  typeProblemsOf(files: readonly string[]): readonly (readonly string[])[] {
    const diagnostics = this.#diagnostics(files);
    return files.map((name) => diagnostics.filter(({ file }) => file === name).map(({ text }) => text));
  }

  #diagnostics(files: readonly string[]): readonly { readonly file: string; readonly text: string }[] {
    const typeRoots = [join(this.directory, 'node_modules/@types')];
    const options = { ...COMPILER_OPTIONS, typeRoots, noEmit: true };
    const program = ts.createProgram(
      files.map((file) => join(this.directory, file)),
      options,
    );
    return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
      file: relative(this.directory, file?.fileName ?? ''),
      text: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }));
  }

  /** Compiles a file and all of the project that it imports, into a directory of the project. */
  compile(file: string, outDir: string): void {
    const options = { ...COMPILER_OPTIONS, outDir: join(this.directory, outDir) };
    ts.createProgram([join(this.directory, file)], options).emit();
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  #copy(from: string, to: string): void {
    copyFileSync(from, this.#reserve(to));
  }

  #reserve(file: string): string {
    const path = join(this.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }
}

/** Where no directory above has packages: a project would find them, and need nothing of its own. */
export function secludedPlace(): string {
  const places = [tmpdir(), '/var/tmp'].filter((place) => existsSync(place));
  const found = places.find(
    (place) => !ancestors(place).some((each) => existsSync(join(each, 'node_modules'))),
  );
  if (found === undefined)
    throw new Error(`packages stand above ${places.join(' and ')}: set TMPDIR to another place`);
  return found;
}

function ancestors(place: string): readonly string[] {
  const above = dirname(place);
  return above === place ? [place] : [place, ...ancestors(above)];
}
