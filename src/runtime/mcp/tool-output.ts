/** Turns the response of an operation into the result of its tool, which a model can read. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { isStreamed } from '../http/message.js';
import { wholeWithin } from '../http/read-body.js';
import type { HttpResponse, ResponseContent } from '../index.js';
import { replaceLongNumbers } from '../rest/decode/exact.js';
import { typesOf } from './arguments.js';
import { type DocumentOperation, type Node, entriesOf, isNode, resolve } from './openapi-document.js';
import { SchemaCopies } from './schema-copies.js';
import { type ObjectSchema, isJsonType } from './tool-input.js';

export interface ToolOutput {
  /** Present if all successes are objects of the same schema. */
  readonly schema: ObjectSchema | undefined;
  /** The `Accept` to send. */
  readonly accept: string | undefined;
}

/** The maximum size of a response in bytes: a larger one does not fit into the model's context. */
const MAX_BYTES = 1024 * 1024;

export function compileOutput(document: Node, { method, node }: DocumentOperation): ToolOutput {
  const successes = entriesOf(node['responses'])
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => entriesOf(resolve(document, response)['content']));
  const chosen = successes.map((content) => content.find(([type]) => isJsonType(type)) ?? content[0]);
  const types = [...new Set(chosen.flatMap((each) => (each === undefined ? [] : [each[0]])))];
  return {
    accept: types.length === 0 ? undefined : types.join(', '),
    schema: method === 'HEAD' ? undefined : objectSchema(document, chosen),
  };
}

/** The schema of a result must describe an object (MCP, "Output Schema"), and every success must match it. */
function objectSchema(
  document: Node,
  chosen: readonly (readonly [type: string, media: unknown] | undefined)[],
): ObjectSchema | undefined {
  const schemas = chosen.map((each) =>
    each !== undefined && isJsonType(each[0]) && isNode(each[1]) ? each[1]['schema'] : undefined,
  );
  const [first] = schemas;
  if (first === undefined || !schemas.every((each) => JSON.stringify(each) === JSON.stringify(first))) {
    return undefined;
  }
  // The schema must accept only objects.
  if ([...typesOf(document, first)].join() !== 'object') return undefined;
  const copies = new SchemaCopies(document, true);
  // A reference is replaced by its target, so that clients find the properties at the top level.
  const isReference = isNode(first) && Object.keys(first).join() === '$ref';
  const copy = copies.copyObject(isReference ? resolve(document, first) : first);
  return copies.withDefinitions({ ...copy, type: 'object' as const });
}

export async function resultOf(
  response: HttpResponse,
  schema: ObjectSchema | undefined,
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
  if (schema !== undefined && !isNode(value)) return failure(statusText(status));
  if (bytes.length === 0) {
    const location = headerOf(headers, 'location');
    return said(location === '' ? statusText(status) : `${statusText(status)}, Location: ${location}`);
  }
  if (text === undefined) {
    const blob = base64(bytes);
    return { content: [{ type: 'resource', resource: { uri: `concordat:${path}`, mimeType: type, blob } }] };
  }
  return schema !== undefined && isNode(value) ? { ...said(text), structuredContent: value } : said(text);
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
  if (!isNode(value)) return undefined;
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
