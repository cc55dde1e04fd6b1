/** Hooks for mocha that record what each test file costs: its CPU time, that of the processes it started, and its wall time. */

import { ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

/** A line of the record. Times are in milliseconds. */
export interface FileCost {
  readonly file: string;
  readonly wall: number;
  /** CPU time of the process that ran the tests. */
  readonly own: number;
  /** CPU time of the processes that it started. */
  readonly started: number;
  /** The programs that the file started, with a count of each. */
  readonly programs: Readonly<Record<string, number>>;
}

const MS_PER_TICK = 10;

/** @returns the CPU times in `/proc/PID/stat`: of the process itself, and of the processes that it has waited for */
function ticksOf(pid: number | 'self'): readonly [own: number, waited: number] {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name of the program is in parentheses and may have spaces. The 14th field is the 12th after it.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = fields.slice(11, 15);
    return [user + system, waitedUser + waitedSystem];
  } catch {
    // It has just ended, or there is no /proc.
    return [0, 0];
  }
}

function childrenOf(pid: number | 'self'): readonly number[] {
  try {
    const folder = `/proc/${String(pid)}/task/${String(pid === 'self' ? process.pid : pid)}`;
    return readFileSync(`${folder}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function liveTicks(pid: number): number {
  const [own, waited] = ticksOf(pid);
  return childrenOf(pid).reduce((sum, child) => sum + liveTicks(child), own + waited);
}

function startedMs(): number {
  const [, waited] = ticksOf('self');
  return childrenOf('self').reduce((sum, child) => sum + liveTicks(child), waited) * MS_PER_TICK;
}

let programs: Record<string, number> = {};
// It is not in Node's documentation that `spawn`, `execFile` and `fork` all pass here.
const prototype = ChildProcess.prototype as unknown as { spawn: (options: { file: string }) => unknown };
const { spawn } = prototype;
prototype.spawn = function (options) {
  const name = basename(options.file);
  programs[name] = (programs[name] ?? 0) + 1;
  return spawn.call(this, options);
};

// A process imports a file before its hooks run, so each file is measured from the end of the one before.
let cpu = process.cpuUsage();
let started = startedMs();
let wall = performance.now();

export const mochaHooks = {
  beforeAll(): void {
    // In a process of mocha's pool this is the first moment that does not count the time between two files as that of the second.
  },
  afterAll(this: Mocha.Context): void {
    const path = process.env['MEASURED_COSTS'];
    const file = this.test?.parent?.suites[0]?.file;
    if (path === undefined || file === undefined) return;
    const { user, system } = process.cpuUsage(cpu);
    const now = startedMs();
    const cost: FileCost = {
      file: relative(process.cwd(), file),
      wall: performance.now() - wall,
      own: (user + system) / 1000,
      started: Math.max(0, now - started),
      programs,
    };
    appendFileSync(path, `${JSON.stringify(cost)}\n`);
    cpu = process.cpuUsage();
    started = now;
    wall = performance.now();
    programs = {};
  },
};
