/** Clients that write while the service is killed, and a receiver of its events: none is lost, and none is of a write that was refused. */
import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { webhookSender } from '../../src/core/events/webhooks.js';
import { timestampOf } from '../../src/core/model/timestamp.js';
import { cloudEvent } from '../../src/core/operations/webhooks.js';
import { openPolicy } from '../../src/core/services/rights/policy.js';
import { createServices } from '../../src/core/services/services.js';
import { openStorage } from '../../src/service/open/adapters.js';
import { readSettings } from '../../src/service/settings/settings.js';
import type { PostgresServer } from '../support/postgres-server.js';
import { admin, outboxVariables } from '../support/sign-in.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { ServiceProcess } from './service-process.js';
import type { Random } from './writer.js';

const clients = 8;
/** About as long as the service takes for a few writes of each client and for some of their deliveries. */
const longestRoundMs = 120;
const dayMs = 24 * 60 * 60 * 1000;

interface Product {
  readonly id: string;
  readonly name: string;
}

export interface EventFigures {
  /** The writes that the store has, which is the number of events. */
  writes: number;
  /** The writes that got no answer before the service was killed. */
  unanswered: number;
  refused: number;
  /** The events that arrived more than once, each with the same id. */
  repeated: number;
  /** How often the database was killed too. */
  databaseKills: number;
}

/**
 * Kills the service in every round while clients create products and rename them, with a receiver of the events. At the end, the clock is a day
 * later, and all that is left is delivered.
 *
 * @param server - also killed, in every fifth round
 * @throws AssertionError unless the receiver has one event for each stored write, in the order of each record, and no other
 */
export async function receiveAfterCrashes(
  directory: string,
  databaseUrl: string,
  rounds: number,
  random: Random,
  server?: PostgresServer,
): Promise<EventFigures> {
  const figures = { writes: 0, unanswered: 0, refused: 0, repeated: 0, databaseKills: 0 };
  const receiver = await WebhookReceiver.start();
  let service = await ServiceProcess.start(directory, databaseUrl, outboxVariables);
  try {
    await register(service.url, receiver);
    // On a busy machine, rounds may end before a write does.
    for (let round = 1; round <= rounds || figures.unanswered === 0 || figures.refused === 0; round++) {
      const running = Promise.all(
        Array.from({ length: clients }, (_, client) =>
          write(service.url, `${String(round)}/${String(client)}`, figures),
        ),
      );
      await setTimeout(random() * longestRoundMs * Math.ceil(round / rounds));
      const isServerKilled = server !== undefined && round % 5 === 0;
      await Promise.all([service.kill(), isServerKilled && server.kill()]);
      await running;
      if (isServerKilled) {
        figures.databaseKills += 1;
        await server.restart();
      }
      service = await ServiceProcess.start(directory, databaseUrl, outboxVariables);
    }
  } finally {
    await service.kill();
  }
  const { storage } = await openStorage({ database: readSettings({ DATABASE_URL: databaseUrl }).database });
  try {
    const services = createServices({
      storage,
      policy: openPolicy,
      clock: { now: () => timestampOf(Date.now() + dayMs) },
      outbox: { sender: webhookSender({ allow: ['127.0.0.1'] }), encode: cloudEvent },
    });
    await services.outbox.deliverDue();
    expect(await storage.outbox.countWaiting(undefined, 1), 'deliveries that wait').to.deep.equal([]);
    const stored: string[] = [];
    for (
      let page = 0, products;
      (products = await storage.products.list({ offset: 100 * page, limit: 100 })).length > 0;
      page++
    ) {
      for (const { id, version } of products) {
        stored.push(
          ...Array.from({ length: version }, (_, number) => `product:${id} version ${String(number + 1)}`),
        );
      }
    }
    const { arrived, repeated } = firstArrivals(receiver);
    expect(receiver.refusals).to.deep.equal([]);
    expect(arrived.toSorted(), 'the events that arrived').to.deep.equal(stored.toSorted());
    figures.writes = stored.length;
    figures.repeated = repeated;
  } finally {
    await storage.close();
    await receiver.stop();
  }
  return figures;
}

/** The events by the first arrival of each id. @throws AssertionError for a record whose events are not in order, or have two ids */
function firstArrivals({ taken }: WebhookReceiver) {
  const ids = new Map<string, string>();
  const versions = new Map<string, number>();
  const arrived: string[] = [];
  for (const { id, subject, type, data } of taken) {
    const text = JSON.stringify(data);
    expect(ids.get(id) ?? text, `the event ${id} as it came first`).to.equal(text);
    if (ids.has(id)) continue;
    ids.set(id, text);
    const version = (versions.get(subject) ?? 0) + 1;
    versions.set(subject, version);
    const name = (data as Product).name.split(' ').at(-1);
    expect([subject, type, name]).to.deep.equal([
      subject,
      version === 1 ? 'product.created' : 'product.updated',
      String(version),
    ]);
    arrived.push(`${subject} version ${String(version)}`);
  }
  return { arrived, repeated: taken.length - ids.size };
}

/** Creates a product and gives it one name after the other, and tries writes that are refused, until the service is gone. */
async function write(url: string, client: string, figures: EventFigures): Promise<void> {
  let product: Product | undefined;
  for (let version = 1; ; version += 1) {
    const body = { name: `${client} version ${String(version)}`, price: 1 };
    const path = product === undefined ? '/api/products' : `/api/products/${product.id}`;
    const answer = await send(url, product === undefined ? 'POST' : 'PUT', path, body);
    // The answer to a write whose connection to the database broke.
    if (answer?.status !== 201 && answer?.status !== 200) {
      figures.unanswered += 1;
      return;
    }
    product ??= answer.body as Product;
    const refused = await send(
      url,
      'DELETE',
      path.replace(/products$/, `products/${product.id}`),
      undefined,
      '"0"',
    );
    if (refused?.status !== 412) return;
    figures.refused += 1;
  }
}

/** @returns undefined when the connection broke before the end of the answer */
async function send(
  url: string,
  method: string,
  path: string,
  body?: object,
  ifMatch?: string,
  token?: string,
) {
  const headers = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  try {
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as unknown };
  } catch (error) {
    // `fetch` reports a broken connection in this way.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function register(url: string, receiver: WebhookReceiver): Promise<void> {
  const signedIn = await send(url, 'POST', '/api/auth/login', admin);
  const { accessToken } = signedIn?.body as { readonly accessToken: string };
  const types = ['product.created', 'product.updated', 'product.deleted'];
  const created = await send(
    url,
    'POST',
    '/api/webhooks',
    { url: receiver.url, types },
    undefined,
    accessToken,
  );
  expect(created?.status).to.equal(201);
  receiver.secrets = [(created?.body as { readonly secret: string }).secret];
}
