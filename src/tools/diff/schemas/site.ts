/** A place inside a body or a parameter that both versions describe, and the values around it. */

import type { Json } from '@concordat/runtime';
import { once } from '@concordat/runtime/parts';
import { isEntity } from '../../running/resources.js';
import { flattened, propertyParts } from '../../values/inner-parts.js';
import { type ExampleOptions, exampleItemParts, exampleValue } from '../../values/example-value.js';
import type { Part } from '../../values/parts.js';

export interface Site {
  readonly old: readonly Part[];
  readonly new: readonly Part[];
  /** Absent for the whole body or parameter. */
  readonly parent?: Site;
  /** The step from the parent to it; `same`: it is the parent's value itself, in one alternative. */
  readonly step?: { readonly property: string } | { readonly item: number } | 'same';
}

/** The version whose schemas the values around a place fit; `both`: the schemas of both. */
export type Fit = 'both' | 'old' | 'new';

export interface Surroundings extends ExampleOptions {
  readonly fit: Fit;
}

export function partsOf(site: Site, fit: Fit): readonly Part[] {
  return fit === 'both' ? [...site.old, ...site.new] : site[fit];
}

/** The names and indexes that lead to a place. */
export function stepsTo({ parent, step }: Site): readonly string[] {
  if (parent === undefined || step === undefined) return [];
  return [...stepsTo(parent), ...(step === 'same' ? [] : Object.values(step).map(String))];
}

/** A whole body or parameter that has the value at the site; undefined if none is found. */
export function lifted(site: Site, value: Json | undefined, around: Surroundings): Json | undefined {
  const { parent, step } = site;
  if (parent === undefined || step === undefined) return value;
  if (step === 'same') return lifted(parent, value, around);
  const flat = flattened(partsOf(parent, around.fit));
  if ('property' in step) return lifted(parent, holderOf(site, step.property, value, around, flat), around);
  if (value === undefined) return undefined;
  const least = Math.max(0, ...flat.map(({ schema }) => Number(schema['minItems'] ?? 0)));
  const items = Array.from({ length: Math.max(step.item + 1, least) }, (_, index) =>
    index === step.item ? value : exampleValue(exampleItemParts(flat, index), around),
  );
  const isWhole = (found: readonly (Json | undefined)[]): found is readonly Json[] =>
    !found.includes(undefined);
  return isWhole(items) ? lifted(parent, items, around) : undefined;
}

/** Stands for the value of a property. */
const ANY_VALUE: Json = {};

/** The objects around the values of sites, by `around`: many values are tried at one site. */
const holders = (): Map<string, Json | undefined> => new Map();

/** An object that has the value of a property. */
function holderOf(
  site: Site,
  property: string,
  value: Json | undefined,
  around: Surroundings,
  flat: readonly Part[],
): Json | undefined {
  if (value === undefined) return exampleValue(flat, around, { [property]: value });
  const known = once(site, holders);
  const key = JSON.stringify(around);
  if (!known.has(key)) known.set(key, exampleValue(flat, around, { [property]: ANY_VALUE }));
  const holder = known.get(key);
  // A schema that lists its values has none with another value of the property.
  return isEntity(holder) && holder[property] === ANY_VALUE ? { ...holder, [property]: value } : holder;
}

/** The site of a property; undefined if a version allows no property of that name. */
export function propertySite(site: Site, property: string): Site | undefined {
  const [old, next] = [site.old, site.new].map((parts) => {
    const flat = flattened(parts);
    const known = once(flat, partsByProperty);
    if (!known.has(property)) known.set(property, propertyParts(flat, property));
    return known.get(property);
  });
  return old && next && { old, new: next, parent: site, step: { property } };
}

/** The schemas of the properties of an object, which is compared in many places. */
const partsByProperty = (): Map<string, readonly Part[] | undefined> => new Map();
