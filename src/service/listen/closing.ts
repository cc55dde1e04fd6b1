/** Closes the listening socket and its connections, and answers the requests that have been sent to them. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionResponses } from '@concordat/runtime/node';
import type { Connections } from './connections.js';

/**
 * The milliseconds without a request after which idle connections are closed, at most a part of the time to stop. A proxy may be
 * about to use any of them, and does not repeat a POST whose connection is closed instead (RFC 9110 §9.2.2). Until then, it uses each
 * of them, and learns from the answer that the connection ends, or closes them itself after its own time. With 500 ms, 28 of 50 stops
 * under load closed connections of nginx, whose clients all waited for another process just then; one POST in 40,000 was lost.
 */
const NO_REQUEST = 2000;
const PART_OF_STOP = 1 / 5;

/** The milliseconds between two searches for idle connections. */
const SWEEP = 50;

/** The milliseconds within which a turn of the event loop has done nothing, not even waited for the processor. */
const IDLE_TURN = 0.2;

/** The number of such turns in a row, and the milliseconds after which they are no longer waited for. */
const IDLE_TURNS = 3;
const LAST_TURN = 500;

export class Closing {
  #isAnnounced = false;
  /** When a connection or a request arrived, or a request was seen in flight. */
  #usedAt = 0;
  #idleMs = NO_REQUEST;
  #closed: Promise<void> | undefined;

  /** @param isShared - whether systemd holds the socket too, so that new connections wait for the next process */
  constructor(
    private readonly server: Server,
    private readonly connections: Connections,
    private readonly responses: ConnectionResponses,
    private readonly isShared: boolean,
  ) {}

  /** Makes every answer from now on the last one of its connection. */
  announce(): void {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    this.server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
    for (const socket of this.connections.sockets) {
      const latest = this.responses.latest(socket);
      if (latest?.headersSent === false) latest.setHeader('Connection', 'close');
    }
  }

  /** Closes once: later calls wait for the first. @param limitMs - the time until requests in flight and WebSockets are cut off */
  close(limitMs: number): Promise<void> {
    return (this.#closed ??= this.#close(limitMs));
  }

  async #close(limitMs: number): Promise<void> {
    const server = this.server;
    this.#idleMs = Math.min(NO_REQUEST, limitMs * PART_OF_STOP);
    const closed = once(server, 'close');
    const note = (): void => void (this.#usedAt = performance.now());
    server.on('connection', note).on('request', note);
    note();
    // Closing resets the connections that wait to be accepted, unless another process has the socket too.
    if (!this.isShared) await this.#quietMoment();
    // Not `server.close()` yet, which would close idle connections at once.
    NetServer.prototype.close.call(server);
    // Not earlier: without kept connections, a proxy would open a new one for each request while the socket is being closed.
    this.announce();
    const limit = setTimeout(() => {
      for (const socket of this.connections.sockets) socket.destroy();
    }, limitMs);
    const isClosed = closed.then(() => true);
    const pause = () => {
      const left = this.#usedAt + this.#idleMs - performance.now();
      return sleep(Math.max(left, SWEEP), false, { ref: false });
    };
    // Repeated, because connections with requests in flight become idle later.
    while (!(await Promise.race([isClosed, pause()]))) await this.#closeIdle();
    clearTimeout(limit);
    // If no connection was open, this stops Node's own timer.
    server.close();
  }

  /** Closes the connections without a request, unless there was one a short time ago. */
  async #closeIdle(): Promise<void> {
    // Node counts a connection as idle until it has read the request that has arrived.
    await this.#quietMoment();
    for (const socket of this.connections.sockets) {
      if (this.responses.latest(socket)?.writableFinished === false) this.#usedAt = performance.now();
    }
    if (performance.now() < this.#usedAt + this.#idleMs) return;
    this.server.closeIdleConnections();
    // Browsers open connections ahead of use; Node does not count these as idle before their first request.
    for (const socket of this.connections.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Waits until the event loop has accepted and read all that has arrived, and has time left. A client loses its request if it
   * sends it between the last such turn and the closing of its connection: some 20 microseconds, in place of the milliseconds of
   * a busy turn.
   */
  async #quietMoment(): Promise<void> {
    const end = performance.now() + LAST_TURN;
    let started = performance.now();
    for (let idle = 0; idle < IDLE_TURNS && started < end;) {
      await setImmediate();
      const now = performance.now();
      idle = now - started < IDLE_TURN && this.#usedAt < started ? idle + 1 : 0;
      started = now;
    }
  }
}
