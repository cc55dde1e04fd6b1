/** How long a program takes from `node` to its first answer. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from '../architecture/source-tree.js';
import { SERVER_CORE, onCore } from './cores.js';
import { cpuSeconds, residentMebibytes } from './process-usage.js';
import { SETTINGS } from './server-process.js';

export interface FirstAnswer {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
  /** The CPU time until then, in microseconds. */
  readonly cpu: number;
  /** The memory that it has soon after. */
  readonly mebibytes: number;
}

/**
 * Starts a program that prints its URL once it listens, and asks for a path at once.
 *
 * @param parameters - of Node: the file, and its own
 */
export async function firstAnswer(
  parameters: readonly string[],
  path: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<FirstAnswer> {
  const [program, ...rest] = onCore(SERVER_CORE, [process.execPath, ...parameters]);
  const began = performance.now();
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { ...process.env, ...SETTINGS, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  try {
    const response = await fetch((await urlOf(child)) + path);
    const text = await response.text();
    const milliseconds = performance.now() - began;
    const cpu = cpuSeconds(child.pid) * 1e6;
    await setTimeout(200);
    return { status: response.status, text, milliseconds, cpu, mebibytes: residentMebibytes(child.pid) };
  } finally {
    child.kill();
    await exit;
  }
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the output is not read');
  for await (const line of createInterface({ input: stdout })) {
    const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    // Its output must still be read: a full pipe would block it.
    stdout.resume();
    return url;
  }
  throw new Error('the server did not start');
}
