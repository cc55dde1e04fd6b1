/** Answers input that `node:http` refuses before any handler sees it, after the responses to earlier requests. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { memoryRequest } from '../../http/memory-request.js';
import type { HttpRequest, HttpResponse } from '../../http/message.js';
import { Problem, problemResponse } from '../../http/problem.js';
import { NodeRequest } from './node-request.js';
import { leaveSocket, writeResponse, writeToSocket } from './write-response.js';

export interface ClientErrorOptions {
  /** Writes a refusal; `refuse` of a REST engine uses the format of its contract. Problem details (RFC 9457) unless given. */
  readonly refuse?: (problem: Problem, request: HttpRequest) => HttpResponse;
}

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/** The refusals by Node's error codes; every other error means malformed input. */
const REFUSALS: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large'],
  [LATE]: [408, 'The request did not arrive in time'],
};
const MALFORMED = [400, 'The request is not valid HTTP'] as const;

/** The responses of a server's connections. */
export interface ConnectionResponses {
  /** The response to the latest request of a connection; undefined when both are over, and before the first request. */
  latest(socket: Duplex): ServerResponse | undefined;
}

/**
 * Answers input that is not HTTP (400), headers that are too large (431), requests that arrive too slowly or stop arriving (408), an
 * `Expect` that is not `100-continue` (417) and `CONNECT` (501). Node answers the first of these at once, with an empty body, even
 * while a handler answers an earlier request of the connection, whose response is then lost. Here every request that has reached its
 * handler gets its response first. If the fault is in the body of that request, reading the body rejects with the `Problem`.
 *
 * When `server.timeout` ends a silent connection, a request whose body has not arrived is answered with 408 too. A listener of your own
 * for `timeout` or `checkContinue` is in charge of the event, as with `node:http`.
 *
 * @example
 * ```ts
 * const server = createServer(nodeTransport(engine)).listen(3000);
 * answerClientErrors(server, { refuse: engine.refuse });
 * ```
 */
export function answerClientErrors(
  server: Server,
  { refuse = problemResponse }: ClientErrorOptions = {},
): ConnectionResponses {
  const responses = new WeakMap<Duplex, ServerResponse>();
  const faulty = new WeakSet<Duplex>();
  const track = (request: IncomingMessage, response: ServerResponse): void => {
    responses.set(request.socket, response);
    response.on('close', forget);
  };
  /**
   * An idle connection should not keep its last response, which is as large as all else that Node keeps for it. While the body of its
   * request arrives, a connection is not idle: a second response to that request would be taken for one to the next.
   */
  function forget(this: ServerResponse): void {
    const { complete, socket } = this.req;
    if (complete && responses.get(socket) === this) responses.delete(socket);
  }

  function refuseNext(socket: Duplex, problem: Problem): void {
    const owed = responses.get(socket);
    // If the fault is in the body of a request, the response to that request is the last one.
    const isInBody = owed?.req.complete === false;
    const end = (): void => {
      if (isInBody) leaveSocket(socket);
      else if (socket.writable) writeToSocket(socket, refuse(problem, memoryRequest()));
    };
    if (owed === undefined || owed.writableFinished) {
      end();
      return;
    }
    owed.once('close', end);
    if (!isInBody) return;
    owed.shouldKeepAlive = false;
    // Ends the body with the problem. Plain `destroy` would also destroy the connection, which must still send the response.
    owed.req._destroy = (error, done) => {
      done(error);
    };
    owed.req.on('error', () => undefined).destroy(problem);
  }

  function refuseOnce(socket: Duplex, code: string): void {
    // Node emits the same error again for each piece that the client sends after it.
    if (faulty.has(socket)) return;
    faulty.add(socket);
    const [status, sentence] = REFUSALS[code] ?? MALFORMED;
    refuseNext(socket, new Problem(status, sentence));
  }

  /** Node looks for `100-continue` anywhere in the header, and takes an empty one for an unknown expectation. */
  function meetExpectations(request: IncomingMessage, response: ServerResponse): void {
    const expectations = (request.headers.expect ?? '').split(',').map((each) => each.trim().toLowerCase());
    const given = expectations.filter((each) => each !== '');
    if (given.every((each) => each === '100-continue')) {
      if (given.length > 0) response.writeContinue();
      server.emit('request', request, response);
      return;
    }
    track(request, response);
    const asked = new NodeRequest(request, response, request.url ?? '', request);
    const refusal = refuse(new Problem(417, 'The only expectation that is met is 100-continue'), asked);
    writeResponse(response, asked.method, refusal, () => undefined);
  }

  server.prependListener('request', track);
  server.on('checkExpectation', meetExpectations);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (server.listenerCount('checkContinue') === 1) meetExpectations(request, response);
  });
  server.on('timeout', (socket: Socket) => {
    const owed = responses.get(socket);
    const isHandled = [owed, owed?.req].some((each) => (each?.listenerCount('timeout') ?? 0) > 0);
    if (isHandled || server.listenerCount('timeout') > 1) return;
    // Where a response has begun, or an earlier one is being sent, it is the client that does not read.
    const isUnanswered = owed?.headersSent === false && owed.socket === socket;
    if (isUnanswered && !owed.req.complete && !faulty.has(socket)) refuseOnce(socket, LATE);
    else socket.destroy();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    refuseOnce(socket, error.code ?? '');
  });
  // Without a listener, Node would destroy the connection and lose the pending responses.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    if (server.listenerCount('connect') > 1) return;
    // Node does not listen any more, while an earlier response of the connection may still be written.
    socket.on('error', () => undefined);
    refuseNext(socket, new Problem(501, 'There are no tunnels here'));
  });
  return { latest: (socket) => responses.get(socket) };
}
