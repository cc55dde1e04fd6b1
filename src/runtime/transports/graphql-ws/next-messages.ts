/** The `next` messages of a subscription: a result is encoded once for all subscribers that get the same one. */

import type { FormattedExecutionResult } from 'graphql';
import type { SlowSocket } from './slow-socket.js';

/** The payloads of messages up to their ends: only the id before them differs. Each is released with its result. */
const encoded = new WeakMap<FormattedExecutionResult, Buffer>();

export class NextMessages {
  readonly #start: Buffer;

  constructor(
    private readonly socket: SlowSocket,
    id: string,
  ) {
    this.#start = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  }

  /** @returns a promise where the client must read before more is sent */
  send(result: FormattedExecutionResult): Promise<void> | undefined {
    return this.socket.sendParts(this.#start, endOf(result));
  }
}

function endOf(result: FormattedExecutionResult): Buffer {
  const known = encoded.get(result);
  if (known !== undefined) return known;
  const end = Buffer.from(`${JSON.stringify(result)}}`);
  encoded.set(result, end);
  return end;
}
