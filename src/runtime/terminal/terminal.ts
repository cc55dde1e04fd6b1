/** What a command reads from and writes to: the process in life, and whatever a test puts in its place. */

import type { Readable, Writable } from 'node:stream';

/** A stream that a person may sit at. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** The result, for people or for scripts. */
  readonly stdout: Output;
  /** Everything else: what went wrong, prompts and progress. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves when the person or the system says that it is enough, which is never unless somebody waits for it. */
  untilStopped(): Promise<void>;
}

/** The terminal that this process has. */
export const processTerminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  untilStopped: () =>
    new Promise((resolve) => {
      let isTold = false;
      for (const [signal, number] of [['SIGINT', 2] as const, ['SIGTERM', 15] as const]) {
        process.on(signal, () => {
          // Who says it twice does not want to wait. The code is that of a shell: 128 and the signal's number.
          if (isTold) process.exit(128 + number);
          isTold = true;
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
