/** Decides which parts of the head of a message are passed on: those from end to end (RFC 9110 §7.6.1), in their order. */

import type { IncomingMessage } from 'node:http';
import { Problem } from '@concordat/runtime';

/** Headers as they were sent, in their order, with repeated ones. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** A request as it is passed on, and as it is checked: there is no other reading of it. */
export interface RequestHead {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: Fields;
  /** The address of the client. */
  readonly address: string;
}

/** The values of a header, whose name is in lower case. */
export function valuesOf(headers: Fields, name: string): readonly string[] {
  return headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
}

/** The headers and trailers of one connection. */
const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-connection|te|transfer-encoding|upgrade)$/i;

/** Headers that are not taken from trailers, because the message is read, routed or authorised by them (RFC 9110 §6.5.1). */
const ONLY_IN_HEAD = /^(?:trailer|host|expect|content-.*|authorization|cookie)$/i;

/** The headers that say whether a message has a body, and where it ends. */
export const FRAMING = /^(?:content-length|transfer-encoding)$/i;

/** Without these, a message has another end, or another receiver. */
const ALWAYS_PASSED = /^(?:content-length|host)$/i;

/**
 * @param raw - names and values in turns, as Node has them
 * @param hasTrailers - whether the message can have some
 */
export function endToEnd(raw: readonly string[], hasTrailers: boolean): Fields {
  const all = pairsOf(raw);
  const named = valuesOf(all, 'connection').flatMap((value) => value.toLowerCase().split(/[\s,]+/));
  return all.filter(([given]) => {
    const name = given.toLowerCase();
    if (ALWAYS_PASSED.test(name)) return true;
    return !HOP_BY_HOP.test(name) && !named.includes(name) && (hasTrailers || name !== 'trailer');
  });
}

/** The trailers that are passed on. @param raw - names and values in turns */
export const trailersOf = (raw: readonly string[]): Fields =>
  pairsOf(raw).filter(([name]) => !HOP_BY_HOP.test(name) && !ONLY_IN_HEAD.test(name));

export const pairsOf = (raw: readonly string[]): Fields =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));

/** The transfer codings of a message, as they are written; undefined for none. */
export function codingsOf(raw: readonly string[]): string | undefined {
  const values = valuesOf(pairsOf(raw), 'transfer-encoding');
  return values.length === 0 ? undefined : values.join().trim().toLowerCase();
}

/** Whether a request asks for a WebSocket. Another protocol, such as h2c, would carry requests that nothing has checked. */
export function asksForWebSocket(method: string | undefined, raw: readonly string[]): boolean {
  const headers = pairsOf(raw);
  const protocol = valuesOf(headers, 'upgrade').join().trim().toLowerCase();
  return method === 'GET' && protocol === 'websocket' && !headers.some(([name]) => FRAMING.test(name));
}

/** The methods whose requests need not say that they have no body. */
const BODILESS = /^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/;

/**
 * The head with which a request is passed on.
 *
 * @param server - the host to name for a client of HTTP/1.0, which need not name one
 * @throws a Problem for a request that servers read differently
 */
export function passedHead(request: IncomingMessage, server: string): RequestHead {
  const { method = '', url = '', rawHeaders, socket } = request;
  // RFC 9112 §3.2.2: a server takes whole addresses too, whose host is the one that counts.
  const [, authority, path = ''] = /^https?:\/\/([^/?#@]+)([/?].*|)$/i.exec(url) ?? [];
  const target = authority === undefined ? url : path.replace(/^(?!\/)/, '/');
  if (!(target.startsWith('/') || (target === '*' && method === 'OPTIONS')) || target.includes('#'))
    throw new Problem(400, 'The address of the request is neither a path nor a whole address');
  const isLatest = request.httpVersion === '1.1';
  if (!isLatest && request.httpVersion !== '1.0') throw new Problem(400, 'The request is not valid HTTP');
  const codings = codingsOf(rawHeaders);
  if (codings !== undefined && (codings !== 'chunked' || !isLatest))
    throw new Problem(501, 'The only transfer coding that is read is chunked, of HTTP/1.1');
  const headers = endToEnd(rawHeaders, codings !== undefined).filter(([name]) => !/^expect$/i.test(name));
  const hosts = valuesOf(headers, 'host');
  if (hosts.length > 1 || (hosts.length === 0 && isLatest))
    throw new Problem(400, 'The request names no host, or several');
  const host = authority ?? (hosts.length === 0 ? server : undefined);
  const unnamed = headers.filter(([name]) => !/^host$/i.test(name));
  const named: Fields = host === undefined ? headers : [['Host', host], ...unnamed];
  const hasLength = BODILESS.test(method) || valuesOf(headers, 'content-length').length > 0;
  // Otherwise, Node would add an empty body of chunks.
  const empty: Fields = hasLength ? [] : [['Content-Length', '0']];
  const framing: Fields = codings === undefined ? empty : [['Transfer-Encoding', 'chunked']];
  return { method, target, headers: [...named, ...framing], address: socket.remoteAddress ?? '' };
}
