/** Makes the bodies and headers of answers, in the form in which handlers return them: the examples of the contract, else made values. */

import type { Check, Json } from '@concordat/runtime';
import { copied, failuresOf, memberPointer, once, parsedJson } from '@concordat/runtime/parts';
import {
  type MediaTypeModel,
  type OpenApiDocument,
  type Referenced,
  type ResponseModel,
  followed,
  resolvePointer,
} from 'concordat/contract';
import { type ExampleOptions, exampleValues } from '../values/example-value.js';
import type { Part } from '../values/parts.js';
import { partsOf } from '../values/document-parts.js';
import { replaced, variantsOf } from '../values/value-variants.js';
import { isCarried, isWritable, mediaTypeWithin } from '../running/wire-request.js';
import { COUNT, sampleFile } from './sample-files.js';

/** The choice of a body. */
export interface BodyWish {
  /** The name of an example. */
  readonly example?: string;
  /** Changes a body so that it contains given information; the first result that fits is used. */
  readonly adaptations?: (body: Json) => readonly Json[];
}

/** @returns undefined if no example fits and none can be made */
export function mockHeader(
  document: OpenApiDocument,
  header: ResponseModel['headers'][number],
  check: Check,
): Json | undefined {
  const example = first(writtenExamples(document, header.at), (value) => check(value) && isCarried(value));
  return example === undefined && header.required ? madeValue(header, check, isCarried) : example;
}

/**
 * @param check - the check of the body, or of an item if the body is a stream
 * @returns undefined if no example fits and none can be made
 */
export function mockBody(
  document: OpenApiDocument,
  media: MediaTypeModel,
  check: Check,
  { example, adaptations }: BodyWish,
): unknown {
  // Those without adaptations are the same on every request.
  const known = once(media, newBodies);
  const body = known.has(example) ? known.get(example) : plainBody(document, media, check, example);
  // A client may ask for any name, so only those of examples are remembered.
  if (body !== undefined || example === undefined) known.set(example, body);
  if (body === undefined || body instanceof Uint8Array) return body;
  if (media.kind === 'bytes') return bytesOf(body);
  if (media.kind === 'items') return streamOf(media, body as readonly Json[]);
  return adaptations?.(body).find((each) => fitsMedia(media, check, each)) ?? body;
}

const newBodies = (): Map<string | undefined, Json | Uint8Array | undefined> => new Map();

/** The first body that fits, else a small file of the media type; of a stream, its items. */
function plainBody(
  document: OpenApiDocument,
  media: MediaTypeModel,
  check: Check,
  name: string | undefined,
): Json | Uint8Array | undefined {
  const examples = writtenExamples(document, media.at, name);
  const { kind } = media;
  const file = name === undefined ? sampleFile(mediaTypeWithin(media.mediaType)) : undefined;
  // Bytes have no schema to fit.
  if (kind === 'bytes') {
    const written = first(examples, (value) => typeof value === 'string');
    return written ?? file ?? (name === undefined ? 'bytes' : undefined);
  }
  const areItems = (value: Json): boolean => Array.isArray(value) && value.length > 0 && value.every(check);
  const example = first(examples, kind === 'items' ? areItems : (value) => fitsMedia(media, check, value));
  if (example !== undefined || name !== undefined) return example;
  // An encoder writes what is neither JSON nor a text, unchecked.
  const isText = typeof file === 'string' && check(file);
  if (isText ? kind === 'text' || kind === 'other' : kind === 'other' && file instanceof Uint8Array)
    return file;
  const made = madeValue(media, check, kind === 'text' ? (value) => isWritable(media, value) : undefined);
  return kind === 'items' && made !== undefined ? Array<Json>(COUNT).fill(made) : made;
}

const fitsMedia = (media: MediaTypeModel, check: Check, value: Json): boolean =>
  check(value) && isWritable(media, value);

