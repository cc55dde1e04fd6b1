/** Compresses files for clients that accept it (RFC 9110 §8.4 and §12.5.3), each once per coding. */

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpRequest } from '@concordat/runtime';

type Compress = (body: Uint8Array) => Promise<Uint8Array>;

/**
 * The codings in order of preference. Brotli at level 9 of 11 compresses the largest script to a quarter in 0.3 s; level 11
 * is a tenth smaller, but takes twenty times as long. Browsers accept Brotli over TLS and on localhost only.
 */
const CODINGS: Readonly<Record<string, Compress>> = {
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body) => gzipped(body, { level: 9 }),
};
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Smaller files fit into a packet without compression. */
const MIN_BYTES = 1024;

const kept = new WeakMap<Uint8Array, Map<string, Promise<Uint8Array>>>();

/** Keeps the form of a body that was compressed with Brotli before. */
export function keepBrotli(body: Uint8Array, compressed: Uint8Array): void {
  kept.set(body, new Map([['br', Promise.resolve(compressed)]]));
}

/**
 * @param body - the same object each time, because its compressed forms are cached by identity
 * @returns the bytes to send, and the headers to send with them
 */
export async function coded(
  body: Uint8Array,
  { headers }: Pick<HttpRequest, 'headers'>,
): Promise<{ readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> }> {
  const Vary = 'Accept-Encoding';
  const coding =
    body.length < MIN_BYTES ? undefined : preferredCoding(String(headers['accept-encoding'] ?? ''));
  const compress = coding === undefined ? undefined : CODINGS[coding];
  if (coding === undefined || compress === undefined) return { body, headers: { Vary } };
  let codings = kept.get(body);
  if (codings === undefined) kept.set(body, (codings = new Map<string, Promise<Uint8Array>>()));
  let made = codings.get(coding);
  if (made === undefined) codings.set(coding, (made = compress(body)));
  return { body: await made, headers: { Vary, 'Content-Encoding': coding } };
}

/** The supported coding with the greatest weight; of several, the preferred one; undefined if none is accepted. */
function preferredCoding(accepted: string): string | undefined {
  const weights = new Map<string, number>();
  for (const entry of accepted.toLowerCase().split(',')) {
    const [, name, weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([\d.]+))?\s*$/.exec(entry) ?? [];
    if (name !== undefined) weights.set(name, Number(weight));
  }
  let preferred: string | undefined;
  let most = 0;
  for (const coding of Object.keys(CODINGS)) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > most) [preferred, most] = [coding, weight];
  }
  return preferred;
}
