/** Processes of the service, which are started, stopped and killed, and its commands. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Fault } from '../calls.js';

/** Who reads what a process writes. */
export interface Reader {
  readonly line: (line: string) => void;
  readonly error: (text: string) => void;
}

export class Instance {
  /** What it wrote to standard error. */
  #errors = '';

  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
  ) {}

  /** @param command - the arguments of Node. @throws {@link Fault} if it ends before it listens */
  static async start(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    reader: Reader,
  ): Promise<Instance> {
    const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', reader.error);
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        reader.line(line);
        const [, found] = /listens on (http:[^"\s]+)/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', (code) => {
        reject(new Fault(`the service ended with ${String(code)} before it listened`));
      });
    });
    const instance = new Instance(url, child);
    child.stderr.on('data', (text: string) => (instance.#errors += text));
    return instance;
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Ends it as a deployment does. @throws {@link Fault} unless it ends with 0 */
  async stop(): Promise<void> {
    const exit = once(this.process, 'close');
    this.process.kill('SIGTERM');
    const [code, signal] = (await exit) as [number | null, string | null];
    if (code !== 0)
      throw new Fault(`the service that was to stop ended with ${String(code ?? signal)}: ${this.#errors}`);
  }

  /** Ends it as a failing machine does. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const exit = once(this.process, 'close');
    this.process.kill('SIGKILL');
    await exit;
  }

  /** What the process has open, by kind: `socket`, `file` and others. Empty where there is no `/proc`. */
  descriptors(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    const folder = `/proc/${String(this.process.pid)}/fd`;
    try {
      for (const name of readdirSync(folder)) {
        const target = linkOf(`${folder}/${name}`);
        const kind = /^(socket|pipe|anon_inode)/.exec(target)?.[1] ?? 'file';
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    } catch {
      return new Map();
    }
    return counts;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}

/**
 * Runs a command to its end.
 *
 * @param command - the arguments of Node
 * @param killAfterMs - it is killed unless it has ended by then
 */
export function runCommand(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  killAfterMs?: number,
): Promise<{ readonly error: Error | null; readonly output: string }> {
  const killing = killAfterMs !== undefined && ({ timeout: killAfterMs, killSignal: 'SIGKILL' } as const);
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env, ...killing }, (error, stdout, stderr) => {
      resolve({ error, output: stdout + stderr });
    });
  });
}
