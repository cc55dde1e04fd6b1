/** Stores of any size, in both databases. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { sqliteStorage } from '../../../src/core/storage/sqlite.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { fillStore } from '../../support/fill-store.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { progressBar } from './progress-bar.js';

export interface GrownStore {
  readonly storage: Storage;
  /** As `DATABASE_URL`, for a service on it. */
  readonly url: string;
}

/** A kind of database in which several stores can be created. */
export interface StoreMaker {
  /** Creates a store with this many users and this many posts. */
  make(rows: number): Promise<GrownStore>;
  /** Removes everything; call it once the stores are closed. */
  remove(): Promise<void>;
}

export async function sqliteStores(): Promise<StoreMaker> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-growth-'));
  return {
    async make(rows) {
      const path = join(directory, `${rows}.db`);
      await (await sqliteStorage({ path })).close();
      const database = new DatabaseSync(path);
      database.exec('pragma synchronous = off'); // only while it is filled; the store sets its own value
      const execute = (statement: string): void => database.exec(statement);
      await fillStore({ kind: 'sqlite', execute }, { users: rows, posts: rows }, progressBar('SQLite    '));
      database.close();
      return { storage: await sqliteStorage({ path }), url: `sqlite:${path}` };
    },
    remove: () => rm(directory, { recursive: true }),
  };
}

export async function postgresStores(): Promise<StoreMaker> {
  const server = await PostgresServer.start();
  return {
    async make(rows) {
      const url = await server.createDatabase();
      await (await postgresStorage({ url })).close();
      const client = new pg.Client(url);
      await client.connect();
      const execute = async (statement: string): Promise<void> => {
        await client.query(statement);
      };
      await fillStore({ kind: 'postgres', execute }, { users: rows, posts: rows }, progressBar('PostgreSQL'));
      await client.query('vacuum analyze'); // the server would do this by itself a minute later
      await client.end();
      return { storage: await postgresStorage({ url }), url };
    },
    remove: () => server.stop(),
  };
}
