/** Reads of single records that are joined: those that are asked for in one turn of the event loop are one read of the store. */

/** The most records of one read. */
const mostAtOnce = 1_000;

interface Batch<Row> {
  readonly ids: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row | undefined>>;
}

export class JoinedReads<Row> {
  readonly #read: (ids: readonly string[]) => Promise<readonly (Row | undefined)[]>;
  #open: Batch<Row> | undefined;

  /** @param read - returns one entry per id, in the order of the ids */
  constructor(read: (ids: readonly string[]) => Promise<readonly (Row | undefined)[]>) {
    this.#read = read;
  }

  /** @returns the record, from a read that begins after this call */
  async load(id: string): Promise<Row | undefined> {
    const { ids, rows } = (this.#open ??= this.#newBatch());
    ids.add(id);
    if (ids.size === mostAtOnce) this.#open = undefined;
    return (await rows).get(id);
  }

  #newBatch(): Batch<Row> {
    const ids = new Set<string>();
    const rows = endOfTurn().then(async () => {
      if (this.#open?.ids === ids) this.#open = undefined;
      const asked = [...ids];
      const found = await this.#read(asked);
      return new Map(asked.map((each, index) => [each, found[index]]));
    });
    return { ids, rows };
  }
}

/** Resolves when the pending promises have run, which may ask for more. */
async function endOfTurn(): Promise<void> {
  await Promise.resolve();
  await new Promise<void>((resolve) => process.nextTick(resolve));
}
