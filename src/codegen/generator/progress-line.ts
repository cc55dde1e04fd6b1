/** One line on a terminal that shows the progress of compiling a large contract. */

import { writeSync } from 'node:fs';

/** The output that the line is written to. */
interface ProgressOutput {
  readonly isTTY: boolean;
  write(text: string): void;
}

/** Writes synchronously to the descriptor, because graphql-codegen buffers the streams of the process while it draws its own list. */
const standardError: ProgressOutput = {
  isTTY: process.stderr.isTTY,
  write: (text) => void writeSync(2, text),
};

/** Work with fewer steps ends too quickly to show progress. */
const FEWEST_STEPS = 400;
const WIDTH = 30;
const ERASE = '\r\u001B[K';

/**
 * Returns a function to call after each step. The line is redrawn for each percent, and is removed after the last step. Nothing
 * is written unless the output is a terminal.
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
    output.write(done === total ? ERASE : lineOf(what, done, total));
  };
}

/** Work that ends within this time, in milliseconds, shows no progress. */
const PATIENCE = 1000;

/**
 * Returns a function to call for each stage of the work. That function returns another one, to call after each step of the stage.
 * The line appears after one second, shows the current stage, and is removed after the last step of the stage.
 *
 * @param now - the time in milliseconds
 * @example
 * ```ts
 * const stages = progressStages();
 * const progress = stages('Reading contracts');
 * for (let done = 1; done <= 2; done += 1) progress(done, 2);
 * ```
 */
export function progressStages(
  output: ProgressOutput = standardError,
  now: () => number = () => performance.now(),
): (what: string) => (done: number, total: number) => void {
  const start = now();
  let shown = '';
  return (what) => (done, total) => {
    if (!output.isTTY || (shown === '' && now() - start < PATIENCE)) return;
    const text = done >= total ? ERASE : lineOf(what, done, total);
    if (text !== shown && !(text === ERASE && shown === '')) output.write(text);
    shown = text;
  };
}

function lineOf(what: string, done: number, total: number): string {
  const filled = Math.floor((WIDTH * done) / total);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  return `${ERASE}${what} ${bar} ${String(Math.floor((100 * done) / total))} %`;
}
