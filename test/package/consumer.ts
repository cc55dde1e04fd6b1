/** A project of another team: it has this package as npm would install it, and only the packages that it names. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../architecture/source-tree.js';

/** What `concordat/koa` needs. */
export const KOA = ['koa', '@koa/router'];

/** What `concordat/codegen` needs for an OpenAPI document. */
export const GENERATOR = [
  '@graphql-codegen/cli',
  '@graphql-codegen/plugin-helpers',
  '@redocly/openapi-core',
  'ajv',
  'ajv-formats',
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

export class Consumer {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'concordat-consumer-')));

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

  /** What the compiler says of a file of the project and all that it imports, under this house's settings. */
  typeProblems(file: string): readonly string[] {
    const typeRoots = [join(this.directory, 'node_modules/@types')];
    const options = { ...COMPILER_OPTIONS, typeRoots, noEmit: true };
    return ts
      .getPreEmitDiagnostics(ts.createProgram([join(this.directory, file)], options))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
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
