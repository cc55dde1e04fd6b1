/** Finds the differences of an object's properties: their names, which are required, and their schemas. */

import type { Json } from 'concordat';
import { flattened, members, propertyParts } from 'concordat/values';
import { type Comparison, type Descend, type Difference, type Direction, concerns } from './difference.js';
import type { SchemaView } from './schema-view.js';
import { propertySite } from './site.js';

/** Represents the properties that a schema does not name. */
const UNNAMED = 'extra';

export function* compareProperties(at: Comparison, descend: Descend): Generator<Difference> {
  if (!concerns(at, ['object'])) return;
  yield* compareRequired(at);
  yield* compareNamed(at, descend);
  yield* compareAdditional(at, descend);
}

/** The properties that a direction carries: in requests those that are not `readOnly`, in responses not `writeOnly`. */
function carried(view: SchemaView, direction: Direction): ReadonlySet<string> {
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  const visible = [...view.properties].filter(([, parts]) =>
    members(parts).every(({ schema }) => schema[flag] !== true),
  );
  return new Set(visible.map(([name]) => name));
}

function* compareRequired({ site, name, old, new: next, direction }: Comparison): Generator<Difference> {
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
  const [before, after] = [carried(old, direction), carried(next, direction)];
  // A property that is added or removed is reported once. A property that no schema describes may still be required.
  const isReported = (property: string): boolean =>
    (old.properties.has(property) || next.properties.has(property)) &&
    !(before.has(property) && after.has(property));
  for (const property of next.required.keys()) {
    if (!old.required.has(property) && !isReported(property)) yield change(property, 'required');
  }
  for (const property of old.required.keys()) {
    if (!next.required.has(property) && !isReported(property)) yield change(property, 'optional');
  }
}

function* compareNamed(at: Comparison, descend: Descend): Generator<Difference> {
  const { site, name, old, new: next, direction } = at;
  const change = (property: string, kind: 'removed' | 'added'): Difference => {
    const isRequired = (kind === 'removed' ? old : next).required.has(property);
    return {
      kind: `property-${kind}`,
      name: `${name}/${property}`,
      text: ` is ${kind}${isRequired ? (kind === 'removed' ? ' that was required' : ' and required') : ''}`,
      old: old.properties.get(property)?.[0]?.at ?? old.at,
      new: next.properties.get(property)?.[0]?.at ?? next.at,
      effect: kind === 'removed' ? 'narrower' : 'wider',
      isRequired,
      isForbidden:
        propertyParts(flattened((kind === 'removed' ? next : old).members), property) === undefined,
      site,
      values: (make) => {
        const own = make.own({ type: 'object', required: [property] });
        const value = isRecord(own) ? own[property] : undefined;
        const without = make.shared({ [property]: undefined });
        return value === undefined ? [without] : [without, make.shared({ [property]: value }), own];
      },
    };
  };
  const [before, after] = [carried(old, direction), carried(next, direction)];
  for (const property of before) if (!next.properties.has(property)) yield change(property, 'removed');
  for (const property of after) if (!old.properties.has(property)) yield change(property, 'added');
  for (const property of old.properties.keys()) {
    const inner = before.has(property) || after.has(property) ? propertySite(site, property) : undefined;
    if (inner !== undefined && next.properties.has(property)) {
      yield* descend(inner, `${name}/${property}`);
    }
  }
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `additionalProperties: false` closes an object; any other schema describes the properties without a name. */
function* compareAdditional(at: Comparison, descend: Descend): Generator<Difference> {
  const { site, name, old, new: next } = at;
  const [before, after] = [old.closed, next.closed];
  if ((before === undefined) === (after === undefined)) {
    const isDescribed = [old, next].some((view) => view.keyword('additionalProperties') !== undefined);
    if (!isDescribed) return;
    const inner = propertySite(site, UNNAMED);
    if (inner !== undefined) yield* descend(inner, `${name}/*`);
    return;
  }
  const isClosed = after !== undefined;
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
