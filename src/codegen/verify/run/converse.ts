/** Speaks with a server over a WebSocket for a moment, and writes down what it says. */

import { EventEmitter, once } from 'node:events';
import type { CheckedAnswer } from 'concordat/testing';
import { WebSocket } from 'ws';
import type { WireRequest } from '../../running/message.js';
import { STREAM_PATIENCE, addressOf } from './send-request.js';

/** How long a handshake may take, in milliseconds: a server may leave an upgrade that it does not know unanswered. */
const HANDSHAKE = 2000;
/** How long the first message of the server may take, in milliseconds. */
const PATIENCE = 3000;
/** How long the server is listened to after the end of what it has to say, in milliseconds. */
const AFTER_END = 30;

const IS_PING = /^\s*\{\s*"type"\s*:\s*"ping"/;

/** What ends a subscription. */
const IS_END = /"type"\s*:\s*"(?:complete|error)"/;

/** What is written down of the end of a connection. */
export const CLOSED = /^closed (\d+) ?(.*)$/;

/**
 * Sends the messages of a request, which are the lines of its body: the first one, and the others once that is answered. What
 * the server pings is answered.
 *
 * @returns the server's messages as the lines of a text, with `closed 4400 Bad request` as the last where it ended the
 * connection; undefined where it has no WebSocket of that protocol there
 */
export async function converse(base: string, wire: WireRequest): Promise<CheckedAnswer | undefined> {
  const said: string[] = [];
  const events = new EventEmitter();
  const write = (line: string): void => {
    said.push(line);
    events.emit('line');
  };
  const isClosed = (): boolean => CLOSED.test(said.at(-1) ?? '');
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
    write(`closed ${String(code)} ${reason.toString()}`.trimEnd());
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.on('open', () => {
      resolve(true);
    });
    // A connection that fails later is closed too, with 1006.
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
  // A server that does not answer the close must not keep the process.
  setTimeout(() => {
    socket.terminate();
  }, PATIENCE).unref();
  return { status: 101, headers: {}, text: said.join('\n') };
}
