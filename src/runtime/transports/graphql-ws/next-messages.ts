/** The `next` messages of subscriptions: a result is encoded once for all subscribers that get the same result. */

import type { FormattedExecutionResult } from 'graphql';
import { type SlowSocket, textFrame } from './slow-socket.js';

/** The last message of a result. */
interface Encoded {
  /** The end of all its messages, from the payload on; only the id before it differs. */
  readonly end: Buffer;
  readonly frame: Buffer;
  /** The length of the frame before its end, without its header. */
  readonly startLength: number;
  id: string;
  /** Whether a socket may still read the frame. */
  isHeld: boolean;
}

/** Encoded results, each released with its result. */
const encoded = new WeakMap<FormattedExecutionResult, Encoded>();

/** The `next` messages of a subscription. */
export class NextMessages {
  readonly #start: Buffer;

  constructor(
    private readonly socket: SlowSocket,
    private readonly id: string,
  ) {
    this.#start = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  }

  /** @returns a promise if the client must read before more is sent */
  send(result: FormattedExecutionResult): Promise<void> | undefined {
    const message = this.#messageOf(result);
    const waiting = this.socket.sendFrame(message.frame);
    message.isHeld ||= !this.socket.isFlushed;
    return waiting;
  }

  /** Ids mostly are equal (`1`) or as long as each other (UUIDs). Copies of the payload for all would cost more than sending them. */
  #messageOf(result: FormattedExecutionResult): Encoded {
    const { id } = this;
    const startLength = this.#start.length;
    const known = encoded.get(result);
    if (known?.id === id) return known;
    if (known?.isHeld === false && known.startLength === startLength) {
      known.frame.set(this.#start, known.frame.length - known.end.length - startLength);
      known.id = id;
      return known;
    }
    const end = known?.end ?? Buffer.from(`${JSON.stringify(result)}}`);
    const message = { end, frame: textFrame(this.#start, end), startLength, id, isHeld: false };
    encoded.set(result, message);
    return message;
  }
}
