/**
 * Starts the PostgreSQL that all processes of a run share, before mocha starts these processes. Redis is not shared: one more starts in 20
 * milliseconds.
 */

import { PostgresServer } from './postgres-server.js';

let postgres: PostgresServer | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  postgres = await PostgresServer.start();
  process.env['TEST_POSTGRES'] = postgres.installation;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await postgres?.stop();
}
