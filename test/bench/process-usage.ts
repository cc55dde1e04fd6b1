/** What another process has used, as Linux tells; elsewhere it is not a number. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

let ticks: number | undefined;

/** How many parts of a second the system counts. */
function ticksPerSecond(): number {
  return (ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })));
}

/** The CPU time of a process so far, of all its threads, in seconds. */
export function cpuSeconds(pid: number | undefined): number {
  const stat = read(pid, 'stat');
  if (stat === undefined) return Number.NaN;
  // The name of the program, in parentheses, may have spaces. User and system time are the fields 14 and 15 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond();
}

/** The memory that a process has now, in MiB. */
export function residentMebibytes(pid: number | undefined): number {
  return statusMebibytes(pid, 'VmRSS');
}

/** The most memory that a process has had, in MiB. */
export function peakMebibytes(pid: number | undefined): number {
  return statusMebibytes(pid, 'VmHWM');
}

function statusMebibytes(pid: number | undefined, field: string): number {
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(read(pid, 'status') ?? '') ?? [];
  return Number(kibibytes) / 1024;
}

function read(pid: number | undefined, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
