/**
 * Runs the tests on one mutant after another, and lists those that no test notices: `npm run test:mutants -- TEXT` takes some.
 * `--nearest=20` runs the twenty nearest test files only, and not all that import the mutant's file. The test file that a line names runs
 * before these. `--simulator` plays three minutes of worlds on each of `simulator.txt` in their place, from seed 1.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { importersIn, testsOf } from './import-graph.js';
import { type Mutant, readMutants } from './mutant.js';

const root = join(import.meta.dirname, '..', '..');

/** How many test files run before the next are tried: most mutants are noticed by the nearest. */
const PARTS = [4, 16, 64, Infinity];

/** A mutant that never ends is noticed too: after two minutes of one file, and ten of many. */
const PATIENCE_MS = { file: 120_000, most: 600_000 };

/** The time in which the simulator must notice a mutant. */
const SIMULATED_SECONDS = 180;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  // git also lists files that are deleted and not committed.
  .filter((file) => file !== '' && existsSync(join(root, file)));
// All else reads the copy, since files may be written or deleted here meanwhile.
const copy = copyRepository();

/** A copy of the repository, in which mutants harm nobody. Its packages are those of this one, but not the four of its own. */
function copyRepository(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'concordat-mutants-')));
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { force: true });
  }
  linkPackages(join(root, 'node_modules'), join(copy, 'node_modules'));
  // The build copies these files of other packages beside the programs.
  const assets = 'src/service/dist/assets';
  mkdirSync(dirname(join(copy, assets)), { recursive: true });
  symlinkSync(join(root, assets), join(copy, assets));
  return copy;
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true });
    else if (entry.name === '@concordat') linkPackages(source, target);
    else symlinkSync(source, target);
  }
}

/** @returns whether the tests pass */
async function passes(copy: string, tests: readonly string[]): Promise<boolean> {
  const parameters = ['mocha', '--bail', '--reporter', 'min', ...tests];
  const run = spawn('npx', parameters, { cwd: copy, stdio: 'ignore', detached: true });
  const timer = setTimeout(
    () => {
      if (run.pid !== undefined) process.kill(-run.pid, 'SIGKILL');
    },
    Math.min(tests.length * PATIENCE_MS.file, PATIENCE_MS.most),
  );
  const [code] = (await once(run, 'exit')) as [number | null];
  clearTimeout(timer);
  return code === 0;
}

/** The tests that failed for some mutant. They must pass without one. */
const noticing = new Set<string>();

/** The first part of the tests that notices a mutant; undefined when none does. */
async function noticedByTests(
  copy: string,
  { file, test }: Mutant,
  importers: Awaited<ReturnType<typeof importersIn>>,
): Promise<string | undefined> {
  const nearest = testsOf(file, importers).slice(0, Number(limit));
  const tests = [...new Set([...[test].flatMap((each) => each ?? []), ...nearest])];
  let start = 0;
  for (const size of test === undefined ? PARTS : [1, ...PARTS]) {
    const part = tests.slice(start, start + size);
    if (part.length > 0 && !(await passes(copy, part))) {
      for (const each of part) noticing.add(each);
      return `files ${String(start + 1)} to ${String(start + part.length)} of ${String(tests.length)}`;
    }
    start += size;
  }
  return undefined;
}

/** The seed and the step in which the simulator notices a mutant; undefined when it does not. */
async function noticedBySimulator(copy: string, { test = '' }: Mutant): Promise<string | undefined> {
  const seconds = ['--seed', '1', '--seconds', String(SIMULATED_SECONDS)];
  const parameters = ['run', '-s', 'simulate', '--', ...seconds, ...test.split(' ').filter(Boolean)];
  const run = spawn('npm', parameters, { cwd: copy, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  let found: string | undefined;
  const ended = once(run, 'exit');
  for await (const line of createInterface({ input: run.stdout })) {
    found = /^Seed \d+ fails in step .*/.exec(line)?.[0];
    if (found === undefined) continue;
    // It would shrink the run.
    if (run.pid !== undefined) process.kill(-run.pid, 'SIGKILL');
    break;
  }
  const [code] = (await ended) as [number | null];
  return found ?? (code === 0 ? undefined : `its end with ${String(code)}`);
}

/** Changes the sources while some work runs. */
async function within<T>(copy: string, { sources }: Mutant, work: () => Promise<T>): Promise<T> {
  const originals = [...sources.keys()].map((file) => [file, readFileSync(join(copy, file))] as const);
  for (const [file, source] of sources) writeFileSync(join(copy, file), source);
  try {
    return await work();
  } finally {
    for (const [file, source] of originals) writeFileSync(join(copy, file), source);
  }
}

const [limit = 'Infinity'] = process.argv.flatMap((each) => /^--nearest=(\d+)$/.exec(each)?.slice(1) ?? []);
const wanted = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const isSimulated = process.argv.includes('--simulator');
const { mutants, stale } = readMutants(copy, files, isSimulated ? 'simulator.txt' : 'mutants.txt');
const chosen = mutants.filter(
  ({ text }) => wanted.length === 0 || wanted.some((each) => text.includes(each)),
);
// Those among the templates of projects run in no project here.
const tests = files.filter((file) => file.startsWith('test/') && file.endsWith('.test.ts'));
const importers = isSimulated ? undefined : await importersIn(copy, tests);
const survivors: string[] = [];
const failing: string[] = [];
try {
  for (const mutant of chosen) {
    const started = performance.now();
    const noticed = await within(copy, mutant, () =>
      importers === undefined ? noticedBySimulator(copy, mutant) : noticedByTests(copy, mutant, importers),
    );
    if (noticed === undefined) survivors.push(mutant.text);
    const seconds = Math.round((performance.now() - started) / 1000);
    const outcome = noticed === undefined ? 'SURVIVES' : `is noticed by ${noticed}`;
    console.log(`${outcome}, ${String(seconds)} s: ${mutant.text}`);
  }
  for (const each of noticing) if (!(await passes(copy, [each]))) failing.push(each);
} finally {
  rmSync(copy, { recursive: true });
}
console.log(`${String(chosen.length)} mutants, ${String(survivors.length)} survive`);
for (const each of survivors) console.log(`survives: ${each}`);
for (const each of stale) console.log(`does not fit the sources: ${each}`);
for (const each of failing) console.log(`fails without a mutant: ${each}`);
process.exitCode = survivors.length + stale.length + failing.length > 0 ? 1 : 0;
