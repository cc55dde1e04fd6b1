/** Events through LISTEN and NOTIFY of a PostgreSQL database. */
import pg from 'pg';
import type { Events } from '../ports/events.js';
import { withAddress } from '../model/error.js';
import { namedSocket } from '../servers/names.js';
import { requireRole, serverRoleOf, serverUrls } from '../servers/server-urls.js';
import {
  type BrokerConnection,
  BrokerEvents,
  type BrokerEventsOptions,
  type ConnectionHandlers,
} from './broker-events.js';

export interface PostgresEventsOptions extends BrokerEventsOptions {
  /**
   * A `postgres://` URL, of one host or of several, as for the storage. It must lead to the server itself: a transaction pooler does not
   * keep subscriptions.
   */
  readonly url: string;
}

/**
 * Opens one connection to a database; events go to every process that is connected to the same database. The topic is the
 * channel, and the id is the payload.
 *
 * @typeParam More the application's own topics
 * @throws ServiceError `unavailable` when the database does not answer
 *
 * @example
 * ```ts
 * const events = await postgresEvents({ url: 'postgres://concordat@localhost/concordat' });
 * ```
 */
export async function postgresEvents<More extends string = never>({
  url,
  ...options
}: PostgresEventsOptions): Promise<Events<More>> {
  return await BrokerEvents.open((handlers) => connectToFitting(url, handlers), options);
}

/** Connects to the first server that answers and has the role. @throws the error of the first server */
async function connectToFitting(url: string, handlers: ConnectionHandlers): Promise<BrokerConnection> {
  const errors: unknown[] = [];
  for (const each of serverUrls(url)) {
    try {
      return await connect(each, serverRoleOf(url), handlers);
    } catch (error) {
      errors.push(error);
    }
  }
  throw errors[0];
}

async function connect(
  url: string,
  role: string,
  { received, lost }: ConnectionHandlers,
): Promise<BrokerConnection> {
  const client = new pg.Client({
    connectionString: url,
    fallback_application_name: 'concordat events',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    stream: namedSocket,
  });
  const server = { host: client.host, port: client.port };
  // Until it is connected, its errors are those of the promise.
  client.on('error', () => undefined);
  client.on('notification', ({ channel, payload = '' }) => received(channel, payload));
  try {
    await client.connect();
    await requireRole(client, role);
  } catch (error) {
    void client.end().catch(() => undefined);
    throw withAddress(error, server);
  }
  client.on('error', lost);
  client.on('end', () => lost(new Error('PostgreSQL has closed the connection')));
  // A connection runs one query at a time.
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (text: string, values: string[] = []): Promise<void> => {
    const answer = turn.then(() => client.query({ text, values }));
    turn = answer.catch(() => undefined);
    await answer;
  };
  return {
    server,
    listen: (topic) => ask(`listen ${client.escapeIdentifier(topic)}`),
    publish: (topic, id) => ask('select pg_notify($1, $2)', [topic, id]),
    close: () => client.end(),
  };
}
