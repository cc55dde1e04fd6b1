/** Writes the items of a sequential media type, as a response body that pulls an item when the client has room for it. */

import type { Check, Convert, PartCodec, Sequence } from '../../contract/contract.js';
import { isStreamed } from '../../http/message.js';
import { joined } from '../../http/read-body.js';
import { failureOf } from '../../failures/sentences.js';
import { randomId, writeExactJson } from '../../http/response-writers.js';
import { writeEvent } from './events.js';
import { writeRecord } from './text-records.js';

/** The functions that write items. */
interface ItemWriter {
  readonly write: (item: unknown, index: number) => Written;
  /** Sent after the last item. */
  readonly end?: Uint8Array;
}

/** The items of one body are all text, or all bytes. */
type Written = string | Uint8Array;

const encoder = new TextEncoder();

/** The size in bytes or characters up to which items are sent in one piece, if they are ready at once. */
const PIECE = 16 * 1024;

/** The number of microtask turns after which an item counts as late; a generator that awaits nothing needs three. */
const TURNS = 8;

/**
 * A body of items. An item is sent as soon as the next one is late. This is not a generator, so that `return()` reaches the
 * handler's iterator at once, and not after the pending item.
 */
export class ItemBody implements AsyncIterableIterator<Uint8Array> {
  readonly #items: AsyncIterator<unknown, unknown>;
  readonly #writer: ItemWriter;
  /** The next item, requested but not yet sent. */
  #pending: Promise<IteratorResult<unknown, unknown>> | undefined;
  #index = 0;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  /**
   * @param items - the body of the handler's answer
   * @param check - when given, the first item that does not fit breaks off the response
   * @param encode - converts an item to its JSON form
   * @param strip - omits the undeclared members of an item
   * @param boundary - the boundary of a multipart body, for the Content-Type
   */
  constructor(
    items: unknown,
    sequence: Sequence,
    private readonly check: Check | undefined,
    private readonly encode?: Convert,
    private readonly strip?: Convert,
    readonly boundary = sequence.format === 'multipart' ? randomId() : undefined,
  ) {
    // Only possible when the types were bypassed.
    if (!isStreamed(items)) throw new TypeError(`a body of items cannot be ${typeof items}`);
    this.#items = items[Symbol.asyncIterator]();
    this.#writer = writerOf(sequence, this.boundary);
  }

  async next(): Promise<IteratorResult<Uint8Array, void>> {
    this.#throwFailure();
    const pieces: Written[] = [];
    let size = 0;
    let isMore = !this.#isOver;
    while (isMore) {
      const pending = this.#pending ?? this.#items.next();
      this.#pending = undefined;
      const item = await pending;
      if (item.done === true) this.#isOver = true;
      const piece = item.done === true ? this.#writer.end : await this.#written(item.value);
      if (piece !== undefined) pieces.push(piece);
      size += piece?.length ?? 0;
      isMore = size < PIECE && (await this.#isNextReady());
    }
    if (pieces.length > 0) {
      // All text at once, which is faster than item by item.
      const bytes = pieces.filter((piece) => typeof piece !== 'string');
      return { done: false, value: bytes.length > 0 ? joined(bytes) : encoder.encode(pieces.join('')) };
    }
    this.#throwFailure();
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array, void>> {
    this.#isOver = true;
    await this.#items.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #throwFailure(): void {
    if (this.#failure === undefined) return;
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  /** Whether the next item is ready without waiting. A failed item does not count: the items before it are sent first. */
  async #isNextReady(): Promise<boolean> {
    if (this.#isOver) return false;
    let isThere = false;
    this.#pending = this.#items.next();
    this.#pending.then(
      () => (isThere = true),
      () => undefined,
    );
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- the item sets it
    for (let turn = 0; turn < TURNS && !isThere; turn += 1) await Promise.resolve();
    return isThere;
  }

  /** The item to send; undefined if it cannot be sent: its error is thrown after the items before it are sent. */
  async #written(given: unknown): Promise<Written | undefined> {
    try {
      // No schema describes bytes.
      const item = this.encode === undefined || given instanceof Uint8Array ? given : this.encode(given);
      this.#requireFit(item);
      const written = this.#writer.write(this.strip === undefined ? item : this.strip(item), this.#index);
      this.#index += 1;
      return written;
    } catch (error) {
      this.#failure = { error };
      // After an error, the reader does not call return(), so the items must be released here.
      await this.return();
      return undefined;
    }
  }

  /** The check gets the value after a round trip through JSON: undefined properties are gone, and dates are text. */
  #requireFit(item: unknown): void {
    // No schema describes bytes.
    if (this.check === undefined || item instanceof Uint8Array) return;
    const sent: unknown = JSON.parse(jsonOf(item ?? null));
    if (!this.check(sent)) {
      const failure = failureOf(this.check, sent, `body/${String(this.#index)}`);
      throw new Error(`an item is against its contract: ${failure}`);
    }
  }
}

function writerOf(sequence: Sequence, boundary = ''): ItemWriter {
  switch (sequence.format) {
    case 'json-lines':
      return { write: (item) => `${jsonOf(item)}\n` };
    case 'json-seq':
      return { write: (item) => writeRecord(jsonOf(item)) };
    case 'events':
      return { write: (item) => writeEvent(eventOf(item, sequence.data)) };
    case 'multipart': {
      const { first = [], part } = sequence;
      return {
        write: (item, index) => writePart(item, first[index] ?? part, boundary),
        end: encoder.encode(`--${boundary}--\r\n`),
      };
    }
  }
}

/** @throws TypeError for a value without a JSON text */
function jsonOf(item: unknown): string {
  if (item === undefined || typeof item === 'function' || typeof item === 'symbol')
    throw new TypeError(`an item cannot be ${typeof item}`);
  return writeExactJson(item);
}

/** The event with its data as text. */
function eventOf(item: unknown, data: 'json' | 'mixed' | undefined): Readonly<Record<string, unknown>> {
  if (typeof item !== 'object' || item === null) throw new TypeError('an event must be an object');
  const event: Readonly<Record<string, unknown>> = { ...item };
  const value = event['data'];
  const isText = data === undefined || value === undefined || (data === 'mixed' && typeof value === 'string');
  return isText ? event : { ...event, data: jsonOf(value) };
}

function writePart(
  item: unknown,
  { kind, contentTypes: [contentType] }: PartCodec,
  boundary: string,
): Uint8Array {
  const content = kind === 'json' ? jsonOf(item) : item;
  const isRight = kind === 'bytes' ? content instanceof Uint8Array : typeof content === 'string';
  if (!isRight) throw new TypeError(`a part of ${contentType} cannot be ${typeof item}`);
  const head = encoder.encode(`--${boundary}\r\nContent-Type: ${contentType}\r\n\r\n`);
  return joined([
    head,
    typeof content === 'string' ? encoder.encode(content) : (content as Uint8Array),
    CRLF,
  ]);
}

const CRLF = encoder.encode('\r\n');
