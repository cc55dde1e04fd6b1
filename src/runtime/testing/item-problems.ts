/** Checks the items of a streamed answer, as far as it was read. */

import type { Check, Sequence } from '../contract/contract.js';
import { Problem } from '../http/problem.js';
import { eventReader } from '../rest/sequences/events.js';
import { RECORD_SEPARATOR, isBlank, parseLine, parseRecord } from '../rest/sequences/json-records.js';
import { eventDecoder, requireFit } from '../rest/sequences/read-items.js';

/**
 * The problem of the first item that does not fit. The parts of a multipart answer are not looked at.
 *
 * @param isCut - whether more would have come: an item that is not complete is then none
 */
export function itemProblems(
  sequence: Sequence,
  check: Check = () => true,
  text: string,
  isCut: boolean,
): readonly string[] {
  try {
    for (const [index, item] of itemsOf(sequence, check, text, isCut).entries()) {
      requireFit(check, item, `body/${String(index)}`);
    }
    return [];
  } catch (error) {
    if (error instanceof Problem) return [error.message];
    throw error;
  }
}

function itemsOf(sequence: Sequence, check: Check, text: string, isCut: boolean): readonly unknown[] {
  const complete = (records: readonly string[]): readonly string[] =>
    isCut ? records.slice(0, -1) : records;
  switch (sequence.format) {
    case 'json-lines':
      return complete(text.split('\n'))
        .filter((line) => !isBlank(line))
        .map((line) => parseLine(line));
    case 'json-seq': {
      const [before = '', ...records] = text.split(RECORD_SEPARATOR);
      return [before, ...complete(records).map((record) => RECORD_SEPARATOR + record)]
        .filter((record) => !isBlank(record.replace(RECORD_SEPARATOR, '')))
        .map((record) => parseRecord(record));
    }
    case 'events': {
      const eventAt = eventReader();
      const lines = text.split(/\r\n|\n|\r/).slice(0, -1);
      return lines.flatMap((line) => eventAt(line) ?? []).map(eventDecoder(sequence.data, check, JSON.parse));
    }
    case 'multipart':
      return [];
  }
}
