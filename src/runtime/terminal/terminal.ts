/** The streams and signals of a command: those of the process, or those of a test; and the line that shows its progress. */

import type { AddressInfo, Server } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Report } from './finding.js';
import { type ReportFormat, reportText } from './reports.js';
import { writeSync } from 'node:fs';

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** The result, for people or for scripts. */
  readonly stdout: Output;
  /** Everything else: errors, prompts and progress. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves at the first SIGINT or SIGTERM. The signals are handled only after the first call. */
  untilStopped(): Promise<void>;
}

/**
 * The time in milliseconds within which another signal counts as the same one. A terminal sends Ctrl-C to npm and to the program
 * that npm started, and npm passes it on: the program gets it twice within one or two milliseconds.
 */
const REPEATED_WITHIN = process.env['npm_lifecycle_event'] === undefined ? 0 : 500;

/** The time in milliseconds for which a program of npm lives on after a signal: nothing handles one that comes while the process ends. */
const LIVES_ON = REPEATED_WITHIN / 2;

/** The terminal of this process. */
export const processTerminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  untilStopped: () =>
    new Promise((resolve) => {
      let firstAt: number | undefined;
      for (const [signal, number] of [['SIGINT', 2] as const, ['SIGTERM', 15] as const]) {
        process.on(signal, () => {
          const now = performance.now();
          // A second signal ends the process at once, with the exit code that shells use: 128 plus the signal's number.
          if (firstAt !== undefined && now - firstAt >= REPEATED_WITHIN) process.exit(128 + number);
          if (firstAt === undefined && LIVES_ON > 0) setTimeout(() => undefined, LIVES_ON);
          firstAt ??= now;
          resolve();
        });
      }
    }),
};

/** Writes a line of the result. */
export function print({ stdout }: Terminal, line: string): void {
  stdout.write(`${line}\n`);
}

/** Writes the result for a script: one JSON document on one line. */
export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value));
}

/** Writes the result for another program; nothing if there is nothing to say to it. */
export function printReport(
  terminal: Terminal,
  format: Exclude<ReportFormat, 'text' | 'json'>,
  report: Report,
): void {
  const text = reportText(format, report);
  if (text !== '') print(terminal, text);
}

/** Whether the result is read at a terminal by somebody who has not switched colours off (`NO_COLOR`). */
export function hasColours({ stdout, env }: Terminal): boolean {
  return stdout.isTTY === true && env['NO_COLOR'] === undefined;
}

/** The address of a server that listens on a port. */
export function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;
}

/** The output that the line is written to. */
interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Writes synchronously to the descriptor, because graphql-codegen buffers the streams of the process while it draws its own list. */
const standardError: ProgressOutput = {
  isTTY: process.stderr.isTTY,
  write: (text) => void writeSync(2, text),
};

/** Work that ends within this time, in milliseconds, shows no progress. */
const PATIENCE = 1000;
const WIDTH = 30;
const ERASE = '\r\u001B[K';

/**
 * Returns a function to call after each step. The line appears after one second, is redrawn for each percent, and is removed after
 * the last step. Nothing is written unless the output is a terminal.
 *
 * @param now - the time in milliseconds
 * @example
 * ```ts
 * const progress = progressLine('Compiling checks');
 * for (let done = 1; done <= total; done += 1) progress(done, total);
 * ```
 */
export function progressLine(
  what: string,
  output: ProgressOutput = standardError,
  now: () => number = () => performance.now(),
): (done: number, total: number) => void {
  const start = now();
  let shown = '';
  return (done, total) => {
    if (output.isTTY !== true || (shown === '' && (done >= total || now() - start < PATIENCE))) return;
    const percent = Math.floor((100 * done) / total);
    const bar = '█'.repeat(Math.floor((WIDTH * percent) / 100)).padEnd(WIDTH, '░');
    const text = done >= total ? ERASE : `${ERASE}${what} ${bar} ${String(percent)} %`;
    if (text !== shown) output.write(text);
    shown = text;
  };
}
