/** Tracks the open connections of the server, and closes idle ones when the process runs out of file descriptors. */

import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The file descriptors for the store, the event broker, files and Node itself. */
const RESERVED_DESCRIPTORS = 64;

const MINUTE = 60_000;

/**
 * Once no descriptor is left, the kernel resets every new connection, even if the open ones are idle. Therefore a new connection
 * replaces the oldest one that is idle.
 */
export class Connections {
  /** Oldest first. */
  readonly sockets = new Set<Socket>();
  #warnedAt = -Infinity;

  /**
   * @param warn - called at most once per minute
   * @param isBusy - whether a connection is in use: it waits for an answer, or is a WebSocket
   */
  constructor(
    private readonly warn: (warning: string) => void,
    private readonly isBusy: (socket: Socket) => boolean,
    private readonly max = maxConnections(),
  ) {}

  add(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    if (this.sockets.size > this.max) this.#makeRoom(socket);
  }

  /** Destroys the oldest connection that is not busy, or the new one if all others are busy. */
  #makeRoom(newest: Socket): void {
    let oldest = newest;
    for (const socket of this.sockets) {
      if (this.isBusy(socket)) continue;
      oldest = socket;
      break;
    }
    oldest.destroy();
    // Its event `close` comes later; until then, it would be chosen again.
    this.sockets.delete(oldest);
    const now = performance.now();
    if (now - this.#warnedAt < MINUTE) return;
    this.#warnedAt = now;
    this.warn(
      `${String(this.max)} connections are open, as many as the limit of open files allows: idle ones are closed`,
    );
  }
}

/** The maximum number of connections; unlimited without `/proc`, as on systems other than Linux. */
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
