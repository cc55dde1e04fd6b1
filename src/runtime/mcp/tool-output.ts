/** Turns the response of an operation into the result of its tool, which a model can read. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { isStreamed } from '../http/message.js';
import { wholeWithin } from '../http/read-body.js';
import type { HttpResponse, ResponseContent } from '../index.js';
import { replaceLongNumbers } from '../rest/decode/exact.js';
import { isObject } from '../failures/json-value.js';

/** The maximum size of a response in bytes: a larger one does not fit into the model's context. */
const MAX_BYTES = 1024 * 1024;

/** @param hasSchema - whether the tool promises an object */
export async function resultOf(
  response: HttpResponse,
  hasSchema: boolean,
  path: string,
): Promise<CallToolResult> {
  const { status, headers } = response;
  const bytes = await readBytes(response.body);
  if (bytes === undefined)
    return failure(`The answer is larger than ${String(MAX_BYTES)} bytes: ask for less`);
  const type = headerOf(headers, 'content-type');
  const text = isText(type) ? new TextDecoder().decode(bytes) : undefined;
  const value = text !== undefined && isJsonType(type) ? parseOrUndefined(text) : undefined;
  if (status >= 400)
    return failure(sentenceOf(value) ?? (text === undefined || text === '' ? statusText(status) : text));
  if (hasSchema && !isObject(value)) return failure(statusText(status));
  if (bytes.length === 0) {
    const location = headerOf(headers, 'location');
    return said(location === '' ? statusText(status) : `${statusText(status)}, Location: ${location}`);
  }
  if (text === undefined) {
    const blob = base64(bytes);
    return { content: [{ type: 'resource', resource: { uri: `concordat:${path}`, mimeType: type, blob } }] };
  }
  return hasSchema && isObject(value) ? { ...said(text), structuredContent: value } : said(text);
}

/** Whether a media type is JSON. */
function isJsonType(mediaType: string): boolean {
  const essence = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  return /^[^/]+\/(?:json|[^/]+\+json)$/.test(essence);
}

export function failure(sentence: string): CallToolResult {
  return { ...said(sentence), isError: true };
}

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function statusText(status: number): string {
  return `Status ${String(status)}`;
}

/** The sentence of an error, from problem details (RFC 9457) or a property name that services commonly use. */
function sentenceOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { detail, error, message, title } = value;
  return [detail, error, message, title].find((each) => typeof each === 'string' && each !== '') as
    string | undefined;
}

function isText(type: string): boolean {
  return type === '' || isJsonType(type) || /^text\/|^application\/(?:xml|yaml)|\+(?:xml|yaml)\b/i.test(type);
}

/** @returns undefined for more than {@link MAX_BYTES} */
async function readBytes(body: ResponseContent | undefined): Promise<Uint8Array | undefined> {
  if (isStreamed(body)) return await wholeWithin(body, MAX_BYTES);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  return bytes.length > MAX_BYTES ? undefined : bytes;
}

function headerOf(headers: HttpResponse['headers'], name: string): string {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
  return typeof found === 'string' ? found : found.join(', ');
}

/** An integer that JavaScript would round, as a string of its digits, which the output schema allows. */
function digitsOf(number: string): string | undefined {
  return /^-?\d+$/.test(number) && String(Number(number)) !== number ? `"${number}"` : undefined;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(replaceLongNumbers(text, digitsOf));
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
