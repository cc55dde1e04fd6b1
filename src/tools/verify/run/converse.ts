/** Sends messages to a server over a WebSocket, and records its messages for a moment. */

import { EventEmitter, once } from 'node:events';
import { WebSocket } from 'ws';
import type { WireRequest } from '../../running/wire-request.js';
import { type ServerAnswer, STREAM_PATIENCE, addressOf } from './send-request.js';

/** How long a handshake may take, in milliseconds. A server may leave an unsupported upgrade unanswered. */
const HANDSHAKE = 2000;
/** How long the server's first message, or its close, may take, in milliseconds. */
const PATIENCE = 3000;
/** How long to wait for the server to close the connection after its last message, in milliseconds. */
const AFTER_END = 30;

const IS_PING = /^\s*\{\s*"type"\s*:\s*"ping"/;

/** A message that ends a subscription. */
const IS_END = /"type"\s*:\s*"(?:complete|error)"/;

/**
 * Sends the messages of a request, which are the lines of its body: the first one, and the others after it is answered. Pings
 * of the server are answered.
 *
 * @returns the server's messages, one per line, and a last line such as `closed 4400 Bad request` if it ended the connection;
 *   undefined if it has no WebSocket of that protocol at that path
 */
export async function converse(base: string, wire: WireRequest): Promise<ServerAnswer | undefined> {
  const said: string[] = [];
  const events = new EventEmitter();
  const write = (line: string): void => {
    said.push(line);
    events.emit('line');
  };
  const end: Pick<ServerAnswer, 'closed'> = {};
  const isClosed = (): boolean => end.closed !== undefined;
  const until = async (isSo: () => boolean, milliseconds: number): Promise<void> => {
    const signal = AbortSignal.timeout(milliseconds);
    while (!isSo() && !isClosed() && !signal.aborted)
      await once(events, 'line', { signal }).catch(() => undefined);
  };
  const { 'sec-websocket-protocol': protocol, ...headers } = wire.headers;
  const socket = new WebSocket(addressOf(base, wire).replace(/^http/, 'ws'), protocol, {
    headers,
    handshakeTimeout: HANDSHAKE,
    perMessageDeflate: false,
  });
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    write(text.replaceAll('\n', ' '));
    if (IS_PING.test(text)) socket.send('{"type":"pong"}');
  });
  socket.on('close', (code, reason) => {
    Object.assign(end, { closed: { code, reason: reason.toString() } });
    write(`closed ${String(code)} ${reason.toString()}`.trimEnd());
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.on('open', () => {
      resolve(true);
    });
    // A connection that fails later also emits `close`, with 1006.
    socket.on('error', () => {
      resolve(false);
    });
  });
  if (!isOpen) return undefined;
  const [first = '', ...others] = (wire.body ?? '').split('\n');
  socket.send(first);
  const isAnswered = (): boolean => said.some((line) => !IS_PING.test(line));
  if (others.length > 0) await until(isAnswered, PATIENCE);
  if (isAnswered() && !isClosed()) for (const line of others) socket.send(line);
  if (others.length === 0 || isAnswered())
    await until(() => said.some((line) => IS_END.test(line)), STREAM_PATIENCE);
  await until(isClosed, AFTER_END);
  socket.close(1000);
  // A server that does not answer the close must not keep the process alive.
  setTimeout(() => {
    socket.terminate();
  }, PATIENCE).unref();
  return { status: 101, headers: {}, text: said.join('\n'), ...end };
}
