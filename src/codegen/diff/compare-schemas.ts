/** Walks the schemas of one value in both versions side by side, and finds what differs. */

import type { Json } from 'concordat';
import { flattened } from '../examples/conjunction.js';
import { itemParts } from '../examples/example-value.js';
import { compareKeywords } from './compare-keywords.js';
import type { Comparison, Difference } from './difference.js';
import { type Alternative, SchemaView } from './schema-view.js';
import { type Site, propertySite } from './site.js';

/** Stands for the names of properties that a schema does not name. */
const UNNAMED = 'extra';

/**
 * Every difference between the schemas of a value, at any depth. A schema that contains itself is compared once on each path.
 *
 * @param name - the value in messages: `body`
 */
export function* compareSchemas(
  site: Site,
  name: string,
  seen: ReadonlySet<string> = new Set(),
): Generator<Difference> {
  const key = [...site.old, 'and', ...site.new]
    .map((part) => (typeof part === 'string' ? part : part.at))
    .join(' ');
  if (seen.has(key)) return;
  const within = new Set(seen).add(key);
  const view = (version: 'old' | 'new'): SchemaView =>
    new SchemaView(site[version], nearestPlace(site, version));
  const at: Comparison = { site, old: view('old'), new: view('new'), name };
  yield* compareKeywords(at);
  yield* compareRequired(at);
  yield* compareProperties(at, within);
  yield* compareAdditional(at, within);
  yield* compareItems(at, within);
  yield* compareAlternatives(at, within);
}

/** The place of the schema, or of the nearest around it that the version has. */
function nearestPlace(site: Site, version: 'old' | 'new'): string | undefined {
  return site[version][0]?.at ?? (site.parent && nearestPlace(site.parent, version));
}

function* compareRequired({ site, name, old, new: next }: Comparison): Generator<Difference> {
  const change = (property: string, word: 'required' | 'optional'): Difference => ({
    kind: `property-became-${word}`,
    name: `${name}/${property}`,
    text: word === 'required' ? ' is required' : ' is no longer required',
    old: old.required.get(property) ?? old.properties.get(property)?.[0]?.at ?? old.at,
    new: next.required.get(property) ?? next.properties.get(property)?.[0]?.at ?? next.at,
    effect: word === 'required' ? 'narrower' : 'wider',
    site,
    values: (make) => [make.shared({ [property]: undefined }), make.own(true, { [property]: undefined })],
  });
  for (const property of next.required.keys())
    if (!old.required.has(property)) yield change(property, 'required');
  for (const property of old.required.keys())
    if (!next.required.has(property)) yield change(property, 'optional');
}

