/** Runs a program within this process, with streams and an environment of its own. */

import { Readable, Writable } from 'node:stream';
import type { Terminal } from '@concordat/runtime/terminal';

/** How a run ended. */
export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Program = (parameters: readonly string[], terminal: Terminal) => Promise<number>;

export class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.emit('written');
    done();
  }
}

/**
 * @param input what is piped in
 * @param stop - when the command is told to stop: at once, unless given
 */
export async function runInProcess(
  program: Program,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
  stop: (stdout: Sink) => Promise<void> = () => Promise.resolve(),
): Promise<Run> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const exitCode = await program(parameters, {
    stdin: Readable.from([Buffer.from(input)], { objectMode: false }),
    stdout,
    stderr,
    env,
    untilStopped: () => stop(stdout),
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}
