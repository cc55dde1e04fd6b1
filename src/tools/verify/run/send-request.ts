/** Sends a request unchanged, and reads the answer. */

import { type Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { CheckedAnswer } from '@concordat/runtime/testing';
import type { WireRequest } from '../../running/wire-request.js';

/** How long an answer may take, in milliseconds. */
const PATIENCE = 10_000;
/** How long a stream is read, in milliseconds, because it may have no end. */
export const STREAM_PATIENCE = 300;
const STREAMS =
  /^(?:text\/event-stream|application\/(?:jsonl|x-ndjson|x-jsonlines)|[^;]*[/+]json-seq|multipart\/)/;

/** An answer, or the reason why there is none. */
export type Answer = ServerAnswer | { readonly failure: string; readonly isRefused: boolean };

export interface ServerAnswer extends CheckedAnswer {
  /** Present if the server ended a WebSocket connection. */
  readonly closed?: { readonly code: number; readonly reason: string };
}

/** Whether the answer is the contract's example from a mock, which keeps no state. */
export function isMocked(answer: Answer): boolean {
  return 'status' in answer && answer.headers['x-mock'] !== undefined;
}

/** The address of a request at a server. */
export function addressOf(base: string, { path, query }: WireRequest): string {
  return `${base.replace(/\/$/, '')}${path}${query === '' ? '' : `?${query}`}`;
}

/** Sends path and body unchanged, and follows no redirect. */
export function sendRequest(base: string, wire: WireRequest, agent: Agent): Promise<Answer> {
  const url = new URL(base);
  const path = addressOf(url.pathname.replace(/\/$/, ''), wire);
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      resolve({ failure: error.message, isRefused: error.code === 'ECONNREFUSED' });
    };
    const { hostname, port } = url;
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const length = wire.body === undefined ? {} : { 'content-length': Buffer.byteLength(wire.body) };
    const options = {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path,
      method: wire.method,
      agent,
      headers: { ...wire.headers, ...length },
      timeout: PATIENCE,
    };
    const sent = send(options, (message) => {
      read(message).then(resolve, failed);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${String(PATIENCE / 1000)} s`)));
    sent.on('error', failed);
    sent.end(wire.body);
  });
}

async function read(message: IncomingMessage): Promise<CheckedAnswer> {
  const chunks: Buffer[] = [];
  const isStream = STREAMS.test(message.headers['content-type'] ?? '');
  const timer = isStream ? setTimeout(() => message.destroy(), STREAM_PATIENCE) : undefined;
  try {
    for await (const chunk of message) chunks.push(chunk as Buffer);
  } catch (error) {
    if (!isStream) throw error;
  } finally {
    clearTimeout(timer);
  }
  const text = Buffer.concat(chunks).toString();
  const isCut = isStream && !message.complete;
  return { status: message.statusCode ?? 0, headers: message.headers, text, ...(isCut && { isCut }) };
}
