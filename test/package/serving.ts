/** Runs a server that the README shows, which listens on the README's port and does not say when. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import type { Consumer } from './consumer.js';

/**
 * Runs a compiled server of a project on a port of its own, and stops it after the test, also where that fails.
 *
 * @param test - is given the port, and what the server has written to stdout so far
 * @param settings - environment variables; `PORT` is the port
 */
export async function serving(
  { directory }: Consumer,
  file: string,
  test: (port: number, output: () => string) => Promise<void>,
  settings: NodeJS.ProcessEnv = {},
): Promise<void> {
  const port = await freePort();
  const path = join(directory, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace('listen(3000)', `listen(${String(port)})`));
  const server = spawn(process.execPath, [file], {
    cwd: directory,
    env: { ...process.env, PORT: String(port), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  server.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const exit = once(server, 'exit');
  try {
    await listening(port, server);
    await test(port, () => output);
  } finally {
    server.kill();
    await exit;
  }
}

/** Sends requests until the server answers, or has exited. */
async function listening(port: number, server: ChildProcess): Promise<void> {
  for (;;) {
    try {
      const { body } = await fetch(`http://127.0.0.1:${String(port)}/`);
      await body?.cancel();
      return;
    } catch (error) {
      if (server.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
