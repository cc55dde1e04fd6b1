/** Clients that repeat their requests under the same idempotency key after the service was killed. */
import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { ServiceProcess } from './service-process.js';
import type { Random } from './writer.js';

const clients = 8;
/** About as long as the service takes for the requests of all clients. */
const longestRoundMs = 60;

/** As the settings of a deployment: the same in every process. */
const secrets = {
  ACCESS_TOKEN_SECRET: 'access tokens are signed with this secret',
  REFRESH_TOKEN_SECRET: 'refresh tokens are signed with this secret',
};

interface Creation {
  readonly path: string;
  readonly key: string;
  readonly body: object;
  /** The id of the record, once an answer has named it. */
  id?: string;
}

export interface RepetitionFigures {
  readonly requests: number;
  /** How many got no answer before the service was killed. */
  unanswered: number;
  /** How many of those were stored nevertheless: the service was killed between the write and the answer. */
  stored: number;
}

/**
 * Kills the service in every round while clients create records, and repeats every request with the next process.
 *
 * @throws AssertionError unless every request has created exactly one record
 */
export async function repeatAfterCrashes(
  directory: string,
  databaseUrl: string,
  rounds: number,
  random: Random,
): Promise<RepetitionFigures> {
  const figures = { requests: rounds * clients, unanswered: 0, stored: 0 };
  let service = await ServiceProcess.start(directory, databaseUrl, secrets);
  try {
    const userId = await userOf(service.url);
    const all: Creation[] = [];
    for (let round = 1; round <= rounds; round++) {
      const creations = Array.from({ length: clients }, (_, client) => creation(round, client, userId));
      const running = Promise.all(creations.map((each) => send(service.url, each)));
      await setTimeout(random() * longestRoundMs);
      await service.kill();
      const answers = await running;
      service = await ServiceProcess.start(directory, databaseUrl, secrets);
      for (const [index, each] of creations.entries()) {
        const again = await send(service.url, each);
        expect(again?.status, again?.text).to.equal(201);
        if (answers[index] !== undefined) {
          expect(again?.isReplay, 'an answered request is not done again').to.equal(true);
          continue;
        }
        figures.unanswered += 1;
        if (again?.isReplay === true) figures.stored += 1;
      }
      all.push(...creations);
    }
    await expectEachOnce(service.url, all);
  } finally {
    await service.kill();
  }
  return figures;
}

function creation(round: number, client: number, userId: string): Creation {
  const name = `round ${String(round)} client ${String(client)}`;
  const key = `the key of ${name}`;
  const order = { userId, items: [{ name, unitPrice: 1, quantity: 1 }] };
  const product = { name, price: 1 };
  return client % 2 === 0
    ? { path: '/api/orders', key, body: order }
    : { path: '/api/products', key, body: product };
}

/** @returns undefined when the connection broke before the end of the answer */
async function send(url: string, each: Creation) {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': each.key };
  try {
    const answer = await fetch(url + each.path, { method: 'POST', headers, body: JSON.stringify(each.body) });
    const text = await answer.text();
    const { id } = JSON.parse(text) as { id: string };
    each.id ??= id;
    expect(id, 'every answer names the same record').to.equal(each.id);
    return { status: answer.status, text, isReplay: answer.headers.get('idempotency-replayed') === 'true' };
  } catch (error) {
    // `fetch` reports a broken connection in this way.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function userOf(url: string): Promise<string> {
  const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com' });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/users`, { method: 'POST', headers, body });
  return ((await answer.json()) as { id: string }).id;
}

async function expectEachOnce(url: string, all: readonly Creation[]): Promise<void> {
  for (const path of ['/api/orders', '/api/products']) {
    const expected = all.filter((each) => each.path === path).map(({ id }) => id);
    const found: string[] = [];
    for (let page = 1; ; page++) {
      const answer = await fetch(`${url}${path}?page=${String(page)}&limit=100&envelope=false`);
      const records = (await answer.json()) as readonly { readonly id: string }[];
      if (records.length === 0) break;
      found.push(...records.map(({ id }) => id));
    }
    expect(found, path)
      .to.have.members(expected as string[])
      .and.to.have.lengthOf(expected.length);
  }
}
