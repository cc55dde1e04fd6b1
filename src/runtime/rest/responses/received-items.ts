/** Splits a streamed body that was received as a text into its items: lines, records, events and parts. */

import type { ItemText } from '../../contract/body-codecs.js';
import type { Check, Sequence } from '../../contract/contract.js';
import { parseNearestJson } from '../decode/exact.js';
import { eventReader } from '../sequences/events.js';
import { RECORD_SEPARATOR, isBlank, parseLine, parseRecord } from '../sequences/text-records.js';
import { boundaryOf, malformed } from '../sequences/multipart.js';
import { eventDecoder, requirePartType } from '../sequences/read-items.js';

/** The items with their indexes. @throws a 400 `Problem` for a text that is malformed */
export function splitItems(
  sequence: Sequence,
  check: Check,
  given: ItemText,
): Iterable<readonly [number, unknown]> {
  const { text, isCut } = given;
  const complete = (records: readonly string[]): readonly string[] =>
    isCut ? records.slice(0, -1) : records;
  switch (sequence.format) {
    case 'json-lines':
      return complete(text.split('\n'))
        .filter((line) => !isBlank(line))
        .map((line) => parseLine(line, parseNearestJson))
        .entries();
    case 'json-seq': {
      const [before = '', ...records] = text.split(RECORD_SEPARATOR);
      return [before, ...complete(records).map((record) => RECORD_SEPARATOR + record)]
        .filter((record) => !isBlank(record.replace(RECORD_SEPARATOR, '')))
        .map((record) => parseRecord(record, parseNearestJson))
        .entries();
    }
    case 'events': {
      const eventAt = eventReader();
      const lines = text.split(/\r\n|\n|\r/).slice(0, -1);
      const decode = eventDecoder(sequence.data, check, parseNearestJson);
      return lines
        .flatMap((line) => eventAt(line) ?? [])
        .map(decode)
        .entries();
    }
    case 'multipart':
      return partsOf(sequence, given);
  }
}

/**
 * The parts of a multipart body (RFC 2046 §5.1) that have a schema. In the decoded text, invalid UTF-8 is replaced, which does
 * not change delimiters and headers.
 */
function* partsOf(
  { first = [], part }: Extract<Sequence, { readonly format: 'multipart' }>,
  { text, contentType, isCut }: ItemText,
): Generator<readonly [number, unknown]> {
  const [, ...pieces] = `\r\n${text}`.split(`\r\n--${boundaryOf(contentType)}`);
  const end = pieces.findIndex((piece) => piece.startsWith('--'));
  for (const [index, piece] of pieces.slice(0, end).entries()) {
    const [, headers, content] = /^[ \t]*((?:\r\n[^\r\n]+)*)\r\n\r\n(.*)$/s.exec(piece) ?? [];
    if (headers === undefined || content === undefined)
      throw malformed(`the headers of part ${String(index)} have no end`);
    const { kind, contentTypes } = first[index] ?? part;
    const [, type] = /^content-type[ \t]*:[ \t]*(.*(?:\r\n[ \t].*)*)/im.exec(headers) ?? [];
    requirePartType(type, contentTypes, `body/${String(index)}`);
    if (kind !== 'bytes') yield [index, kind === 'text' ? content : parseLine(content, parseNearestJson)];
  }
  if (end === -1 && !isCut) throw malformed('it ends before its last boundary');
}
