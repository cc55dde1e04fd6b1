/** The CPU time of programs, of all their threads, from their start to their end. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../compare.js';

/** A program that Node runs: its file and arguments, and where it runs. */
export interface Program {
  readonly args: readonly string[];
  readonly directory: string;
  /** Runs before each turn, unmeasured. */
  readonly prepare?: () => Promise<void> | void;
}

/** Loaded before the program: at its end it writes what it has used. */
const METER = `data:text/javascript,${encodeURIComponent(
  `import { writeFileSync } from 'node:fs';
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

async function cpuOf({ args, directory, prepare }: Program): Promise<number> {
  await prepare?.();
  const folder = mkdtempSync(join(tmpdir(), 'concordat-desk-'));
  const file = join(folder, 'cpu');
  try {
    const child = spawn(process.execPath, ['--import', METER, ...args], {
      cwd: directory,
      env: { ...process.env, CPU_TIME_FILE: file, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${said.slice(-500)}`);
    const { user, system } = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.CpuUsage;
    return (user + system) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
