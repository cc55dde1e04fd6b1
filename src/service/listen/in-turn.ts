/** Answers pipelined requests, which a client sends without waiting for answers, one after the other. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Answers a request, at once or later. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Node emits every request as soon as it is parsed, hundreds of them from one packet. This listener holds a request until the
 * previous answer has been handed to the kernel, so nothing is computed for a client that does not read. Meanwhile, it reads
 * nothing more from the client.
 */
export function inTurn(answer: Answer): RequestListener {
  const waiting = new WeakMap<Socket, number>();

  function hold(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const others = waiting.get(socket) ?? 0;
    waiting.set(socket, others + 1);
    if (others === 0) socket.on('resume', pauseAgain).pause();
    response.once('socket', () => {
      // Other connections go first; otherwise all requests of one packet would be answered before them.
      setImmediate(() => {
        release(socket);
        if (!socket.destroyed) answer(request, response);
      });
    });
  }

  function release(socket: Socket): void {
    const others = (waiting.get(socket) ?? 1) - 1;
    waiting.set(socket, others);
    if (others === 0) socket.off('resume', pauseAgain).resume();
  }

  return (request, response) => {
    // Node queues responses: each gets the socket when the previous one is finished.
    if (response.socket === null) hold(request, response);
    else answer(request, response);
  };
}

/** Undoes Node's `resume` after each answer, which discards the rest of the request's body. */
function pauseAgain(this: Socket): void {
  this.pause();
}
