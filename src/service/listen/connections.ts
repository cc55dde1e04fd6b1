/** The open connections of the server, and room for new ones when the process runs out of file descriptors. */

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** For the store, the event broker, files and Node itself. */
const RESERVED_DESCRIPTORS = 64;

const MINUTE = 60_000;

/**
 * Once no descriptor is left, the kernel resets every new connection, and the connections that hold the descriptors may be
 * idle. So a new one takes the place of the oldest that waits for a request.
 */
export class Connections {
  /** Each with its latest answer; the oldest connection first. */
  readonly #open = new Map<Socket, ServerResponse | 'upgraded' | undefined>();
  readonly #max: number;
  readonly #warn: (warning: string) => void;
  #warnedAt = -Infinity;

  /** @param warn - called once per minute at most */
  constructor(warn: (warning: string) => void, max = maxConnections()) {
    this.#warn = warn;
    this.#max = max;
  }

  get sockets(): Iterable<Socket> {
    return this.#open.keys();
  }

  add(socket: Socket): void {
    this.#open.set(socket, undefined);
    socket.once('close', () => this.#open.delete(socket));
    if (this.#open.size > this.#max) this.#makeRoom(socket);
  }

  /** A connection is busy until its latest answer is finished, and for ever once it is a WebSocket. */
  serve(socket: Socket, latest: ServerResponse | 'upgraded'): void {
    if (this.#open.has(socket)) this.#open.set(socket, latest);
  }

  /** Destroys the oldest connection that is not busy, or the new one where all others are. */
  #makeRoom(newest: Socket): void {
    let oldest = newest;
    for (const [socket, latest] of this.#open) {
      if (latest === undefined || (latest !== 'upgraded' && latest.writableFinished)) {
        oldest = socket;
        break;
      }
    }
    oldest.destroy();
    // Its event `close` comes later, and until then it would be chosen again.
    this.#open.delete(oldest);
    const now = performance.now();
    if (now - this.#warnedAt < MINUTE) return;
    this.#warnedAt = now;
    this.#warn(
      `${String(this.#max)} connections are open, as many as the limit of open files allows: idle ones are closed`,
    );
  }
}

/** Without `/proc`, on other systems than Linux, there is no limit here. */
function maxConnections(): number {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return Infinity;
  }
  const [, files] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return files === undefined ? Infinity : Math.max(Number(files) - RESERVED_DESCRIPTORS, Number(files) / 2);
}
