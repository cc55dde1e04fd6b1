/** The CPU time of programs, of all their threads, from their start to their end. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../compare.js';

/** A program that Node runs: its file and arguments, and where it runs. */
export interface Program {
  readonly args: readonly string[];
  readonly directory: string;
  /** Runs before each turn, unmeasured. */
  readonly prepare?: () => Promise<void> | void;
  /** The exit codes of a success; 0 unless given. */
  readonly exits?: readonly number[];
}

/** Loaded before the program: at its end it writes what it has used. */
const METER = `data:text/javascript,${encodeURIComponent(
  `import { writeFileSync } from 'node:fs';
process.on('SIGUSR2', () => process.exit(0));
process.on('exit', () => writeFileSync(process.env.CPU_TIME_FILE, JSON.stringify(process.cpuUsage())));`,
)}`;

/** The programs take turns. @returns the median CPU time of each, in milliseconds, in the order of the programs */
export async function cpuMilliseconds(
  programs: readonly Program[],
  rounds: number,
): Promise<readonly number[]> {
  const times = programs.map(() => [] as number[]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, program] of programs.entries()) times[index]?.push(await cpuOf(program));
  }
  return times.map(median);
}

async function cpuOf(program: Program): Promise<number> {
  await program.prepare?.();
  const { ended } = spawned(program);
  return ended;
}

/** A server that runs until it is stopped. */
export interface Metered {
  /** What it wrote when it was ready. */
  readonly said: string;
  /** Ends it. @returns its CPU time in milliseconds */
  readonly stop: () => Promise<number>;
}

/** Starts a server, and waits until it writes its address to the standard error or output. */
export async function startMetered(program: Program): Promise<Metered> {
  const { child, said, ended } = spawned(program);
  while (!said().includes('http://')) {
    if (child.exitCode !== null) await ended;
    await sleep(50);
  }
  return {
    said: said(),
    stop: () => {
      child.kill('SIGUSR2');
      return ended;
    },
  };
}

function spawned({ args, directory, exits = [0] }: Program) {
  const folder = mkdtempSync(join(tmpdir(), 'concordat-desk-'));
  const file = join(folder, 'cpu');
  const child = spawn(process.execPath, ['--import', METER, ...args], {
    cwd: directory,
    env: { ...process.env, CPU_TIME_FILE: file, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text = (text + part).slice(-2000)));
  const end = async (): Promise<number> => {
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      if (!exits.includes(code ?? -1))
        throw new Error(`${args.join(' ')} ended with ${String(code)}: ${text.slice(-500)}`);
      const { user, system } = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.CpuUsage;
      return (user + system) / 1000;
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  return { child, said: () => text, ended: end() };
}
