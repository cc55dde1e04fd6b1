/** The service in a separate process that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { serviceProgram } from '../support/compiled-service.js';
import { until } from '../support/until.js';

export class ServiceProcess {
  readonly url: string;
  /** Its output on stdout so far. */
  readonly lines: readonly string[];
  readonly #process: ChildProcess;

  private constructor(url: string, lines: readonly string[], process: ChildProcess) {
    this.url = url;
    this.lines = lines;
    this.#process = process;
  }

  /**
   * @param directory - where the service was compiled to
   * @param variables - settings in addition to those that all these processes have
   * @throws when it ends instead of listening
   */
  static async start(
    directory: string,
    databaseUrl: string,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [serviceProgram(directory)], {
      env: { DATABASE_URL: databaseUrl, PORT: '0', DEMO_DATA: 'off', LOG_LEVEL: 'error', ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    const started: { url?: string } = {};
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const [url] = /http:\/\/[\d.:]+/.exec(line) ?? [];
      if (url !== undefined) started.url ??= url;
    });
    await until('the service listens or ends', () => started.url !== undefined || child.exitCode !== null);
    if (started.url !== undefined) return new ServiceProcess(started.url, lines, child);
    throw new Error('the service did not start');
  }

  /** Ends the process like `kill -9`, so that it cannot finish anything. A second call has no effect. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exit;
  }
}
