/** Runs the program within this process, with its own streams and environment. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runProgram } from '../../src/service/cli/program.js';
import { type Run, Sink, runInProcess } from '../support/run-program.js';

export type { Run };

/** A service that starts although a test expects no start stops once it has said so. @param input - the text on standard input */
export function run(
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Run> {
  return runInProcess(runProgram, parameters, env, input, async (stdout) => {
    if (['serve', 'deliver'].includes(parameters[0] ?? 'serve')) await once(stdout, 'written');
  });
}

/** A run of a command that continues until it is told to stop. */
export function start(
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { isTTY = false } = {},
) {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const stderr = new Sink();
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const ended = runProgram(parameters, {
    stdin: Readable.from([]),
    stdout,
    stderr,
    // A fifth of it passes before the connections of `fetch` are closed.
    env: { STOP_TIMEOUT: '1', ...env },
    untilStopped: () => stopped,
  });
  return { stdout, stderr, ended, stop: () => stop() };
}

/** A directory for the calling suite. */
export function useDirectory(): (name: string) => string {
  const directory = mkdtempSync(join(tmpdir(), 'concordat-cli-'));
  after(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return (name) => join(directory, name);
}
