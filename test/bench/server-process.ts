/** A server to measure, in its own Node process on its own core. It writes its log to a file, so that nobody must read it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from '../architecture/source-tree.js';
import { SERVER_CORE, onCore } from './cores.js';

/** A service on the memory store, without request logs. */
export const SETTINGS = {
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

  /**
   * Starts the service with these settings.
   *
   * @param openFiles - how many files it may have open
   * @param root - the checkout that has the service
   */
  static startService(
    settings: Readonly<Record<string, string>> = {},
    openFiles?: number,
    root = ROOT,
  ): Promise<ServerProcess> {
    return ServerProcess.#start([join(root, 'src/service/bin/concordat-service.js')], settings, openFiles);
  }

  /** Starts a process that delivers events, with these settings. */
  static startDeliveries(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
    return ServerProcess.#start([join(ROOT, 'src/service/bin/concordat-service.js'), 'deliver'], settings);
  }

  /** Starts Node with these parameters and settings. @param openFiles - how many files it may have open */
  static startNode(
    parameters: readonly string[],
    settings: Readonly<Record<string, string>>,
    openFiles: number,
  ): Promise<ServerProcess> {
    return ServerProcess.#start(parameters, settings, openFiles);
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
    const directory = mkdtempSync(join(tmpdir(), 'concordat-bench-'));
    const path = join(directory, 'output');
    const output = openSync(path, 'w');
    try {
      const child = spawn(program, rest, {
        cwd: ROOT,
        env: { ...process.env, ...SETTINGS, ...settings },
        stdio: ['ignore', output, 'inherit'],
      });
      while (child.exitCode === null && child.signalCode === null) {
        const url = /http:\/\/[\d.]+:\d+(?=\D)/.exec(readFileSync(path, 'utf8'))?.[0];
        if (url !== undefined) return new ServerProcess(url, child);
        await setTimeout(10);
      }
    } finally {
      closeSync(output);
      // The server writes on into a file that has no name any more, and that ends with it.
      rmSync(directory, { recursive: true });
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
