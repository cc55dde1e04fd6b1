/** A project as a team has it: its sources in a folder of their own, with the code that is generated for them. */

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { runProgram } from '../../src/codegen/cli/program.js';
import { complaints } from '../codegen/strict-compiler.js';
import { type Run, runInProcess } from '../support/run-program.js';

const HERE = fileURLToPath(new URL('./', import.meta.url));

export interface Project {
  readonly directory: string;
  readonly import: (file: string) => Promise<unknown>;
  /** Runs a command of `concordat` in the folder of the project. */
  readonly run: (command: string) => Promise<Run>;
  /** The complaints of the compiler about files and all that they import, and those of the files that have a cast. */
  readonly problems: (...files: readonly string[]) => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

/**
 * Copies a project, and generates its code.
 *
 * @param sources - files and folders beside this one, by their place in the project
 * @param options - of `concordat generate`
 */
export async function readProject(sources: Readonly<Record<string, string>>, options = ''): Promise<Project> {
  const directory = await mkdtemp(join(HERE, 'tmp-'));
  for (const [to, from] of Object.entries(sources))
    await cp(join(HERE, from), join(directory, to), { recursive: true });
  const run = async (command: string): Promise<Run> => {
    const before = process.cwd();
    process.chdir(directory);
    try {
      return await runInProcess(runProgram, command.trim().split(' '));
    } finally {
      process.chdir(before);
    }
  };
  const { exitCode, stderr } = await run(`generate ${options}`);
  expect(exitCode, stderr).to.equal(0);
  return {
    directory,
    import: (file) => import(join(directory, file)),
    run,
    async problems(...files) {
      const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
      const casts = files.filter((_, index) => hasCast(texts[index] ?? ''));
      return [...complaints(directory, files), ...casts.map((file) => `${file} has a cast`)];
    },
    remove: () => rm(directory, { recursive: true }),
  };
}

/** Whether a text has `as`, `!` or `any`; `as const` changes no type. */
function hasCast(text: string): boolean {
  const find = (node: ts.Node): boolean =>
    (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) ||
    ts.isNonNullExpression(node) ||
    node.kind === ts.SyntaxKind.AnyKeyword ||
    (ts.forEachChild(node, find) ?? false);
  return find(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest));
}
