/** A client that sends one write after the other until the service is gone. */
import { isDeepStrictEqual } from 'node:util';
import type { Body, Ledger, Write } from './ledger.js';

const outcomeUnknown = '{"error":"Whether this was stored is not known';

/** A number from 0 to 1, like `Math.random`. */
export type Random = () => number;

interface Item {
  readonly name: string;
  readonly quantity: number;
  readonly unitPrice: number;
}

export class Writer {
  readonly #url: string;
  readonly #name: string;
  readonly #ledger: Ledger;
  readonly #random: Random;
  #count = 0;
  /** Pending orders without comments, which may be changed. */
  readonly #orders: Body[] = [];

  /** @param name - unique among the writers */
  constructor(url: string, name: string, ledger: Ledger, random: Random) {
    this.#url = url;
    this.#name = name;
    this.#ledger = ledger;
    this.#random = random;
  }

  /** Ends with the first write that is not acknowledged. @throws when the service refuses one */
  async run(): Promise<void> {
    const user = await this.#createUser();
    if (user === undefined) return;
    const kinds = [
      () => this.#createUser(),
      () => this.#renameUser(user),
      () => this.#createOrder(user),
      () => this.#createOrder(user),
      () => this.#replaceItems(),
      () => this.#process(),
      () => this.#delete(),
      () => this.#comment(user),
    ];
    let outcome: unknown;
    do {
      outcome = await kinds[Math.floor(this.#random() * kinds.length)]?.();
    } while (outcome !== undefined);
  }

  #createUser(): Promise<Body | undefined> {
    const name = this.#newName();
    const email = `${name}@example.com`;
    const done = (body?: Body) => body?.['email'] === email && body['name'] === name;
    return this.#ask({ collection: 'users', done }, 'POST', { name, email, city: 'Paris' });
  }

  #renameUser({ id, email }: Body): Promise<Body | undefined> {
    const name = this.#newName();
    return this.#ask({ collection: 'users', id, done: (body) => body?.['name'] === name }, 'PUT', {
      name,
      email,
    });
  }

  async #createOrder({ id: userId }: Body): Promise<Body | undefined> {
    const items = this.#newItems();
    const done = (body?: Body) => hasItems(body, items);
    const order = await this.#ask({ collection: 'orders', done }, 'POST', { userId, items });
    if (order !== undefined) this.#orders.push(order);
    return order;
  }

  async #replaceItems(): Promise<unknown> {
    const order = this.#orders[0];
    if (order === undefined) return 'none';
    const items = this.#newItems();
    const done = (body?: Body) => hasItems(body, items);
    return await this.#ask({ collection: 'orders', id: order.id, done }, 'PUT', { items });
  }

  async #process(): Promise<unknown> {
    const order = this.#orders.shift();
    if (order === undefined) return 'none';
    const status = 'processing';
    const done = (body?: Body) => body?.['status'] === status;
    return await this.#ask({ collection: 'orders', id: order.id, done }, 'PATCH', { status });
  }

  async #delete(): Promise<unknown> {
    const order = this.#orders.shift();
    if (order === undefined) return 'none';
    return await this.#ask(
      { collection: 'orders', id: order.id, done: (body) => body === undefined },
      'DELETE',
    );
  }

  async #comment({ id: userId }: Body): Promise<unknown> {
    const order = this.#orders.shift();
    if (order === undefined) return 'none';
    const text = this.#newName();
    const done = (body?: Body) => body?.['text'] === text && body['orderId'] === order.id;
    return await this.#ask({ collection: 'comments', done }, 'POST', { orderId: order.id, userId, text });
  }

  #newName(): string {
    return `${this.#name}-${++this.#count}`;
  }

  /** One to five items, each with the number of items in its name. */
  #newItems(): readonly Item[] {
    const name = this.#newName();
    const amount = 1 + Math.floor(this.#random() * 5);
    return Array.from({ length: amount }, (_, index) => ({
      name: `${name} ${index + 1}/${amount}`,
      quantity: 1 + Math.floor(this.#random() * 9),
      unitPrice: Math.floor(this.#random() * 10_000) / 100,
    }));
  }

  /** @returns the record, or only its id after a deletion; undefined where nothing or perhaps something was stored */
  async #ask(write: Write, method: string, body?: object): Promise<Body | undefined> {
    const { collection, id } = write;
    const url = [this.#url, 'api', collection, ...(id === undefined ? [] : [id])].join('/');
    this.#ledger.begin(write);
    const answer = await answerOf(url, method, body);
    if (answer === undefined || answer.text.startsWith(outcomeUnknown)) return undefined;
    if (answer.status === 503) {
      this.#ledger.refuse(write);
      return undefined;
    }
    if (answer.status >= 300) throw new Error(`${method} ${url} answered ${answer.status} ${answer.text}`);
    const record = answer.text === '' ? undefined : (JSON.parse(answer.text) as Body);
    this.#ledger.acknowledge(write, record);
    return record ?? { id: id ?? '' };
  }
}

/** @returns undefined when the connection broke before the end of the answer */
async function answerOf(
  url: string,
  method: string,
  body: object | undefined,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(url, { method, ...(body && { headers, body: JSON.stringify(body) }) });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return undefined;
  }
}

/** Whether these are all items of a pending order. */
function hasItems(body: Body | undefined, items: readonly Item[]): boolean {
  if (body?.['status'] !== 'pending') return false;
  const stored = (body['items'] as readonly Item[]).map(({ name, quantity, unitPrice }) => ({
    name,
    quantity,
    unitPrice,
  }));
  return isDeepStrictEqual(stored, items);
}
