/** Reads the items of a sequential media type as they arrive: decodes each, then checks it. */

import type { OpenBody } from '../../contract/body-codecs.js';
import type { Check, Convert, PartCodec, Sequence } from '../../contract/contract.js';
import { isOfType } from '../../http/media-type.js';
import { Problem } from '../../http/problem.js';
import { converted, failuresIn, Mismatch } from '../decode/mismatch.js';
import { parseExactJson, withoutBigints, roundedNumber } from '../decode/exact.js';
import { textOf, whole } from '../../http/read-body.js';
import { type ServerSentEvent, readEvents } from './events.js';
import { type ParseJson, parseLine, parseRecord, readJsonLines, readJsonSequence } from './text-records.js';
import { type BodyPart, readMultipart } from './multipart.js';

/**
 * Makes the function that reads a body item by item.
 *
 * @returns a function of the body, its Content-Type and the maximum size of one item in bytes; its iterator throws a 400
 * `Problem` that names the place of the first item that does not fit, as in `body/3/name must be string`, unless `refuse` is given
 */
export function compileItems(
  sequence: Sequence,
  check: Check = () => true,
  conversion?: ItemConversion,
): OpenBody {
  const parse: ParseJson = conversion?.exact === true ? parseExactJson : JSON.parse;
  /** The value, or a `Mismatch` if an integer was rounded for which the check requires an integer. */
  const unrounded = (value: unknown, text: string): unknown =>
    value instanceof Mismatch || parse !== JSON.parse ? value : (roundedNumber(text, check) ?? value);
  const items = <Raw>(
    batches: AsyncIterable<readonly Raw[]>,
    decode: (raw: Raw) => unknown,
    refuse?: Refuse,
  ) => itemsOf(batches, decode, check, conversion, refuse);
  switch (sequence.format) {
    case 'json-lines':
      return (body, _contentType, limit, refuse) =>
        items(readJsonLines(body, limit), (line) => unrounded(parseLine(line, parse), line), refuse);
    case 'json-seq':
      return (body, _contentType, limit, refuse) => {
        const decode = (record: string): unknown => unrounded(parseRecord(record, parse), record.slice(1));
        return items(readJsonSequence(body, limit), decode, refuse);
      };
    case 'events': {
      const decode = eventDecoder(sequence.data, check, parse);
      return (body, _contentType, limit, refuse) => items(readEvents(body, limit), decode, refuse);
    }
    case 'multipart': {
      const { first = [], part } = sequence;
      return (body, contentType, limit, refuse) => {
        const parts = readMultipart(body, contentType);
        const contents = contentsOf(parts, (index) => first[index] ?? part, limit, parse);
        return items(contents, (value) => value, refuse);
      };
    }
  }
}

type Refuse = Parameters<OpenBody>[3];

/** The conversion of items to the values that handlers get. */
interface ItemConversion {
  readonly convert: Convert;
  /** Whether integers beyond 2^53 keep their digits. */
  readonly exact: boolean;
}

async function* itemsOf<Raw>(
  batches: AsyncIterable<readonly Raw[]>,
  decode: (raw: Raw) => unknown,
  check: Check,
  conversion: ItemConversion | undefined,
  refuse?: Refuse,
): AsyncGenerator<unknown, void, void> {
  let index = 0;
  for await (const batch of batches) {
    for (const raw of batch) {
      const decoded = decode(raw);
      const value = conversion?.exact === true ? withoutBigints(decoded) : decoded;
      // No schema describes bytes.
      if (value instanceof Uint8Array) yield value;
      else {
        requireFit(check, value, `/body/${String(index)}`, refuse);
        yield conversion === undefined
          ? value
          : converted(conversion.convert, value, decoded, `/body/${String(index)}`);
      }
      index += 1;
    }
  }
}

/** @throws a 400 `Problem` for a value that could not be decoded, or that the check refuses unless `refuse` is given */
export function requireFit(check: Check, value: unknown, place: string, refuse?: Refuse): void {
  const isDecoded = !(value instanceof Mismatch);
  const [first] = isDecoded ? failuresIn(check, value, place) : [value.at(place)];
  if (first === undefined) return;
  if (refuse === undefined || !isDecoded) throw new Problem(400, first.detail);
  refuse(first);
}

/** Makes the function that replaces the data of an event with its JSON value. */
export function eventDecoder(
  data: 'json' | 'mixed' | undefined,
  check: Check,
  parse: ParseJson,
): (event: ServerSentEvent) => unknown {
  if (data === undefined) return (event) => event;
  return (event) => {
    const value = parseLine(event.data ?? '', parse);
    if (data === 'json') return value instanceof Mismatch ? value.within('data') : { ...event, data: value };
    const parsed = { ...event, data: value };
    return value instanceof Mismatch || !check(withoutBigints(parsed)) ? event : parsed;
  };
}

/** The decoded content of each part. A part without a Content-Type has the contract's type. */
async function* contentsOf(
  parts: AsyncIterable<BodyPart>,
  codecAt: (index: number) => PartCodec,
  limit: number,
  parse: ParseJson,
): AsyncGenerator<readonly [unknown], void, void> {
  let index = 0;
  for await (const { headers, body } of parts) {
    const { kind, contentTypes } = codecAt(index);
    const subject = `body/${String(index)}`;
    requirePartType(headers.get('content-type'), contentTypes, subject);
    const bytes = await whole(body, limit);
    if (kind === 'bytes') yield [bytes];
    else yield [kind === 'text' ? textOf(bytes, subject) : parseLine(textOf(bytes, subject), parse)];
    index += 1;
  }
}

/** @throws a 400 `Problem` for a part of a type that is not allowed */
export function requirePartType(
  type: string | undefined,
  contentTypes: PartCodec['contentTypes'],
  subject: string,
): void {
  if (type !== undefined && !isOfType(type, contentTypes)) {
    throw new Problem(400, `${subject} must be of type ${contentTypes.join(', ')}`);
  }
}
