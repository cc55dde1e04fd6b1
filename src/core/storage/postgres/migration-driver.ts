/** A Kysely driver that runs migrations on the storage's pool. */
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { PostgresConnection } from './connection.js';
import { databaseDeadlines } from './deadlines.js';
import type { PostgresPool } from './pool.js';

/** No limit: a migration may take long, and so may waiting for another process that runs it. */
const patienceMs = 0;

export class MigrationDriver implements Driver {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<MigrationConnection> {
    return new MigrationConnection(await PostgresConnection.open(this.#pool, patienceMs));
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
    for (const deadline of Object.keys(databaseDeadlines)) {
      await connection.executeQuery(CompiledQuery.raw(`set local ${deadline} = 0`));
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  releaseConnection(connection: MigrationConnection): Promise<void> {
    connection.connection.release();
    return Promise.resolve();
  }

  /** Does nothing: the pool stays open for the storage. */
  async destroy(): Promise<void> {}
}

class MigrationConnection implements DatabaseConnection {
  readonly connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: (await this.connection.ask(query)) as Row[] }; // Kysely knows the row type of its query
  }

  streamQuery(): never {
    throw new Error('Migrations do not stream query results');
  }
}
