/** A real Redis for tests, where its server is installed: on a free port, with nothing on disk. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
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

export class RedisServer {
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.restart();
    process.once('exit', () => server.#process?.kill('SIGKILL'));
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${String(this.#port)}`;
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
    const flags = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const server = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#process = server;
    const lines = createInterface({ input: server.stdout });
    for await (const line of lines) {
      if (/ready to accept connections/i.test(line)) {
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
