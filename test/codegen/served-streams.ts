/** Handlers for the fixture of streams, and what they were given. */

import type { Service } from './generated-contract.js';

/** A request, as loosely as the handlers of any contract see it. */
interface StreamRequest {
  readonly body: AsyncIterable<unknown>;
}

/** The sources of the answers: a test sets what is streamed, and sees what was read and released. */
export class Streams {
  /** What the reading operations answer. */
  source: () => AsyncIterable<unknown> = () => of([]);
  /** What was read of request bodies. */
  read: unknown[] = [];
  /** How a body ended for its handler. */
  failure: string | undefined;
  /** How many of `waiting` are open. */
  open = 0;

  /** Ticks for ever, and counts itself while it is open. */
  async *ticks(item: (count: number) => unknown): AsyncGenerator<unknown, void, void> {
    this.open += 1;
    try {
      for (let count = 0; ; count += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield item(count);
      }
    } finally {
      this.open -= 1;
    }
  }

  /** Handlers that read everything, and answer the source. */
  get operations(): Service['operations'] {
    const answer = () => ({ status: 200, body: this.source() });
    const count = async ({ body }: StreamRequest) => {
      this.open += 1;
      try {
        for await (const item of body) this.read.push(await wholePart(item));
      } catch (error) {
        this.failure = (error as Error).message;
        throw error;
      } finally {
        this.open -= 1;
      }
      return { status: 200, body: { count: this.read.length } };
    };
    return {
      readEntries: answer,
      addEntries: count,
      echoEntries: ({ body }: StreamRequest) => ({ status: 200, body }),
      readEvents: answer,
      addEvents: count,
      readChanges: answer,
      addChanges: count,
      readPictures: answer,
      addPictures: count,
      readFile: answer,
      writeFile: count,
      upload: count,
      uploadClosed: count,
    };
  }
}

/** A part with its file read. */
async function wholePart(item: unknown): Promise<unknown> {
  if (typeof item !== 'object' || item === null || !('body' in item)) return item;
  const pieces: Uint8Array[] = [];
  for await (const piece of item.body as AsyncIterable<Uint8Array>) pieces.push(piece);
  return { ...item, body: Buffer.concat(pieces).toString() };
}

export async function* of(items: readonly unknown[]): AsyncGenerator<unknown, void, void> {
  yield* items;
  await Promise.resolve();
}
