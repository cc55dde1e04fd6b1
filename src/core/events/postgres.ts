/** Events through LISTEN and NOTIFY of a PostgreSQL database. */
import pg from 'pg';
import type { Events } from '../ports/events.js';
import {
  type BrokerConnection,
  BrokerEvents,
  type BrokerEventsOptions,
  type ConnectionHandlers,
} from './broker-events.js';

export interface PostgresEventsOptions extends BrokerEventsOptions {
  /** A `postgres://` URL. It must lead to the server itself: a transaction pooler does not keep subscriptions. */
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
  return await BrokerEvents.open((handlers) => connect(url, handlers), options);
}

async function connect(url: string, { received, lost }: ConnectionHandlers): Promise<BrokerConnection> {
  const client = new pg.Client({
    connectionString: url,
    fallback_application_name: 'concordat events',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', lost);
  client.on('end', () => lost('PostgreSQL has closed the connection'));
  client.on('notification', ({ channel, payload = '' }) => received(channel, payload));
  await client.connect();
  // A connection runs one query at a time.
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (text: string, values: string[] = []): Promise<void> => {
    const answer = turn.then(() => client.query({ text, values }));
    turn = answer.catch(() => undefined);
    await answer;
  };
  return {
    listen: (topic) => ask(`listen ${client.escapeIdentifier(topic)}`),
    publish: (topic, id) => ask('select pg_notify($1, $2)', [topic, id]),
    ping: () => ask('select 1'),
    close: () => client.end(),
  };
}
