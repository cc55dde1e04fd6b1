/** The database and Redis of a world, which are killed, hang and come back. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '../../support/postgres-server.js';
import { RedisServer } from '../../support/redis-server.js';
import type { ServiceSettings } from './draw-service.js';

export type ServerKind = 'database' | 'broker';

/** All worlds of this process have databases of one server. */
let postgres: Promise<PostgresServer> | undefined;

export class Servers {
  #database: PostgresServer | undefined;
  #broker: RedisServer | undefined;
  #files = 0;

  constructor(private readonly which: Pick<ServiceSettings, 'store' | 'redis'>) {}

  async start(): Promise<void> {
    if (this.which.redis) this.#broker = await RedisServer.start();
    if (this.which.store === 'postgres') this.#database = await (postgres ??= PostgresServer.start());
  }

  get settings(): Readonly<Record<string, string>> {
    return this.#broker === undefined ? {} : { EVENTS_URL: this.#broker.url };
  }

  /** @returns the URL of an empty database. @param directory - for the file of one that has a file */
  async newDatabase(directory: string): Promise<string> {
    if (this.#database !== undefined) return await this.#database.createDatabase();
    this.#files += 1;
    return `sqlite:${join(directory, `store-${String(this.#files)}.db`)}`;
  }

  #server(kind: ServerKind): PostgresServer | RedisServer | undefined {
    return kind === 'database' ? this.#database : this.#broker;
  }

  /** Whether it is a process of its own. */
  has(kind: ServerKind): boolean {
    return this.#server(kind) !== undefined;
  }

  async kill(kind: ServerKind): Promise<void> {
    await this.#server(kind)?.kill();
  }

  async restart(kind: ServerKind): Promise<void> {
    await this.#server(kind)?.restart();
  }

  /** Makes it stop answering for a while. */
  async hang(kind: ServerKind, ms: number): Promise<void> {
    await this.#server(kind)?.pause();
    await sleep(ms);
    await this.#server(kind)?.resume();
  }

  async stop(): Promise<void> {
    await this.#broker?.kill();
  }
}
