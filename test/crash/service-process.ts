/** The service in a process of its own, which can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export class ServiceProcess {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  /** @param directory where the service was compiled to. @throws when it ends rather than listens */
  static async start(directory: string, databaseUrl: string): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [join(directory, 'dist', 'src', 'cli', 'main.js')], {
      env: { DATABASE_URL: databaseUrl, PORT: '0', DEMO_DATA: 'off', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\/\/[\d.:]+/.exec(line) ?? [];
      if (url !== undefined) return new ServiceProcess(url, child);
    }
    throw new Error('the service did not start');
  }

  /** Ends the process as `kill -9` does: it has no chance to finish anything. Killing twice is killing once. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exit;
  }
}
