/** Small valid files by their media types, and the form of streams whose schema describes no item but the whole. */

import type { Json } from '@concordat/runtime';
import { isObject, parsedJson } from '@concordat/runtime/parts';

/** The number of items in a stream. */
export const COUNT = 2;

const TEXTS = new Map([
  ['text/csv', 'id,name\r\n1,text\r\n'],
  ['text/event-stream', 'data: text\n\n'.repeat(COUNT)],
  ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
]);

/** Files in Base64: an image has one pixel, a document one page, and an archive one file. */
const FILES: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==',
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'image/jpeg': `/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP${'/'.repeat(86)}2wBDAf${'/'.repeat(86)}wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJgA/9k=`,
  'image/webp':
    'UklGRkAAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAIAAAAAAFZQOCAYAAAAMAEAnQEqAQABAA/A/iWkAANwAP7mtQAA',
  'application/pdf':
    'JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZy9QYWdlcyAyIDAgUj4+ZW5kb2JqCjIgMCBvYmo8PC9UeXBlL1BhZ2VzL0tpZHNbMyAwIFJdL0NvdW50IDE+PmVuZG9iagozIDAgb2JqPDwvVHlwZS9QYWdlL1BhcmVudCAyIDAgUi9NZWRpYUJveFswIDAgNzIgNzJdPj5lbmRvYmoKeHJlZgowIDQKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMDA5IDAwMDAwIG4gCjAwMDAwMDAwNTIgMDAwMDAgbiAKMDAwMDAwMDEwMSAwMDAwMCBuIAp0cmFpbGVyPDwvU2l6ZSA0L1Jvb3QgMSAwIFI+PgpzdGFydHhyZWYKMTYyCiUlRU9GCg==',
  'application/zip':
    'UEsDBBQAAAAAAAAAIQAn2uw3BQAAAAUAAAAFAAAAYS50eHR0ZXh0ClBLAQIUAxQAAAAAAAAAIQAn2uw3BQAAAAUAAAAFAAAAAAAAAAAAAACAAQAAAABhLnR4dFBLBQYAAAAAAQABADMAAAAoAAAAAAA=',
};

/** A small file of a media type: a text, or bytes. */
export function sampleFile(mediaType: string): string | Uint8Array | undefined {
  const file = Object.hasOwn(FILES, mediaType) ? FILES[mediaType] : undefined;
  return file === undefined ? TEXTS.get(mediaType) : Buffer.from(file, 'base64');
}

/** A value as the items of a stream, each in the form of its media type; undefined for another media type, and for what has the form already. */
export function asStream(mediaType: string, value: unknown): string | undefined {
  const isEvents = mediaType === 'text/event-stream';
  const isSequence = /[/+]json-seq$/.test(mediaType);
  if (!isEvents && !isSequence && !/^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/.test(mediaType))
    return undefined;
  const lines = typeof value === 'string' ? value.split('\n').filter((line) => line.trim() !== '') : [];
  const hasForm = (line: string): boolean =>
    isEvents ? /^(?:data|event|id|retry|):/.test(line) : parsedJson(line) !== undefined;
  if (lines.length > 0 && !isSequence && lines.every(hasForm)) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : Array<unknown>(COUNT).fill(value);
  return items
    .map((item) => (isEvents ? eventOf(item) : `${isSequence ? '\x1e' : ''}${JSON.stringify(item)}\n`))
    .join('');
}

/** An event of HTML's server-sent events: its fields, where an object has those of one, else its data. */
function eventOf(item: unknown): string {
  const isEvent = isObject(item) && 'data' in item;
  const fields = isEvent ? Object.entries(item as Readonly<Record<string, Json>>) : [['data', item] as const];
  const lines = fields.flatMap(([name, value]) => {
    if (!/^(?:data|event|id|retry)$/.test(name)) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.split(/\r\n|[\r\n]/).map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}
