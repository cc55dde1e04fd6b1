/** A folder in which `concordat init` runs as in a project that has installed what it lists. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { runInProcess } from '../../support/run-program.js';
import { removeDirectory, temporaryPackage } from '../generated-contract.js';
import { ERASABLE, complaints } from '../strict-compiler.js';

/** For a suite: what makes projects, which are removed at its end. */
export function useProjects(): () => Promise<NewProject> {
  const projects: NewProject[] = [];
  after(() => Promise.all(projects.map((project) => removeDirectory(project.directory))));
  return async () => {
    const project = new NewProject(await temporaryPackage());
    projects.push(project);
    return project;
  };
}

export class NewProject {
  constructor(readonly directory: string) {}

  /** Runs `concordat` in the project. */
  async concordat(...parameters: readonly string[]) {
    const before = process.cwd();
    process.chdir(this.directory);
    try {
      return await runInProcess(runProgram, parameters);
    } finally {
      process.chdir(before);
    }
  }

  /** Runs `init`. @returns what it did @throws where it fails */
  async init(...parameters: readonly string[]): Promise<{
    readonly written: readonly string[];
    readonly notes: readonly string[];
  }> {
    const { exitCode, stdout, stderr } = await this.concordat('init', '--json', ...parameters);
    if (exitCode !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Awaited<ReturnType<NewProject['init']>>;
  }

  async write(file: string, text: string): Promise<void> {
    const path = join(this.directory, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  read(file: string): Promise<string> {
    return readFile(join(this.directory, file), 'utf8');
  }

  /** Puts one text in the place of another, which the file must have. */
  async edit(file: string, from: string, to: string): Promise<void> {
    const text = await this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    await this.write(
      file,
      text.replace(from, () => to),
    );
  }

  /** Every file of the project with its text, but for its packages. */
  async files(): Promise<Readonly<Record<string, string>>> {
    const entries = await readdir(this.directory, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.directory.length + 1))
      .filter((name) => !name.startsWith('node_modules'));
    const texts = await Promise.all(names.map(async (name) => [name, await this.read(name)] as const));
    return Object.fromEntries(texts);
  }

  /** The files that the compiler starts from. */
  roots(): readonly string[] {
    const tests = ['test/rest.test.ts', 'test/graphql.test.ts'];
    return ['src/server.ts', 'codegen.ts', ...tests].filter((file) => existsSync(join(this.directory, file)));
  }

  /** Runs the tests of the project. */
  test() {
    const parameters = ['--conditions=@concordat/source', '--import', 'tsx', '--test', '--test-reporter=tap'];
    const files = this.roots().filter((file) => file.startsWith('test/'));
    return spawnSync(process.execPath, [...parameters, ...files], {
      cwd: this.directory,
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, NODE_OPTIONS: '--conditions=@concordat/source', NODE_TEST_CONTEXT: undefined },
    });
  }

  /** What the compiler says of the whole project. */
  typeProblems(): readonly string[] {
    return complaints(this.directory, this.roots(), ERASABLE);
  }
}
