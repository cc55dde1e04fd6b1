/** Checks the items of a stream, as far as it was read. */

import type { Check, Sequence } from '../contract/contract.js';
import { Problem } from '../http/problem.js';
import { type ServerSentEvent, readField } from '../rest/sequences/events.js';
import { parseLine, parseRecord } from '../rest/sequences/json-records.js';
import { eventDecoder, requireFit } from '../rest/sequences/read-items.js';

/** One sentence about the first item that does not fit. The parts of a multipart body may be bytes, and are not read. */
export function itemProblems(text: string, sequence: Sequence, check: Check): readonly string[] {
  try {
    for (const [index, item] of itemsOf(text, sequence, check).entries())
      requireFit(check, item, `body/${String(index)}`);
    return [];
  } catch (error) {
    if (error instanceof Problem) return [error.message];
    throw error;
  }
}

/** The whole items of a text: its reader may have left in the middle of the last one. */
function itemsOf(text: string, sequence: Sequence, check: Check): readonly unknown[] {
  switch (sequence.format) {
    case 'json-lines':
      return text
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.trim() !== '')
        .map((line) => parseLine(line));
    case 'json-seq':
      return text
        .split('\x1e')
        .map((record, index) => (index === 0 ? record : `\x1e${record}`))
        .filter((record, index, all) => index < all.length - 1 || record.endsWith('\n'))
        .filter((record) => record !== '')
        .map((record) => parseRecord(record));
    case 'events': {
      const decode = eventDecoder(sequence.data, check, JSON.parse);
      return text
        .split(/\r\n\r\n|\n\n|\r\r/)
        .slice(0, -1)
        .map(eventOf)
        .filter(({ data }) => data !== undefined)
        .map(decode);
    }
    case 'multipart':
      return [];
  }
}

function eventOf(block: string): ServerSentEvent {
  const event = {};
  for (const line of block.split(/\r\n|\n|\r/)) readField(event, line);
  return event;
}
