/** Runs the program as separate processes, to test exit codes, signals and terminals. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { compileService, serviceProgram } from '../support/compiled-service.js';
import { atTerminal } from '../support/pseudo-terminal.js';

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly cwd?: string;
  /** Whether it runs at a terminal, which combines both outputs. */
  readonly isAtTerminal?: boolean;
}

/** A run, and its output so far. */
export interface Started {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Types at the terminal, or writes to standard input. */
  readonly write: (text: string) => void;
  /** The exit code as a shell reports it, once all output is written. */
  readonly exit: Promise<number>;
}

/** Compiles the program for the calling suite; processes that it started end with the test. */
export function useProgram(): (parameters: readonly string[], options?: StartOptions) => Started {
  let directory = '';
  const children: ChildProcess[] = [];
  before(async () => {
    directory = await compileService();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(() => rm(directory, { recursive: true }));

  return (parameters, { env = {}, cwd, isAtTerminal = false } = {}) => {
    const command = [process.execPath, serviceProgram(directory), ...parameters];
    const [file = '', ...rest] = isAtTerminal ? atTerminal(command) : command;
    const child = spawn(file, rest, {
      env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.push(child);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.stdin.on('error', () => undefined); // it may end without having read everything
    return {
      child,
      stdout: () => stdout,
      stderr: () => stderr,
      write: (text) => void child.stdin.write(text),
      exit: once(child, 'close').then(([code, signal]: unknown[]) =>
        typeof code === 'number' ? code : 128 + (numbers[String(signal)] ?? 0),
      ),
    };
  };
}

const numbers: Readonly<Record<string, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
