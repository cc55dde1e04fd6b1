/** Splits a body of UTF-8 text into records as it arrives, and reads and writes those that are JSON: JSON Lines, NDJSON and JSON text sequences (RFC 7464). */

import { Problem, tooLarge } from '../../http/problem.js';
import { Mismatch } from '../decode/mismatch.js';

/**
 * The records of a body. Each batch holds the records that one piece of the body completes.
 *
 * @param separator - the text before or after each record; the last record may lack one after it
 * @param limit - the maximum length of a record; past it, the iterator throws a 413 `Problem`
 * @throws a 400 `Problem` when the body is not UTF-8
 */
export async function* readRecords(
  body: AsyncIterable<Uint8Array>,
  separator: string | RegExp,
  limit: number,
): AsyncGenerator<readonly string[], void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Only new text is searched, so many small pieces of a long record cost no more than a few large ones.
  let unfinished = '';
  let endsInReturn = false;
  for await (const piece of body) {
    const text = decode(decoder, piece);
    if (text === '') continue;
    // A line may end in CR LF, which may be split between two pieces.
    const isSplitEnd = endsInReturn && text.startsWith('\n') && typeof separator !== 'string';
    endsInReturn = text.endsWith('\r');
    const [first = '', ...others] = (isSplitEnd ? text.slice(1) : text).split(separator);
    unfinished += first;
    if (unfinished.length > limit) throw tooLarge(limit);
    const last = others.pop();
    if (last === undefined) continue;
    const records = [unfinished, ...others];
    unfinished = last;
    yield records;
  }
  unfinished += decode(decoder);
  yield [unfinished];
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw new Problem(400, 'body must be UTF-8 text');
  }
}

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
