/** One line on a terminal that shows the progress of compiling a large contract. */

import { writeSync } from 'node:fs';

/** The output that the line is written to. */
export interface ProgressOutput {
  readonly isTTY: boolean;
  write(text: string): void;
}

/** Written synchronously to the descriptor: graphql-codegen buffers the streams of the process while it draws its own list. */
const standardError: ProgressOutput = {
  isTTY: process.stderr.isTTY,
  write: (text) => void writeSync(2, text),
};

/** Work with fewer steps ends too quickly to show progress. */
const FEWEST_STEPS = 400;
const WIDTH = 30;
const ERASE = '\r\u001B[K';

/**
 * Makes the function to call after each step. The line is redrawn for each percent, and is removed after the last step.
 * Nothing is written unless the output is a terminal.
 *
 * @example
 * ```ts
 * const progress = progressLine('checks');
 * for (let done = 1; done <= total; done += 1) progress(done, total);
 * ```
 */
export function progressLine(
  what: string,
  output: ProgressOutput = standardError,
): (done: number, total: number) => void {
  let shown = -1;
  return (done, total) => {
    if (!output.isTTY || total < FEWEST_STEPS) return;
    const percent = Math.floor((100 * done) / total);
    if (percent === shown) return;
    shown = percent;
    const filled = Math.floor((WIDTH * done) / total);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    output.write(done === total ? ERASE : `${ERASE}${what} ${bar} ${String(percent)} %`);
  };
}
