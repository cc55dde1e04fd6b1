/** `npm run codegen -- --check` and `-- --watch`, and `concordat check`, in a copy of this project: what follows a contract, and what drifted from it. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { build } from 'esbuild';
import { runProgram } from '../../src/codegen/cli/program.js';
import { ROOT } from '../architecture/source-tree.js';
import { runInProcess } from '../support/run-program.js';

const COPIED = ['codegen.ts', 'openapi.yaml', 'schema.graphql', 'package.json', 'tsconfig.json', 'generated'];
const GENERATOR = 'node_modules/@graphql-codegen/cli/esm/bin.js';
const WATCH_PATIENCE_MS = 100_000;

describe('the generated files', function () {
  this.timeout(150_000);
  let compiled: string;
  let project: string;

  // In one file, because graphql-codegen takes seconds to find and compile hundreds of them.
  before(async () => {
    compiled = await mkdtemp(join(tmpdir(), 'concordat-generator-'));
    await cp(join(ROOT, 'package.json'), join(compiled, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(compiled, 'node_modules'));
    await build({
      absWorkingDir: ROOT,
      entryPoints: ['src/codegen/index.ts'],
      outfile: join(compiled, 'codegen/index.js'),
      bundle: true,
      packages: 'external',
      // No package exports it: each program has a copy.
      alias: { '@concordat/runtime/terminal': join(ROOT, 'src/runtime/terminal/index.ts') },
      format: 'esm',
      platform: 'node',
    });
  });

  after(() => rm(compiled, { recursive: true }));

  beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), 'concordat-drift-'));
    for (const path of COPIED) await cp(join(ROOT, path), join(project, path), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    await symlink(compiled, join(project, 'src'));
    await change('codegen.ts', "'concordat'", "'./src/codegen/index.js'");
  });

  afterEach(() => rm(project, { recursive: true, force: true }));

  function codegen(option: string): ChildProcessByStdio<null, Readable, Readable> {
    return spawn(process.execPath, [GENERATOR, '--config', 'codegen.ts', option], {
      cwd: project,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** @returns the exit code, and what is said of stale files where there are any */
  async function check(): Promise<{ readonly code: unknown; readonly output: string }> {
    const generator = codegen('--check');
    const exit = once(generator, 'exit');
    const [said, ...errors] = await Promise.all([text(generator.stdout), text(generator.stderr)]);
    const output = [said.split('stale files')[1] ?? said, ...errors].join('\n');
    const [code] = (await exit) as unknown[];
    return { code, output };
  }

  /** Changes one character of a file. */
  async function change(file: string, from: string, to: string): Promise<void> {
    const source = await readFile(join(project, file), 'utf8');
    expect(source.split(from), `${file}: ${from}`).to.have.length.above(1);
    await writeFile(join(project, file), source.replace(from, to));
  }

  it('are up to date, according to graphql-codegen', async () => {
    const { code, output } = await check();
    expect(code, output).to.equal(0);
  });

  it('are not, to graphql-codegen, after one character of openapi.yaml changed', async () => {
    await change('openapi.yaml', 'maxLength: 200', 'maxLength: 201');
    const { code, output } = await check();
    expect(code).to.equal(1);
    expect(output).to.include('generated/validators.ts').and.not.include('generated/schema.ts');
  });

  it('are up to date, according to concordat, until one character of a contract changes', async () => {
    const before = process.cwd();
    process.chdir(project);
    try {
      const checked = () => runInProcess(runProgram, ['check']);
      const { exitCode, stdout, stderr } = await checked();
      expect(exitCode, stdout + stderr).to.equal(0);

      await change('schema.graphql', 'A user, who may write posts.', 'A user, who may write posts!');
      const ofSchema = await checked();
      expect(ofSchema.exitCode).to.equal(1);
      expect(ofSchema.stdout).to.equal('stale: generated/graphql.ts\nstale: generated/schema.ts\n');

      await change('openapi.yaml', 'maxLength: 200', 'maxLength: 201');
      const ofBoth = await checked();
      expect(ofBoth.exitCode).to.equal(1);
      expect(ofBoth.stdout).to.include('stale: generated/validators.ts\n').and.include('generated/schema.ts');
    } finally {
      process.chdir(before);
    }
  });

  it('follow a contract that is watched', async () => {
    const generator = codegen('--watch');
    const exit = once(generator, 'exit');
    try {
      const output: string[] = [];
      generator.stdout.on('data', (chunk) => output.push(String(chunk)));
      generator.stderr.on('data', (chunk) => output.push(String(chunk)));
      const isWatching = () => output.join('').includes('Watching for changes');
      await until(isWatching, () => output.join(''));
      await change('openapi.yaml', 'maxLength: 200', 'maxLength: 201');
      const checks = join(project, 'generated/shared-checks.ts');
      const changed = await readFile(join(project, 'openapi.yaml'), 'utf8');
      let written = performance.now();
      await until(
        async () => {
          // Again and again, because the watcher says that it watches before it does.
          if (performance.now() > written + 5000) {
            await writeFile(join(project, 'openapi.yaml'), changed);
            written = performance.now();
          }
          return (await readFile(checks, 'utf8')).includes('maxLength: 201');
        },
        () => output.join(''),
      );
    } finally {
      generator.kill();
      await exit;
    }
  });
});

/** Asks again until it is so. @throws with what there is to say of it, when it has taken too long */
async function until(isSo: () => boolean | Promise<boolean>, said: () => string): Promise<void> {
  const deadline = performance.now() + WATCH_PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`nothing followed:\n${said()}`);
    await setTimeout(50);
  }
}
