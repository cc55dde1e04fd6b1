/** A real Redis for tests, where its server is installed: on a free port, with nothing on disk. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.js';

const installed = spawnSync('redis-server', ['--version']).status === 0;

/** Why Redis is not available; undefined when it is. */
export const redisAbsence = installed ? undefined : 'redis-server is not installed';

/** Runs a suite that needs Redis, or prints why it is skipped. */
export function withRedis(title: string, suite: () => void): void {
  if (redisAbsence === undefined) describe(title, suite);
  else describe.skip(`${title} (skipped: ${redisAbsence})`, suite);
}

let shared: Promise<RedisServer> | undefined;

/** The server that all tests of this process share. It ends with the process at the latest. */
export function sharedRedis(): Promise<RedisServer> {
  return (shared ??= RedisServer.start());
}

const running = new Set<ChildProcess>();
let directory: string | undefined;
process.once('exit', () => {
  for (const server of running) server.kill('SIGKILL');
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

/** The directory of the files that the servers of this process write. */
function scratch(): string {
  return (directory ??= mkdtempSync(join(tmpdir(), 'concordat-redis-')));
}

export class RedisServer {
  readonly port: number;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, flags: readonly string[]) {
    this.port = port;
    this.#flags = flags;
  }

  /** @param flags - further settings, or the file of a Sentinel */
  static async start(...flags: readonly string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), flags);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${String(this.port)}`;
  }

  /** Kills the server, like a crash. */
  async kill(): Promise<void> {
    const server = this.#process;
    if (server === undefined) return;
    this.#process = undefined;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  }

  /** Makes the server accept connections and commands without answering. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  /** Lets the server answer again, after {@link pause}. */
  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Starts the server after {@link kill}, and waits until it accepts connections. @throws when it ends instead */
  async restart(): Promise<void> {
    const flags = ['--port', String(this.port), '--bind', '127.0.0.1'];
    const memory = this.#flags.includes('--sentinel') ? [] : ['--save', '', '--appendonly', 'no'];
    const server = spawn('redis-server', [...this.#flags, ...flags, ...memory], {
      // A replica writes what it gets from its primary to a file of the working directory.
      cwd: scratch(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = server;
    running.add(server);
    server.once('exit', () => running.delete(server));
    const lines = createInterface({ input: server.stdout });
    for await (const line of lines) {
      if (/ready to accept connections|Sentinel ID is/i.test(line)) {
        // An unread pipe would block it, and this process need not wait for its end.
        server.stdout.resume();
        if (server.stdout instanceof Socket) server.stdout.unref();
        server.unref();
        return;
      }
    }
    throw new Error('redis-server has ended');
  }
}
