/** Finds the parts of an operation that a request or a response uses. Of values, only those are named that the contract lists. */

import { PLACES } from '../../contract/contract.js';
import { canonical, isObject, memberPointer, parsedJson } from '../../failures/json-value.js';
import { essenceOf, findByMediaType } from '../../http/media-type.js';
import { Mismatch } from '../decode/mismatch.js';
import type { DecodedRequest } from '../operation/handler.js';
import { splitItems } from '../responses/received-items.js';
import { findByStatus } from '../responses/response-checker.js';
import {
  type OperationParts,
  type Place,
  itemOf,
  listedIn,
  memberOf,
  otherOf,
  partName,
} from './contract-parts.js';

/** @param decoded - before the check that adds defaults to it */
export function* usedInRequest(parts: OperationParts, decoded: DecodedRequest): Generator<string> {
  for (const { in: location, name, place } of parts.parameters) {
    const values = decoded[PLACES[location]];
    if (!Object.hasOwn(values, name)) continue;
    yield place.root;
    yield* usedIn(place, values[name]);
  }
  const { contentType } = decoded;
  const body = contentType === undefined ? undefined : findByMediaType(parts.bodies, contentType);
  if (body !== undefined) yield body.root;
  yield* usedInBody(parts, contentType, decoded.body);
}

/** @param value - the body, or an item of a sequence */
export function* usedInBody(
  { bodies }: OperationParts,
  contentType: string | undefined,
  value: unknown,
): Generator<string> {
  const place = contentType === undefined ? undefined : findByMediaType(bodies, contentType);
  if (place !== undefined) yield* usedIn(place, value);
}

/** The parts that a response uses, with the operation. */
export function* usedInResponse(
  { name, statuses }: OperationParts,
  sent: { readonly status: number; header(name: string): number | string | readonly string[] | undefined },
  body: { readonly text: string; readonly isCut: boolean } | 'unread',
): Generator<string> {
  yield name;
  const contentType = String(sent.header('content-type') ?? '');
  const status = findByStatus(statuses, sent.status);
  if (status === undefined) return;
  yield status.name;
  const mediaType = essenceOf(contentType);
  const declared = findByMediaType(status.bodies, mediaType);
  if (declared === undefined) return;
  const { place, items } = declared;
  yield place.root;
  if (body === 'unread') return;
  const { text, isCut } = body;
  if (items !== undefined) {
    for (const [, item] of splitItems(items, () => true, { text, contentType, isCut }))
      if (!(item instanceof Mismatch)) yield* usedIn(place, item);
  } else if (!isCut) yield* usedIn(place, /[/+]json$/.test(mediaType) ? parsedJson(text) : text);
}

/** Deeper values are not read: each of their names would pass through all levels above it. */
const MOST_LEVELS = 50;

function* usedIn(place: Place, value: unknown, level = 0): Generator<string> {
  if (level > MOST_LEVELS) return;
  if (Array.isArray(value)) {
    const inner = itemOf(place);
    if (inner !== undefined) for (const item of value) yield* usedIn(inner, item, level + 1);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const inner = memberOf(place, name);
      if (inner !== undefined) yield partName(place.root, place.pointer + memberPointer(name));
      const known = inner ?? otherOf(place);
      if (known !== undefined) yield* usedIn(known, member, level + 1);
    }
  } else if (value !== undefined && listedIn(place).size > 0) {
    const text = canonical(value);
    if (listedIn(place).has(text)) yield partName(place.root, place.pointer, text);
  }
}
