/** Turns references by `$id` and by anchor within an OpenAPI document into JSON Pointers (JSON Schema, Core §8.2). */

import { type Node, isNode } from './openapi-document.js';

/** Keywords and fields that hold data, not schemas; and those whose members have free names, which may equal a keyword. */
const DATA = /^(?:examples?|default|enum|const|x-.*)$/;
const NAMED = /^(?:(?:pattern)?[pP]roperties|dependentSchemas|\$defs|definitions|schemas|responses)$/;

const IDENTIFIERS = new Set(['$id', '$anchor', '$dynamicAnchor']);

/** The base URI used for the document, which need not have one. */
const DOCUMENT = 'document:///';

/** A copy of the document without `$id` and anchors; the document itself if it has none, as before OpenAPI 3.1. */
export function linkedDocument(document: Node): Node {
  const places = new Map([[DOCUMENT, '#']]);
  if (!String(document['openapi']).startsWith('3.0')) findPlaces(document, '#', DOCUMENT, places);
  return places.size === 1 ? document : (linked(document, DOCUMENT, places) as Node);
}

/** Collects the places that have a URI. @param places - JSON Pointers by URI, and by URI with the name of an anchor */
function findPlaces(
  value: unknown,
  at: string,
  outer: string,
  places: Map<string, string>,
  isNamed = false,
): void {
  if (typeof value !== 'object' || value === null) return;
  const base = baseOf(value, outer);
  if (base !== outer) places.set(base, at);
  for (const [key, member] of Object.entries(value) as Iterable<[string, unknown]>) {
    if (typeof member === 'string' && /^\$(?:anchor|dynamicAnchor)$/.test(key))
      places.set(`${base}#${member}`, at);
    const step = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
    if (isNamed || !DATA.test(key)) findPlaces(member, `${at}/${step}`, base, places, NAMED.test(key));
  }
}

function linked(
  value: unknown,
  outer: string,
  places: ReadonlyMap<string, string>,
  isNamed = false,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const base = baseOf(value, outer);
  if (Array.isArray(value)) return value.map((each) => linked(each, base, places));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
      if (typeof member === 'string' && IDENTIFIERS.has(key)) return [];
      if (key === '$ref' && typeof member === 'string') return [[key, pointerOf(member, base, places)]];
      return [[key, DATA.test(key) && !isNamed ? member : linked(member, base, places, NAMED.test(key))]];
    }),
  );
}

/** The base URI of the references in a value. */
function baseOf(value: object, outer: string): string {
  return isNode(value) && typeof value['$id'] === 'string' ? absolute(value['$id'], outer) : outer;
}

function pointerOf(reference: string, base: string, places: ReadonlyMap<string, string>): string {
  const uri = absolute(reference, base);
  const [resource = '', fragment = ''] = uri.split(/#(.*)/s);
  const isName = fragment !== '' && !fragment.startsWith('/');
  const place = places.get(isName ? uri : resource);
  return place === undefined ? reference : isName ? place : place + fragment;
}

function absolute(reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}