function* compareProperties(at: Comparison, seen: ReadonlySet<string>): Generator<Difference> {
  const { site, name, old, new: next } = at;
  const change = (property: string, kind: 'removed' | 'added'): Difference => ({
    kind: `property-${kind}`,
    name: `${name}/${property}`,
    text: ` is ${kind}`,
    old: old.properties.get(property)?.[0]?.at ?? old.at,
    new: next.properties.get(property)?.[0]?.at ?? next.at,
    effect: kind === 'removed' ? 'narrower' : 'wider',
    site,
    values: (make) => {
      const own = make.own({ type: 'object', required: [property] });
      const value = isRecord(own) ? own[property] : undefined;
      return value === undefined ? [] : [make.shared({ [property]: value }), own];
    },
  });
  for (const property of old.properties.keys()) {
    if (!next.properties.has(property)) yield change(property, 'removed');
  }
  for (const property of next.properties.keys()) {
    if (!old.properties.has(property)) {
      yield change(property, 'added');
      continue;
    }
    const inner = propertySite(site, property);
    if (inner !== undefined) yield* compareSchemas(inner, `${name}/${property}`, seen);
  }
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `additionalProperties: false` closes an object; any other schema describes the properties without a name. */
function* compareAdditional(at: Comparison, seen: ReadonlySet<string>): Generator<Difference> {
  const { site, name, old, new: next } = at;
  const [before, after] = [old.keyword('additionalProperties'), next.keyword('additionalProperties')];
  if (before === undefined && after === undefined) return;
  if ((before?.value === false) === (after?.value === false)) {
    const inner = propertySite(site, UNNAMED);
    if (inner !== undefined) yield* compareSchemas(inner, `${name}/*`, seen);
    return;
  }
  const isClosed = after?.value === false;
  yield {
    kind: `object-${isClosed ? 'closed' : 'opened'}`,
    name,
    text: `: other properties are ${isClosed ? 'no longer' : 'now'} allowed`,
    old: before?.at ?? old.at,
    new: after?.at ?? next.at,
    effect: isClosed ? 'narrower' : 'wider',
    site,
    values: (make) => ['text', 1, true, null, {}].map((value) => make.shared({ [UNNAMED]: value })),
  };
}

function* compareItems(
  { site, name, old, new: next }: Comparison,
  seen: ReadonlySet<string>,
): Generator<Difference> {
  const length = (view: SchemaView): number => {
    const prefix = view.keyword('prefixItems')?.value;
    return Array.isArray(prefix) ? prefix.length : 0;
  };
  const has = (view: SchemaView): boolean => view.keyword('items') !== undefined;
  const named = Math.max(length(old), length(next));
  for (let item = 0; item <= named; item += 1) {
    if (item === named && !has(old) && !has(next)) return;
    const inner: Site = {
      old: itemParts(flattened(site.old), item),
      new: itemParts(flattened(site.new), item),
      parent: site,
      step: { item },
    };
    yield* compareSchemas(inner, `${name}/${item === named ? '*' : String(item)}`, seen);
  }
}

function* compareAlternatives(at: Comparison, seen: ReadonlySet<string>): Generator<Difference> {
  const { site, name, old, new: next } = at;
  const [before, after] = [old.alternatives, next.alternatives];
  if (before.length === 0 && after.length === 0) return;
  const change = (one: Alternative, kind: 'removed' | 'added'): Difference => ({
    kind: `alternative-${kind}`,
    name,
    text: `: the alternative ${one.name} is ${kind}`,
    old: kind === 'removed' ? one.at : old.at,
    new: kind === 'added' ? one.at : next.at,
    effect:
      before.length === 0
        ? 'narrower'
        : after.length === 0
          ? 'wider'
          : kind === 'removed'
            ? 'narrower'
            : 'wider',
    // Its values are made from the alternative alone.
    site: { old: one.parts, new: one.parts, parent: site, step: 'same' },
    values: (make) => [make.own(), make.own({ type: 'object' })],
  });
  const counterparts = matched(before, after);
  for (const one of before) {
    const other = counterparts.get(one);
    if (other === undefined) {
      yield change(one, 'removed');
      continue;
    }
    const inner: Site = { old: one.parts, new: other.parts, parent: site, step: 'same' };
    yield* compareSchemas(inner, `${name} (${one.name})`, seen);
  }
  const known = new Set(counterparts.values());
  for (const one of after) if (!known.has(one)) yield change(one, 'added');
}

/** The alternatives of both by their names; those that are left, where they are as many, in their order. */
function matched(
  before: readonly Alternative[],
  after: readonly Alternative[],
): ReadonlyMap<Alternative, Alternative> {
  const found = new Map<Alternative, Alternative>();
  for (const one of before) {
    const same = after.find(({ name }) => name === one.name);
    if (same !== undefined) found.set(one, same);
  }
  const [left, others] = [
    before.filter((one) => !found.has(one)),
    after.filter(({ name }) => before.every((one) => one.name !== name)),
  ];
  if (left.length !== others.length) return found;
  for (const [index, one] of left.entries()) {
    const other = others[index];
    if (other !== undefined) found.set(one, other);
  }
  return found;
}
