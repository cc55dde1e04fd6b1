/** Makes the bodies and headers of answers in the form in which handlers return them. */

import type { Check, Json } from '@concordat/runtime';
import type { MediaTypeModel, OpenApiDocument, ResponseModel } from 'concordat/contract';
import { type Drawn, Source, seeded, smaller } from '../values/choices.js';
import { type ExampleOptions, exampleValues } from '../values/example-value.js';
import type { Part } from '../values/parts.js';
import { partsOf } from '../values/document-parts.js';
import { valuesOf } from '../values/random-value.js';
import { writtenExamples } from './written-examples.js';

/** The choice of a body. */
export interface BodyWish {
  /** The name of an example. */
  readonly example?: string;
  /** Changes a body so that it contains given information; the first result that fits is used. */
  readonly adaptations?: (body: Json) => readonly Json[];
}

/** The number of items in a stream. */
const COUNT = 2;

/** @returns undefined if no example fits and none can be made */
export function mockHeader(
  document: OpenApiDocument,
  header: ResponseModel['headers'][number],
  check: Check,
): Json | undefined {
  const examples = writtenExamples(document, ownerOf(header));
  return first(header.required ? both(examples, madeValues(document, header, check)) : examples, check);
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
  const known = knownBodies.get(media) ?? new Map<string | undefined, Json | undefined>();
  knownBodies.set(media, known);
  const body = known.has(example) ? known.get(example) : plainBody(document, media, check, example);
  // A client may ask for any name, so only those of examples are remembered.
  if (body !== undefined || example === undefined) known.set(example, body);
  if (body === undefined) return undefined;
  if (media.kind === 'bytes') return bytesOf(body);
  if (media.kind === 'items') return streamOf(media, body as readonly Json[]);
  return adaptations?.(body).find((each) => fitsMedia(media, check, each)) ?? body;
}

/** The bodies without adaptations, by the name of the example: the same on every request. */
const knownBodies = new WeakMap<MediaTypeModel, Map<string | undefined, Json | undefined>>();

/** The first body that fits; of a stream, its items. */
function plainBody(
  document: OpenApiDocument,
  media: MediaTypeModel,
  check: Check,
  example: string | undefined,
): Json | undefined {
  const examples = writtenExamples(document, ownerOf(media), example);
  const made = example === undefined ? madeValues(document, media, check) : [];
  if (media.kind === 'bytes') {
    // Bytes have no schema to fit.
    return first(examples, isText) ?? (example === undefined ? 'bytes' : undefined);
  }
  return media.kind === 'items'
    ? first(
        both(examples, repeated(made)),
        (value) => isFilledList(value) && value.every((item) => check(item)),
      )
    : first(both(examples, made), (value) => fitsMedia(media, check, value));
}

function fitsMedia({ kind }: MediaTypeModel, check: Check, value: Json): boolean {
  return check(value) && (kind !== 'text' || isScalar(value));
}

/** The items in turn, in the form of the stream's parts. */
// eslint-disable-next-line @typescript-eslint/require-await -- the items are there already
async function* streamOf({ items: sequence }: MediaTypeModel, items: readonly Json[]): AsyncGenerator {
  for (const [index, item] of items.entries()) {
    const part = sequence?.format === 'multipart' ? (sequence.first?.[index] ?? sequence.part) : undefined;
    if (part === undefined || part.kind === 'json') yield item;
    else yield part.kind === 'bytes' ? bytesOf(textOf(item)) : textOf(item);
  }
}

type Described = Pick<MediaTypeModel, 'schema' | 'checked' | 'schemaAt'>;

/** The values made so far of each schema, by its text: many operations answer with the same schema. */
const madeOf = new WeakMap<OpenApiDocument, Map<string, RememberedValues>>();

/** Values of a schema: first with the examples in it, last with only the required parts, or found by trying. */
function madeValues(
  document: OpenApiDocument,
  { schema = {}, checked = schema, schemaAt }: Described,
  check: Check,
): Iterable<Json> {
  const made = madeOf.get(document) ?? new Map<string, RememberedValues>();
  madeOf.set(document, made);
  const text = JSON.stringify(checked);
  const known = made.get(text);
  if (known !== undefined) return known;
  const parts = partsOf({ schema: checked, schemaAt }, document);
  const values = new RememberedValues(both(inEachWay(parts), triedValues(check)));
  made.set(text, values);
  return values;
}

function* inEachWay(parts: readonly Part[]): Generator<Json> {
  for (const way of WAYS) yield* exampleValues(parts, way);
}

/** The most reductions of a value that was found by trying. */
const MOST_REDUCED = 100;

/** A value for schemas that plain values do not fit, because of a `not` or of alternatives that exclude each other. */
function* triedValues(check: Check): Generator<Json> {
  if (check.schema === undefined) return;
  const draw = valuesOf([{ $ref: check }]);
  let found: Drawn<unknown>;
  try {
    found = Source.random(draw, seeded(1));
  } catch {
    return;
  }
  for (let left = MOST_REDUCED; left > 0; left -= 1) {
    const next = smaller(draw, found).next();
    if (next.done === true) break;
    found = next.value;
  }
  yield found.value as Json;
}

/** Makes each value when it is first read. */
class RememberedValues implements Iterable<Json> {
  readonly #values: Json[] = [];

  constructor(private readonly more: Iterator<Json>) {}

  *[Symbol.iterator](): Generator<Json> {
    for (let index = 0; ; index += 1) {
      if (index === this.#values.length) {
        const next = this.more.next();
        if (next.done === true) return;
        this.#values.push(next.value);
      }
      yield this.#values[index] as Json;
    }
  }
}

const RESPONSE = { direction: 'response', nests: false } as const;
const WAYS: readonly ExampleOptions[] = [
  { ...RESPONSE, own: 'all', full: true },
  { ...RESPONSE, own: 'leaves', full: true },
  { ...RESPONSE, full: true },
  { ...RESPONSE, full: false },
];

/** The place of the object that has the schema, and that may have examples. */
function ownerOf({ schemaAt }: Described): string {
  return schemaAt.slice(0, schemaAt.lastIndexOf('/'));
}

function first(values: Iterable<Json>, fits: (value: Json) => boolean): Json | undefined {
  for (const value of values) if (fits(value)) return value;
  return undefined;
}

/** The values of both in turn; null is a value too. */
function* both(some: Iterable<Json>, others: Iterable<Json>): Generator<Json> {
  yield* some;
  yield* others;
}

function* repeated(values: Iterable<Json>): Generator<Json> {
  for (const value of values) yield Array<Json>(COUNT).fill(value);
}

function isText(value: Json): boolean {
  return typeof value === 'string';
}

function isScalar(value: Json): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isFilledList(value: Json): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bytesOf(text: Json): Uint8Array {
  return new TextEncoder().encode(textOf(text));
}
