/** Runs a server that the README shows, which listens on the README's port and does not say when. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import type { Consumer } from './consumer.js';

/** Runs a compiled server of a project on its own port, and always stops it. */
export async function serving(
  { directory }: Consumer,
  file: string,
  test: (port: number) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const path = join(directory, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace('listen(3000)', `listen(${String(port)})`));
  const server = spawn(process.execPath, [file], { cwd: directory, stdio: 'inherit' });
  const exit = once(server, 'exit');
  try {
    await listening(port, server);
    await test(port);
  } finally {
    server.kill();
    await exit;
  }
}

/** Asks until it answers, or is gone. */
async function listening(port: number, server: ChildProcess): Promise<void> {
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${String(port)}/`);
      return;
    } catch (error) {
      if (server.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
