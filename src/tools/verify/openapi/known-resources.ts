/** Remembers the resources of a server by the values of their paths, and writes them in the bodies of requests. */

import type { Json } from '@concordat/runtime';
import { writeExactJson } from '@concordat/runtime/client';
import { memberPointer } from '@concordat/runtime/parts';
import type { Variant } from '../../values/value-variants.js';
import { KnownValues, type Random, freshText } from '../run/known-values.js';
import { type Entity, nameOf, prefixesOf, refersTo, withoutNames } from '../../running/resources.js';
import { type PathValues, isSameResource } from './named-resources.js';

export class KnownResources {
  readonly #byPrefix: KnownValues<PathValues>;
  readonly #entities = new Map<string, Entity>();

  /** @param templates - the paths that resources may have */
  constructor(templates: readonly string[] = []) {
    this.#byPrefix = new KnownValues(isSameResource, templates.flatMap(prefixesOf));
  }

  /** Remembers a resource and its ancestors in the path. */
  add(template: string, values: PathValues, entity?: Entity): void {
    if (entity !== undefined) this.#entities.set(entityKey(template, values), entity);
    prefixesOf(template).forEach((prefix, index) => {
      if (values.length > index) this.#byPrefix.add(prefix, values.slice(0, index + 1));
    });
  }

  /** Forgets a deleted resource, all below it, and the same id under other paths that end in the same collection. */
  forget(values: PathValues, template: string): void {
    const prefix = withoutNames(template);
    const end = /[^/]*\/\{\}$/.exec(prefix)?.[0];
    this.#byPrefix.forget((own, each) => {
      if (each.startsWith(prefix)) return isSameResource(own.slice(0, values.length), values);
      return end !== undefined && each.endsWith(`/${end}`) && isSameResource(own.slice(-1), values.slice(-1));
    });
  }

  /**
   * The path values of a known resource, for as many of a template's first parameters as possible.
   *
   * @param choose - chooses an index below the number of resources
   */
  valuesFor(template: string, choose: (length: number) => number): PathValues {
    for (const prefix of [...prefixesOf(template)].reverse()) {
      const known = this.#byPrefix.of(prefix);
      const found = known[choose(known.length)];
      if (found !== undefined) return found;
    }
    return [];
  }

  /** The latest known state of the resource at a path. */
  entityOf(template: string, values: PathValues): Entity | undefined {
    return this.#entities.get(entityKey(template, values));
  }

  /** An id for a property such as `userId`: that of a known resource under `/users/`. */
  referredBy(property: string): Json | undefined {
    return this.#collectionsOf(property).flatMap((known) => known[0]?.at(-1) ?? [])[0];
  }

  /** Whether a property refers to resources, but its value is no known id. */
  isUnknown(property: string, value: Json): boolean {
    const collections = this.#collectionsOf(property);
    return collections.length > 0 && !collections.flat().some((each) => each.at(-1) === value);
  }

  /** Whether a property such as `userId` refers to resources. */
  isReference(property: string): boolean {
    return this.#collectionsOf(property).length > 0;
  }

  #collectionsOf(property: string): readonly (readonly PathValues[])[] {
    const prefixes = this.#byPrefix.kinds.filter((prefix) => refersTo(property, nameOf(prefix)));
    return prefixes.map((prefix) => this.#byPrefix.of(prefix));
  }
}

const entityKey = (template: string, values: PathValues): string =>
  writeExactJson([withoutNames(template), values]);

type Path = Variant['path'];

/** So often the contract is asked about one body; values that are still undecided then keep theirs. */
const MOST_ASKED = 40;

interface Freshening {
  readonly known: KnownResources;
  readonly random: Random;
  /** The pointers of the values that cannot be changed alone, as far as earlier bodies of the operation have shown it. */
  readonly fixed: Set<string>;
}

/**
 * Changes all values, or those that can be changed alone: references become ids of known resources, and other texts get a unique part.
 *
 * @param kept - the place that keeps its value
 * @param own - the known state of the resource that the body is sent to, whose references are kept
 * @param isSame - whether the contract treats a changed body in the same way
 */
export async function withFreshValues(
  body: Json,
  kept: Path | undefined,
  own: Entity | undefined,
  { known, random, fixed }: Freshening,
  isSame: (body: Json) => Promise<boolean>,
): Promise<Json> {
  const changes = [...leavesOf(body)].flatMap(({ path, value }) => {
    const isWithin = kept?.every((token, index) => path[index] === token) ?? false;
    // If the whole body is the varied place, its members may still be changed.
    if (isWithin && (kept?.length !== 0 || path.length === 0)) return [];
    const property = propertyOf(path);
    const isReference = known.isReference(property);
    const referred = isReference ? (own?.[property] ?? known.referredBy(property)) : undefined;
    const changed = referred ?? (typeof value === 'string' ? freshText(value, random) : value);
    const pointer = path.map(memberPointer).join('');
    return changed === value || fixed.has(pointer) ? [] : [[pointer, changed] as const];
  });
  let current = body;
  let asked = 0;
  // A large body is asked about as a whole, then in halves: one question per value would take the square of its size.
  const take = async (some: typeof changes): Promise<void> => {
    if (some.length === 0 || asked === MOST_ASKED) return;
    asked += 1;
    const candidate = withLeaves(current, new Map(some));
    if (await isSame(candidate)) current = candidate;
    else if (some.length === 1) fixed.add(some[0]?.[0] ?? '');
    else {
      const middle = Math.ceil(some.length / 2);
      await take(some.slice(0, middle));
      await take(some.slice(middle));
    }
  };
  await take(changes);
  return current;
}

/** The value with other leaves, by their pointers. */
function withLeaves(value: Json, leaves: ReadonlyMap<string, Json>, at = ''): Json {
  if (typeof value !== 'object' || value === null) return leaves.get(at) ?? value;
  const inner = (name: string | number, each: Json): Json =>
    withLeaves(each, leaves, at + memberPointer(name));
  if (Array.isArray(value)) return value.map((each: Json, index) => inner(index, each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(name, each)]));
}

/** The name of the property that holds the value at a path. */
export function propertyOf(path: Path): string {
  return path.findLast((token) => typeof token === 'string') ?? '';
}

type Leaf = { readonly path: Path; readonly value: Json };

export function* leavesOf(value: Json, path: Path = []): Generator<Leaf> {
  if (typeof value !== 'object' || value === null) yield { path, value };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* leavesOf(item as Json, [...path, index]);
  else for (const [name, member] of Object.entries(value)) yield* leavesOf(member, [...path, name]);
}