/** The items in turn, in the form of the stream's parts. */
// eslint-disable-next-line @typescript-eslint/require-await -- the items are there already
async function* streamOf({ items: sequence }: MediaTypeModel, items: readonly Json[]): AsyncGenerator {
  for (const [index, item] of items.entries()) {
    const part = sequence?.format === 'multipart' ? (sequence.first?.[index] ?? sequence.part) : undefined;
    if (part === undefined || part.kind === 'json') yield item;
    else yield part.kind === 'bytes' ? bytesOf(textOf(item)) : textOf(item);
  }
}

type Described = Pick<MediaTypeModel, 'node' | 'checked'>;

/** The made values by their checks, because many operations answer with the same schema. */
const madeOf = (): { value?: Json | undefined } => ({});

/** A value of a schema: with the examples in it if it fits so, else with all parts, else with only the required parts, else found by trying. */
function madeValue(
  { node, checked = node }: Described,
  check: Check,
  isFit: (value: Json) => boolean = () => true,
): Json | undefined {
  const known = once(check, madeOf);
  if (known.value !== undefined && isFit(known.value)) return known.value;
  const parts = partsOf({ node: checked });
  known.value = first(eachMade(parts, check), (value) => check(value) && isFit(value));
  return known.value;
}

function* eachMade(parts: readonly Part[], check: Check): Generator<Json> {
  for (const way of WAYS) yield* exampleValues(parts, way);
  const repaired = repairedValue(parts, check);
  if (repaired !== undefined) yield repaired;
}

/**
 * A value for schemas that plain values do not fit, because of a `not` or of alternatives that exclude each other: a plain one in which
 * values at the edges replace those that do not fit, one after another.
 */
function repairedValue(parts: readonly Part[], check: Check): Json | undefined {
  let found: Json | undefined;
  let left: ReturnType<typeof failuresOf> = [];
  for (const { path, tested } of variantsOf(parts, '', 'response')) {
    const place = path.map(memberPointer).join('');
    if (found !== undefined && !left.some(({ instancePath }) => place.startsWith(instancePath))) continue;
    const next: Json = found === undefined ? tested : replaced(found, path, tested);
    const failures = failuresOf(check, copied(next));
    if (found !== undefined && failures.length >= left.length) continue;
    [found, left] = [next, failures];
    if (left.length === 0) break;
  }
  return found;
}

const RESPONSE = { direction: 'response', nests: false, named: true } as const;
const WAYS: readonly ExampleOptions[] = [
  { ...RESPONSE, own: 'all', full: true },
  { ...RESPONSE, own: 'leaves', full: true },
  { ...RESPONSE, full: true },
  { ...RESPONSE, full: false },
];

function first(values: Iterable<Json>, fits: (value: Json) => boolean): Json | undefined {
  for (const value of values) if (fits(value)) return value;
  return undefined;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const bytesOf = (text: Json): Uint8Array => new TextEncoder().encode(textOf(text));

/** The fields of a Media Type Object or a Header Object that show its value. */
interface Illustrated {
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, Referenced<ExampleObject>>>;
}

/** `dataValue` and `serializedValue` are fields of OpenAPI 3.2. */
interface ExampleObject {
  readonly value?: Json;
  readonly dataValue?: Json;
  readonly serializedValue?: string;
}

/**
 * The examples in order; the caller checks whether they fit the schema.
 *
 * @param at - the place of a Media Type Object or a Header Object
 * @param name - the name of the only wanted example
 */
function writtenExamples(document: OpenApiDocument, at: string, name?: string): readonly Json[] {
  const { example, examples = {} } = resolvePointer(document, at) as Illustrated;
  const named = name === undefined ? Object.values(examples) : [examples[name]];
  const values = named.map((each) => {
    const {
      serializedValue: text,
      dataValue = text === undefined ? text : valueOf(text),
      value = dataValue,
    } = followed(document, each) ?? {};
    return value;
  });
  return [name === undefined ? example : undefined, ...values].filter((value) => value !== undefined);
}

/** The value of a serialized example: its JSON value, else the text itself. */
function valueOf(text: string): Json {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}
