/** A bounded queue between a producer that cannot be slowed down and a consumer that reads at its own speed. */

/** The maximum that may wait in a queue. */
export interface QueueBounds {
  readonly items: number;
  readonly bytes: number;
}

/** Takes an item. @returns a promise if the next item must wait for it */
export type Take<Item> = (item: Item) => Promise<unknown> | undefined;

interface Taker<Item> {
  readonly take: Take<Item>;
  /** Called when the queue has ended without an error. */
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A single iteration takes the items, or `forEach` gives them to a function; leaving the iteration ends the queue. */
export class BoundedQueue<Item> implements AsyncIterableIterator<Item> {
  readonly #bounds: QueueBounds;
  readonly #onEnd: () => void;
  readonly #waiting: { readonly item: Item; readonly bytes: number }[] = [];
  readonly #takers: Taker<Item>[] = [];
  /** Whether the first taker is busy with an item. */
  #isTaking = false;
  #bytes = 0;
  #onEmpty: (() => void) | undefined;
  #end: { readonly error?: unknown } | undefined;

  /** @param onEnd - called once, when the queue has failed or its consumer has left */
  constructor(bounds: QueueBounds, onEnd: () => void) {
    this.#bounds = bounds;
    this.#onEnd = onEnd;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** The number of waiting items. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Whether an item of this size fits within the bounds; an empty queue has room for an item of any size. */
  hasRoom(bytes: number): boolean {
    const { length } = this.#waiting;
    return length === 0 || (length < this.#bounds.items && this.#bytes + bytes <= this.#bounds.bytes);
  }

  /** Adds an item without checking the bounds. Does nothing once the queue has ended. */
  push(item: Item, bytes: number): void {
    if (this.#end !== undefined) return;
    this.#waiting.push({ item, bytes });
    this.#bytes += bytes;
    this.#serve();
  }

  /** Drops items from the front of the queue as long as they are unwanted. */
  discardWhile(unwanted: (item: Item) => boolean): void {
    while (this.#waiting[0] !== undefined && unwanted(this.#waiting[0].item)) this.#shift();
  }

  /** Resolves when no item waits. Has one caller at a time. @returns whether the queue has not ended */
  async emptied(): Promise<boolean> {
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
    return this.#end === undefined;
  }

  /** Ends the queue with an error for the consumer. Waiting items are dropped at once, to free their memory. */
  fail(error: unknown): void {
    this.#finish({ error });
  }

  next(): Promise<IteratorResult<Item, void>> {
    return new Promise((resolve, reject) => {
      const take = (value: Item): undefined => {
        this.#takers.shift();
        resolve({ done: false, value });
      };
      this.#add({ take, resolve: () => resolve({ done: true, value: undefined }), reject });
    });
  }

  /**
   * Gives every item to `take`, in order: at once, unless it is busy with the one before.
   *
   * @returns a promise of the end of the queue; it rejects with the error of the queue or of `take`, which ends the queue
   */
  forEach(take: Take<Item>): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ take, resolve, reject }));
  }

  return(): Promise<IteratorResult<Item, void>> {
    this.#finish({});
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(end: { readonly error?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.#serve();
    this.#onEmpty?.();
    this.#onEnd();
  }

  #add(taker: Taker<Item>): void {
    this.#takers.push(taker);
    this.#serve();
  }

  #serve(): void {
    for (let [taker] = this.#takers; taker !== undefined && !this.#isTaking; [taker] = this.#takers) {
      const first = this.#shift();
      if (first !== undefined) {
        this.#give(taker, first.item);
        continue;
      }
      if (this.#end === undefined) return;
      this.#takers.shift();
      const { error } = this.#end;
      this.#end = {}; // an iteration fails once; then it is done
      if (error === undefined) taker.resolve();
      else taker.reject(error);
    }
  }

  #give({ take }: Taker<Item>, item: Item): void {
    this.#isTaking = true;
    try {
      const busy = take(item);
      if (busy === undefined) this.#isTaking = false;
      else
        busy.then(
          () => this.#taken(),
          (error: unknown) => this.#taken({ error }),
        );
    } catch (error) {
      this.#taken({ error });
    }
  }

  #taken(failure?: { readonly error: unknown }): void {
    this.#isTaking = false;
    if (failure !== undefined) this.fail(failure.error);
    this.#serve();
  }

  #shift(): { readonly item: Item } | undefined {
    const first = this.#waiting.shift();
    this.#bytes -= first?.bytes ?? 0;
    if (this.#waiting.length === 0) this.#onEmpty?.();
    return first;
  }
}
