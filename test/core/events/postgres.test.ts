/** Runs the conformance suite and the broker suite on the PostgreSQL events with a real server. */
import pg from 'pg';
import { postgresEvents } from '../../../src/core/events/postgres.js';
import { PostgresServer } from '../../support/postgres-server.js';
import { type Broker, testBroker } from './broker-suite.js';

class PostgresBroker implements Broker {
  #server: PostgresServer | undefined;
  #url = '';

  async start(): Promise<void> {
    this.#server = await PostgresServer.start();
    this.#url = await this.#server.createDatabase();
  }

  open(options = {}) {
    return postgresEvents<'STOCK_COUNTED'>({ url: this.#url, ...options });
  }

  async connections(): Promise<number> {
    const observer = new pg.Client(this.#url);
    await observer.connect();
    const { rowCount } = await observer.query(
      'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await observer.end();
    return rowCount ?? 0;
  }

  kill = async () => await this.#server?.kill();
  restart = async () => await this.#server?.restart();
  stop = async () => await this.#server?.stop();
}

describe('postgresEvents', () => {
  testBroker(new PostgresBroker(), 1);
});
