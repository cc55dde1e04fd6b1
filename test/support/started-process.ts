/** The service in a separate process, with its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { serviceProgram } from './compiled-service.js';
import { until } from './until.js';

export interface StartedProcess {
  readonly child: ChildProcess;
  /** Its output so far, on stdout and stderr. */
  readonly output: () => string;
  /** Its URL; empty when it has ended instead. */
  readonly url: string;
  /** The exit code, once the process has ended and all of its output is read. */
  readonly exit: Promise<number | null>;
}

/**
 * Waits until it listens or ends. The caller must end it.
 *
 * @param directory - where the service was compiled to
 */
export async function startProcess(
  directory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  const child = spawn(process.execPath, [serviceProgram(directory)], {
    env: { DATABASE_URL: 'memory:', PORT: '0', DEMO_DATA: 'off', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  const exit = once(child, 'close').then(([code]) => code as number | null);
  await until('the service listens or ends', () => text.includes('listens on') || child.exitCode !== null);
  const [, url = ''] = /listens on (\S+)/.exec(text) ?? [];
  return { child, output: () => text, url, exit };
}
