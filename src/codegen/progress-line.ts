/** One line on a terminal that says how far a large contract has come. */

import { writeSync } from 'node:fs';

/** What the line is written to. */
export interface ProgressOutput {
  readonly isTTY: boolean;
  write(text: string): void;
}

/** Written at once: graphql-codegen holds back what goes through the streams of the process while its own list is drawn. */
const standardError: ProgressOutput = {
  isTTY: process.stderr.isTTY,
  write: (text) => void writeSync(2, text),
};

/** What has fewer steps is done before anybody could read about it. */
const FEWEST_STEPS = 400;
const WIDTH = 30;
const ERASE = '\r\u001B[K';

/**
 * Makes the function to call after each step. The line is drawn anew for each percent, and is gone after the last step;
 * nothing is written where nobody watches.
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
