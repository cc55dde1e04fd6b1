/** The writes that the service has acknowledged or left unanswered: all that may be in the store after a crash. */
import { expect } from 'chai';
import { isDeepStrictEqual } from 'node:util';

export const collections = ['users', 'orders', 'comments'] as const;
export type Collection = (typeof collections)[number];

export type Body = Readonly<Record<string, unknown>> & { readonly id: string };

/** All records that were found in a store, by id. */
export type Contents = Readonly<Record<Collection, ReadonlyMap<string, Body>>>;

/** A write that was sent to the service. */
export interface Write {
  readonly collection: Collection;
  /** The id of the record to change; undefined for a new one. */
  readonly id?: string;
  /** Whether the record is exactly as the write leaves it; undefined means that there is none. */
  readonly done: (body: Body | undefined) => boolean;
}

export class Ledger {
  #known: Contents = { users: new Map(), orders: new Map(), comments: new Map() };
  readonly #open = new Set<Write>();

  /** How many writes were acknowledged. */
  acknowledged = 0;

  /** Records a write before it is sent. */
  begin(write: Write): void {
    this.#open.add(write);
  }

  /** @param body - the record that the service returned; undefined when it is deleted */
  acknowledge(write: Write, body: Body | undefined): void {
    this.#open.delete(write);
    this.acknowledged++;
    const records = this.#known[write.collection] as Map<string, Body>;
    if (body !== undefined) records.set(body.id, body);
    else if (write.id !== undefined) records.delete(write.id);
  }

  /** Records that the service has not stored a write, and will not. */
  refuse(write: Write): void {
    this.#open.delete(write);
  }

  /**
   * Checks that every acknowledged record is there unchanged. The record of an unanswered write may be in the state before or
   * after that write, and any other record must be the complete result of an unanswered write. The records found are then
   * the acknowledged ones.
   */
  settle(found: Contents): void {
    for (const collection of collections) {
      const open = [...this.#open].filter((write) => write.collection === collection);
      for (const [id, body] of this.#known[collection]) {
        const actual = found[collection].get(id);
        const isDone = open.some((write) => write.id === id && write.done(actual));
        if (!isDone && !isDeepStrictEqual(actual, body)) {
          expect(actual, `${collection}/${id} as it was acknowledged`).to.deep.equal(body);
        }
      }
      const creations = open.filter((write) => write.id === undefined);
      for (const [id, body] of found[collection]) {
        if (this.#known[collection].has(id)) continue;
        const made = creations.findIndex((write) => write.done(body));
        expect(made, `who made ${JSON.stringify(body)}`).to.not.equal(-1);
        creations.splice(made, 1);
      }
    }
    this.#known = found;
    this.#open.clear();
  }
}
