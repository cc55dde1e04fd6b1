/** A real PgBouncer before a PostgreSQL of the tests, where it is installed: on a free port, each transaction with another connection. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';
import { postgresUser } from './postgres-binaries.js';
import { until } from './until.js';

/** Why PgBouncer is not available; undefined when it is. */
export const poolerAbsence =
  spawnSync('pgbouncer', ['--version']).status === 0 ? undefined : 'pgbouncer is not installed';

export class PgBouncer {
  readonly #port: number;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(port: number, child: ChildProcess, directory: string) {
    this.#port = port;
    this.#process = child;
    this.#directory = directory;
  }

  /** @param url - of a database of the server @param settings - lines of its configuration */
  static async start(url: string, settings: readonly string[] = []): Promise<PgBouncer> {
    const { port: serverPort, username, password } = new URL(url);
    const directory = mkdtempSync(join(tmpdir(), 'concordat-pgbouncer-'));
    chmodSync(directory, 0o755);
    const port = await freePort();
    const users = join(directory, 'users.txt');
    writeFileSync(users, `"${username}" "${password}"\n`);
    const file = join(directory, 'pgbouncer.ini');
    const lines = [
      '[databases]',
      `* = host=127.0.0.1 port=${serverPort}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${String(port)}\nunix_socket_dir =`,
      `auth_type = plain\nauth_file = ${users}`,
      ...settings,
    ];
    writeFileSync(file, lines.join('\n'));
    const child = spawn('pgbouncer', [file], { ...postgresUser(), stdio: 'ignore' });
    const pooler = new PgBouncer(port, child, directory);
    process.once('exit', pooler.#kill);
    await until('PgBouncer answers', async () => {
      const client = new pg.Client(pooler.url(url));
      return await client.connect().then(
        () => client.end().then(() => true),
        () => false,
      );
    });
    return pooler;
  }

  /** @param url - of a database of the server @returns the URL of the same database through the pooler */
  url(url: string): string {
    const pooled = new URL(url);
    pooled.port = String(this.#port);
    return pooled.href;
  }

  readonly #kill = (): void => void this.#process.kill();

  stop(): void {
    process.off('exit', this.#kill);
    this.#kill();
    rmSync(this.#directory, { recursive: true });
  }
}
