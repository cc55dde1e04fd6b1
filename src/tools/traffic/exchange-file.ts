/** Reads the exchanges of a file in place of those of a server: an HTTP Archive (HAR 1.2), or lines that are its entries (JSON Lines). */

import { open as openFile, readFile } from 'node:fs/promises';
import type { BodySample, PassedExchange } from '@concordat/runtime/observe';
import { isObject, parsedJson } from '@concordat/runtime/parts';
import { type Fields, type RequestHead, valuesOf } from './heads.js';

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The names and values in a list of HAR. */
const namedIn = (list: unknown): [name: string, value: string][] =>
  (Array.isArray(list) ? list : []).map(membersOf).map(({ name, value }) => [textOf(name), textOf(value)]);

/**
 * Reads the exchanges with a server.
 *
 * @param settled - resolves when all exchanges that have ended are read, so that a long file takes no more memory
 * @throws an Error if the file has none, or is none of exchanges
 */
export async function readExchanges(
  file: string,
  server: URL,
  open: (head: RequestHead) => PassedExchange | undefined,
  settled: () => Promise<void>,
): Promise<void> {
  const others = new Set<string>();
  let number = 0;
  let isFound = false;
  for await (const entry of entriesOf(file)) {
    number += 1;
    const [request, response] = [membersOf(entry['request']), membersOf(entry['response'])];
    const { url, method } = request;
    const { status } = response;
    const [, address = '', target = ''] = /^(https?:\/\/[^/?#]+)([^#]*)/i.exec(textOf(url)) ?? [];
    if (typeof method !== 'string' || typeof status !== 'number' || !URL.canParse(address)) {
      const lacked = 'no request with a method and an address, and a response,';
      throw new Error(`${file} has ${lacked} in entry ${number}`);
    }
    // A connection that failed has the status 0.
    if (status < 200) continue;
    const { origin } = new URL(address);
    if (origin !== server.origin) {
      if (others.size < MOST_NAMED) others.add(origin);
      continue;
    }
    isFound = true;
    const posted = membersOf(request['postData']);
    const content = membersOf(response['content']);
    const sent = bodyOf(posted, request['bodySize']);
    const framing = sent?.length === 0 ? [] : [['content-length', String(sent?.length ?? 1)] as const];
    const passed = open({
      ...{ method, target: target.replace(/^(?!\/)/, '/'), address: '' },
      headers: [...headersOf(request, posted), ...framing],
    });
    fill(passed?.request, sent);
    fill(passed?.response, bodyOf(content, content['size']));
    passed?.end(status, headersOf(response, content));
    await settled();
  }
  if (isFound) return;
  const known = others.size === 0 ? '' : `, but with ${[...others].join(', ')}`;
  throw new Error(`${file} has no exchange with ${server.origin}${known}`);
}

/** So many other servers are named. */
const MOST_NAMED = 5;

async function* entriesOf(file: string): AsyncGenerator<Members> {
  if (/\.(?:jsonl|ndjson)$/i.test(file)) {
    const handle = await openFile(file);
    for await (const line of handle.readLines()) if (line.trim() !== '') yield parsed(file, line);
    return;
  }
  const { entries } = membersOf(parsed(file, await readFile(file, 'utf8'))['log']);
  if (!Array.isArray(entries)) throw new Error(`${file} is no HTTP Archive (HAR)`);
  yield* entries.map(membersOf);
}

/** @throws an Error for a text that is no object in JSON */
function parsed(file: string, text: string): Members {
  const value = parsedJson(text.replace(/^\uFEFF/, ''));
  if (isObject(value)) return value;
  throw new Error(`${file} is neither an HTTP Archive (HAR) nor lines of JSON (.jsonl)`);
}

/** The body describes itself; the names of HTTP/2 that begin with a colon are no headers. */
const LEFT_OUT = /^(?::.*|content-length|content-encoding|transfer-encoding|)$/i;

function headersOf({ headers }: Members, { mimeType }: Members): Fields {
  const fields = namedIn(headers).filter(([name]) => !LEFT_OUT.test(name));
  const isTyped = valuesOf(fields, 'content-type').length > 0 || textOf(mimeType) === '';
  return isTyped ? fields : [...fields, ['content-type', textOf(mimeType)]];
}

/** @param content - without its content coding @param size - in bytes @returns undefined for a body that the file does not have */
function bodyOf({ text, encoding, mimeType, params }: Members, size: unknown): Buffer | undefined {
  if (typeof text === 'string') return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  const pairs = namedIn(params);
  if (pairs.length > 0 && /urlencoded/i.test(textOf(mimeType)))
    return Buffer.from(new URLSearchParams(pairs).toString());
  return Number(size) > 0 || pairs.length > 0 ? undefined : Buffer.alloc(0);
}

function fill(sample: BodySample | undefined, body: Buffer | undefined): void {
  if (body === undefined) sample?.cut();
  else sample?.add(body);
}
