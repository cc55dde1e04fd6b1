/** Serves requests that a client sends without waiting for answers (pipelining) one after the other. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Node emits every request as soon as it is parsed, hundreds from one packet. This one is answered when the answer before it
 * has been handed to the kernel, so nothing is computed for a client that does not read. Meanwhile no more is read from it.
 */
export function inTurn(answer: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();

  function hold(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const others = waiting.get(socket) ?? 0;
    waiting.set(socket, others + 1);
    if (others === 0) socket.on('resume', pauseAgain).pause();
    response.once('socket', () => {
      // After other connections: otherwise the requests of one packet would be answered in one go.
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
    // Node queues responses: one gets the socket when the one before it is finished.
    if (response.socket === null) hold(request, response);
    else answer(request, response);
  };
}

/** Node resumes a connection after each answer, to discard what is left of the body of its request. */
function pauseAgain(this: Socket): void {
  this.pause();
}
