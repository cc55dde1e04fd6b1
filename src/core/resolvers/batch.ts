/** Loads values by id in batches, and returns loaded values synchronously. */

import DataLoader from 'dataloader';

/**
 * Like DataLoader, but a loaded value needs no promise: for a hundred posts with ten authors, ten loads wait for the batch,
 * and later loads do not wait.
 */
export class Batch<Value> {
  readonly #known = new Map<string, Value>();
  readonly #read: (ids: readonly string[]) => Promise<readonly (Value | Error)[]>;
  #loader: DataLoader<string, Value> | undefined;

  /** @param read - returns one entry per id, in the order of the ids; an error concerns only its own id */
  constructor(read: (ids: readonly string[]) => Promise<readonly (Value | Error)[]>) {
    this.#read = read;
  }

  load(id: string): Value | Promise<Value> {
    return this.#known.get(id) ?? (this.#loader ??= this.#newLoader()).load(id);
  }

  /** Adds a value that was read elsewhere. */
  add(id: string, value: Value): void {
    this.#known.set(id, value);
  }

  /** Forgets all values, after a write. */
  clear(): void {
    this.#known.clear();
    this.#loader?.clearAll();
  }

  /** Not before it is needed: most operations, and most events of subscriptions, load nothing. */
  #newLoader(): DataLoader<string, Value> {
    return new DataLoader(async (ids) => {
      const values = await this.#read(ids);
      for (const [index, id] of ids.entries()) {
        const value = values[index];
        if (value !== undefined && !(value instanceof Error)) this.#known.set(id, value);
      }
      return values;
    });
  }
}
