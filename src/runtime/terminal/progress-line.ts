/** One line on a terminal that shows the progress of work that takes longer than a second. */

import { writeSync } from 'node:fs';

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
