/** What the service has acknowledged, and what it was asked and did not answer: all that may be in the store after a crash. */
import { expect } from 'chai';
import { isDeepStrictEqual } from 'node:util';

export const collections = ['users', 'orders', 'comments'] as const;
export type Collection = (typeof collections)[number];

export type Body = Readonly<Record<string, unknown>> & { readonly id: string };

/** Everything that a store was found to hold, by id. */
export type Contents = Readonly<Record<Collection, ReadonlyMap<string, Body>>>;

/** A write that the service was asked for. */
export interface Write {
  readonly collection: Collection;
  /** Of the record that is to change; undefined for a new one. */
  readonly id?: string;
  /** Whether the record is as the write leaves it, all of it; undefined is one that is not there. */
  readonly done: (body: Body | undefined) => boolean;
}

export class Ledger {
  #known: Contents = { users: new Map(), orders: new Map(), comments: new Map() };
  readonly #open = new Set<Write>();

  /** How many writes were acknowledged. */
  acknowledged = 0;

  /** Notes a write before it is asked for. */
  begin(write: Write): void {
    this.#open.add(write);
  }

  /** @param body the record as the service gave it back; undefined when it is deleted */
  acknowledge(write: Write, body: Body | undefined): void {
    this.#open.delete(write);
    this.acknowledged++;
    const records = this.#known[write.collection] as Map<string, Body>;
    if (body !== undefined) records.set(body.id, body);
    else if (write.id !== undefined) records.delete(write.id);
  }

  /**
   * Every acknowledged record is there as it was acknowledged. What an open write was to change is as it was, or as that
   * write leaves it; what else is there was made by an open write, all of it. Then what was found is what is known.
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
