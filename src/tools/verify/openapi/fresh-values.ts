/** Replaces values of a body, so that a server does not refuse it as a duplicate. */

import type { Json } from '@concordat/runtime';
import type { Entity, KnownResources } from './known-resources.js';
import { type Random, freshText } from '../run/random.js';
import type { Variant } from '../../values/value-variants.js';

type Path = Variant['path'];

/**
 * Changes one value after another: references become ids of known resources, and other texts get a unique part.
 *
 * @param kept - the place that keeps its value
 * @param own - the known state of the resource that the body is sent to, whose references are kept
 * @param isSame - whether the contract treats a changed body in the same way
 */
export async function freshened(
  body: Json,
  kept: Path | undefined,
  own: Entity | undefined,
  { known, random }: { readonly known: KnownResources; readonly random: Random },
  isSame: (body: Json) => Promise<boolean>,
): Promise<Json> {
  let current = body;
  for (const { path, value } of leavesOf(body)) {
    const isWithin = kept?.every((token, index) => path[index] === token) ?? false;
    // If the whole body is the varied place, its members may still be changed.
    if (isWithin && (kept?.length !== 0 || path.length === 0)) continue;
    const property = propertyOf(path);
    const referred = known.isReference(property)
      ? (own?.[property] ?? known.referredBy(property))
      : undefined;
    const changed = referred ?? (typeof value === 'string' ? freshText(value, random) : value);
    const candidate = replaced(current, path, changed);
    if (changed !== value && (await isSame(candidate))) current = candidate;
  }
  return current;
}

/** The name of the property that holds the value at a path. */
export function propertyOf(path: Path): string {
  return path.findLast((token) => typeof token === 'string') ?? '';
}

export function* leavesOf(
  value: Json,
  path: Path = [],
): Generator<{ readonly path: Path; readonly value: Json }> {
  if (typeof value !== 'object' || value === null) yield { path, value };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* leavesOf(item as Json, [...path, index]);
  } else {
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, [...path, name]);
  }
}

export function replaced(value: Json, [token, ...rest]: Path, leaf: Json): Json {
  if (token === undefined) return leaf;
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => (index === token ? replaced(item, rest, leaf) : item));
  }
  const object = value as Readonly<Record<string, Json>>;
  return { ...object, [token]: replaced(object[token] ?? null, rest, leaf) };
}
