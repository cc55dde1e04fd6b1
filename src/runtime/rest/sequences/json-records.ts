/** Reads and writes JSON Lines, NDJSON and JSON text sequences (RFC 7464), which have one JSON text per record. */

import { Mismatch } from '../decode/mismatch.js';
import { readRecords } from './text-records.js';

/** Starts each record of a JSON text sequence. */
export const RECORD_SEPARATOR = '\x1e';

const notJson = new Mismatch('must be valid JSON');
const cutOff = new Mismatch('must end with a line feed');
const notSeparated = new Mismatch('must start with a record separator');

/** The non-blank lines of JSON Lines, in batches. @throws a 400 or 413 `Problem` */
export async function* readJsonLines(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<readonly string[], void, void> {
  for await (const lines of readRecords(body, '\n', limit)) yield lines.filter((line) => !isBlank(line));
}

/** The non-blank records of a JSON text sequence, each with its separator, in batches. @throws a 400 or 413 `Problem` */
export async function* readJsonSequence(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<readonly string[], void, void> {
  // Text in front of the first separator gets no separator, so that `parseRecord` refuses it.
  let isFirst = true;
  for await (const texts of readRecords(body, RECORD_SEPARATOR, limit)) {
    const records = texts.map((text, index) => (isFirst && index === 0 ? text : RECORD_SEPARATOR + text));
    isFirst = false;
    yield records.filter((record) => !isBlank(record.replace(RECORD_SEPARATOR, '')));
  }
}

/** Parses a JSON text. @throws SyntaxError */
export type ParseJson = (text: string) => unknown;

/** The value of a line. */
export function parseLine(line: string, parse: ParseJson = JSON.parse): unknown {
  try {
    return parse(line);
  } catch {
    // The parser's message repeats a piece of the body, which may be secret.
    return notJson;
  }
}

/** The value of a record of a JSON text sequence. */
export function parseRecord(record: string, parse?: ParseJson): unknown {
  if (!record.startsWith(RECORD_SEPARATOR)) return notSeparated;
  const value = parseLine(record.slice(1), parse);
  // A truncated number may still be valid JSON, so numbers and literals must end in white space (RFC 7464 §2.4).
  const isClosed = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return isClosed || /[ \t\r\n]$/.test(record) ? value : cutOff;
}

export function writeRecord(text: string): string {
  return `${RECORD_SEPARATOR}${text}\n`;
}

export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}
