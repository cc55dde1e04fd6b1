/** Loads values by id in batches, and gives at once what it has. */

import DataLoader from 'dataloader';

/**
 * What DataLoader does, without its promise for a value that is here: of a hundred posts with ten authors, ten wait for the
 * batch, and after that nobody does.
 */
export class Batch<Value> {
  readonly #known = new Map<string, Value>();
  readonly #loader: DataLoader<string, Value>;

  /** @param read - one entry an id, in the order of the ids; an error is that id's alone */
  constructor(read: (ids: readonly string[]) => Promise<readonly (Value | Error)[]>) {
    this.#loader = new DataLoader(async (ids) => {
      const values = await read(ids);
      for (const [index, id] of ids.entries()) {
        const value = values[index];
        if (value !== undefined && !(value instanceof Error)) this.#known.set(id, value);
      }
      return values;
    });
  }

  load(id: string): Value | Promise<Value> {
    return this.#known.get(id) ?? this.#loader.load(id);
  }

  /** Takes a value that came another way. */
  add(id: string, value: Value): void {
    this.#known.set(id, value);
  }

  /** Forgets everything: for after a write. */
  clear(): void {
    this.#known.clear();
    this.#loader.clearAll();
  }
}
