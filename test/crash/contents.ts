/** Reads all records of a service over HTTP. */
import { expect } from 'chai';
import type { Body, Collection, Contents } from './ledger.js';

interface Order extends Body {
  readonly total: number;
  readonly items: readonly { readonly quantity: number; readonly unitPrice: number }[];
}

/** @throws AssertionError when a total is not the number of records, or an order's total is not the sum of its items */
export async function readContents(url: string): Promise<Contents> {
  const [users, orders, comments] = await Promise.all([
    readAll(url, 'users'),
    readAll(url, 'orders'),
    readAll(url, 'comments'),
  ]);
  for (const order of orders.values() as Iterable<Order>) {
    const cents = order.items.reduce(
      (sum, { quantity, unitPrice }) => sum + quantity * Math.round(unitPrice * 100),
      0,
    );
    expect(Math.round(order.total * 100), `the total of ${JSON.stringify(order)}`).to.equal(cents);
  }
  return { users, orders, comments };
}

async function readAll(url: string, collection: Collection): Promise<ReadonlyMap<string, Body>> {
  const records = new Map<string, Body>();
  for (let page = 1; ; page++) {
    const answer = await fetch(`${url}/api/${collection}?envelope=false&limit=100&page=${page}`);
    const bodies = (await answer.json()) as readonly Body[];
    for (const body of bodies) records.set(body.id, body);
    if (bodies.length > 0) continue;
    expect(answer.headers.get('X-Total-Count'), `the number of ${collection}`).to.equal(String(records.size));
    return records;
  }
}
