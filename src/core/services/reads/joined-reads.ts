/** Reads of single records that are joined: those that are asked for in one turn of the event loop are one read of the store. */

/** @returns one entry per id, in the order of the ids; an error concerns only its own id */
type ReadMany<Value> = (ids: readonly string[]) => Promise<readonly (Value | Error)[]>;

/** The maximum number of users or keys of one read for the subscribers of an event. */
export const mostJoined = 1_000;

interface Batch<Value> {
  readonly ids: Set<string>;
  readonly values: Promise<ReadonlyMap<string, Value | Error | undefined>>;
}

/** Every value comes from a read that begins after it was asked for. */
export class JoinedReads<Value> {
  #open: Batch<Value> | undefined;

  /**
   * @param mostAtOnce - the maximum number of ids of one read
   *
   * @param allAsked - resolves when the calls that are joined have been made
   */
  constructor(
    private readonly read: ReadMany<Value>,
    private readonly mostAtOnce = Infinity,
    private readonly allAsked = endOfTurn,
  ) {}

  async load(id: string): Promise<Value> {
    const { ids, values } = (this.#open ??= this.#newBatch());
    ids.add(id);
    if (ids.size === this.mostAtOnce) this.#open = undefined;
    const value = (await values).get(id);
    if (value instanceof Error) throw value;
    return value as Value; // there is one entry per id
  }

  #newBatch(): Batch<Value> {
    const ids = new Set<string>();
    const values = this.allAsked().then(async () => {
      if (this.#open?.ids === ids) this.#open = undefined;
      const asked = [...ids];
      const found = await this.read(asked);
      return new Map(asked.map((each, index) => [each, found[index]]));
    });
    return { ids, values };
  }
}

/**
 * Joined reads whose values are kept. A value that was read needs no promise: for a hundred posts with ten authors, ten loads wait for
 * the read, and later loads do not wait.
 */
export class KeptReads<Value> {
  /** Made when it is needed: most events of subscriptions need none, and each has contexts for all of its subscribers. */
  #known: Map<string, Value> | undefined;
  #underWay: Map<string, Promise<Value>> | undefined;
  #reads: JoinedReads<Value> | undefined;

  /** @param allAsked - as for {@link JoinedReads} */
  constructor(
    private readonly read: ReadMany<Value>,
    private readonly allAsked = endOfTurn,
  ) {}

  load(id: string): Value | Promise<Value> {
    const known = this.#known?.get(id) ?? this.#underWay?.get(id);
    if (known !== undefined) return known;
    this.#reads ??= new JoinedReads(
      async (ids) => {
        const values = await this.read(ids);
        for (const [index, id] of ids.entries()) {
          const value = values[index];
          if (value !== undefined && !(value instanceof Error)) this.add(id, value);
        }
        return values;
      },
      Infinity,
      this.allAsked,
    );
    const value = this.#reads.load(id);
    (this.#underWay ??= new Map<string, Promise<Value>>()).set(id, value);
    return value;
  }

  /** Adds a value that was read elsewhere. */
  add(id: string, value: Value): void {
    (this.#known ??= new Map<string, Value>()).set(id, value);
  }

  /** Forgets all values, after a write. */
  clear(): void {
    this.#known?.clear();
    this.#underWay?.clear();
  }
}

/** Resolves when the pending promises have run, which may ask for more. */
export async function endOfTurn(): Promise<void> {
  await Promise.resolve();
  await new Promise<void>((resolve) => process.nextTick(resolve));
}
