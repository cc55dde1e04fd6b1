/** A server to measure, in its own Node process on its own core. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ROOT } from '../architecture/source-tree.js';
import { SERVER_CORE, onCore } from './cores.js';

/** A service on the memory store, without request logs. */
const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE_URL: 'memory:',
  AUTH_POLICY: 'open',
  DEMO_DATA: 'off',
  LOG_LEVEL: 'error',
};

export class ServerProcess {
  private constructor(
    /** Its URL: the first one that it prints. */
    readonly url: string,
    private readonly process: ChildProcess,
  ) {}

  get pid(): number | undefined {
    return this.process.pid;
  }

  /**
   * Starts Node with these parameters, and waits until the server prints its URL.
   *
   * @throws when the process ends before that
   */
  static start(...parameters: readonly string[]): Promise<ServerProcess> {
    return ServerProcess.#start(parameters, {});
  }

  /** Starts the service with these settings. @param openFiles - how many files it may have open */
  static startService(
    settings: Readonly<Record<string, string>> = {},
    openFiles?: number,
  ): Promise<ServerProcess> {
    return ServerProcess.#start(['src/service/bin/concordat-service.js'], settings, openFiles);
  }

  static async #start(
    parameters: readonly string[],
    settings: Readonly<Record<string, string>>,
    openFiles?: number,
  ): Promise<ServerProcess> {
    const command = onCore(SERVER_CORE, [process.execPath, ...parameters]);
    const [program, ...rest] =
      openFiles === undefined
        ? command
        : (['sh', '-c', `ulimit -n ${String(openFiles)}; exec "$0" "$@"`, ...command] as const);
    const child = spawn(program, rest, {
      cwd: ROOT,
      env: { ...process.env, ...SETTINGS, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
      if (url === undefined) continue;
      // Its output must still be read: a full pipe would block it.
      child.stdout.resume();
      return new ServerProcess(url, child);
    }
    throw new Error(`the server did not start: ${parameters.join(' ')}`);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill();
    await exit;
  }
}
