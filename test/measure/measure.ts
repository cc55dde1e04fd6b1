/**
 * Measures this repository: `npm run measure -- tests TEXT` shows the CPU and wall time of test files, the dearest first;
 * `npm run measure -- alone TEXT` the test files that fail by themselves; `npm run measure -- house COMMIT` the sizes of the source.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileCost } from './file-cost.js';
import { measuredHouse } from './house.js';

const SHOWN = 40;

const [subject, ...parameters] = process.argv.slice(2);
if (subject === 'tests') measureTests();
else if (subject === 'alone') runAlone();
else if (subject === 'house') console.log(measuredHouse(parameters[0]));
else {
  console.error('measure (tests | alone) [TEXT] [--systems | --all]\nmeasure house [COMMIT]');
  process.exitCode = 1;
}

function measureTests(): void {
  const folder = mkdtempSync(join(tmpdir(), 'concordat-measure-'));
  const record = join(folder, 'costs.jsonl');
  try {
    const hooks = '--require=./test/measure/file-cost.ts';
    const { status } = spawnSync(process.execPath, ['.ci/test.js', hooks, ...parameters], {
      stdio: 'inherit',
      env: { ...process.env, MEASURED_COSTS: record },
    });
    process.exitCode = status ?? 1;
    if (existsSync(record)) console.log(tableOf(readFileSync(record, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs each file in a process of its own, at the lowest priority. */
function runAlone(): void {
  const { stdout } = spawnSync(process.execPath, ['.ci/test.js', '--list', ...parameters], {
    encoding: 'utf8',
  });
  const files = stdout.split('\n').filter((line) => line !== '');
  const modes = parameters.filter((each) => each.startsWith('-'));
  const failed = files.filter((file) => {
    const command = ['-n', '19', process.execPath, '.ci/test.js', '--no-parallel', file, ...modes];
    const { status, stdout: report } = spawnSync('nice', command, { encoding: 'utf8' });
    if (status !== 0) console.log(`${file}\n${report}`);
    return status !== 0;
  });
  console.log(`${String(files.length)} files, of which ${String(failed.length)} fail alone`);
  for (const file of failed) console.log(file);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** A table in Markdown. Times are in seconds. */
function tableOf(record: string): string {
  const costs = record
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FileCost)
    .sort((one, other) => other.own + other.started - one.own - one.started);
  const sum = (of: (cost: FileCost) => number): string =>
    seconds(costs.reduce((all, each) => all + of(each), 0));
  const totals = `${sum(({ own }) => own)} of CPU in the tests, ${sum(({ started }) => started)} in the processes that they start`;
  return [
    `${String(costs.length)} files: ${totals}, ${sum(({ wall }) => wall)} of wall time`,
    '',
    '| File | CPU | of processes | wall | processes |',
    '|---|---|---|---|---|',
    ...costs.slice(0, SHOWN).map(({ file, own, started, wall, programs }) => {
      const names = Object.entries(programs).map(([name, count]) => `${String(count)} ${name}`);
      return `| ${file} | ${[own, started, wall].map(seconds).join(' | ')} | ${names.join(', ')} |`;
    }),
  ].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
