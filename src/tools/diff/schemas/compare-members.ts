/** Finds the differences of the properties of an object and of the items of a list. */

import { isEntity } from '../../running/resources.js';
import { flattened, itemParts, propertyParts } from '../../values/inner-parts.js';
import type { Compare, Difference } from './difference.js';
import { HIDDEN, type SchemaView } from './schema-view.js';
import { type Site, propertySite } from './site.js';

/** Represents the properties that a schema does not name. */
const UNNAMED = 'extra';

export const compareRequired: Compare = function* ({ site, name, old, new: next, direction }) {
  const change = (property: string, word: 'required' | 'optional'): Difference => ({
    kind: `property-became-${word}`,
    name: `${name}/${property}`,
    text: word === 'required' ? ' is required' : ' is no longer required',
    old: old.required.get(property) ?? old.properties.get(property)?.[0]?.at ?? old.at,
    new: next.required.get(property) ?? next.properties.get(property)?.[0]?.at ?? next.at,
    effect: word === 'required' ? 'narrower' : 'wider',
    site,
    property,
    values: (make) => [make.shared({ [property]: undefined }), make.own(true, { [property]: undefined })],
  });
  const [before, after] = [old.carried(direction), next.carried(direction)];
  // A property that is added or removed is reported once. A property that no schema describes may still be required.
  const isReported = (property: string): boolean =>
    (old.properties.has(property) || next.properties.has(property)) &&
    !(before.has(property) && after.has(property));
  for (const property of next.required.keys())
    if (!old.required.has(property) && !isReported(property)) yield change(property, 'required');
  for (const property of old.required.keys())
    if (!next.required.has(property) && !isReported(property)) yield change(property, 'optional');
};

export const compareProperties: Compare = function* ({ site, name, old, new: next, direction }, descend) {
  const change = (property: string, kind: 'removed' | 'added'): Difference => {
    const isRemoved = kind === 'removed';
    const isRequired = (isRemoved ? old : next).required.has(property);
    // A version may have the property in the other direction alone.
    const isHidden = old.properties.has(property) && next.properties.has(property);
    const flag = HIDDEN[direction];
    return {
      kind: isHidden ? `${flag}-changed` : `property-${kind}`,
      name: `${name}/${property}`,
      text: isHidden
        ? `: ${flag} ${String(!isRemoved)} → ${String(isRemoved)}`
        : ` is ${kind}${isRequired ? (isRemoved ? ' that was required' : ' and required') : ''}`,
      old: old.properties.get(property)?.[0]?.at ?? old.at,
      new: next.properties.get(property)?.[0]?.at ?? next.at,
      effect: isRemoved ? 'narrower' : 'wider',
      isRequired,
      isForbidden:
        isHidden || propertyParts(flattened((isRemoved ? next : old).members), property) === undefined,
      site,
      property,
      values: (make) => {
        const own = make.own({ type: 'object', required: [property] });
        const value = isEntity(own) ? own[property] : undefined;
        const without = make.shared({ [property]: undefined });
        return value === undefined ? [without] : [without, make.shared({ [property]: value }), own];
      },
    };
  };
  const [before, after] = [old.carried(direction), next.carried(direction)];
  for (const property of before) if (!after.has(property)) yield change(property, 'removed');
  for (const property of after) if (!before.has(property)) yield change(property, 'added');
  for (const property of before) {
    const inner = after.has(property) ? propertySite(site, property) : undefined;
    if (inner !== undefined) yield* descend(inner, `${name}/${property}`);
  }
};

/** `additionalProperties: false` closes an object; any other schema describes the properties without a name. */
export const compareAdditional: Compare = function* ({ site, name, old, new: next }, descend) {
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
};

export const compareItems: Compare = function* ({ site, name, old, new: next }, descend) {
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
    yield* descend(inner, `${name}/${item === named ? '*' : String(item)}`);
  }
};
