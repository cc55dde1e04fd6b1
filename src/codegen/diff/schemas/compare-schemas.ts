/** Walks the schemas of one value in both versions side by side, and finds the differences. */

import { flattened, itemParts } from 'concordat/values';
import { compareKeywords } from './compare-keywords.js';
import { compareProperties } from './compare-properties.js';
import { type Comparison, type Descend, type Difference, type Direction, concerns } from './difference.js';
import { type Alternative, SchemaView } from './schema-view.js';
import type { Site } from './site.js';

/**
 * Every difference between the schemas of a value, at any depth. A schema that contains itself is compared once on each path.
 *
 * @param name - the name of the value in messages, such as `body`
 */
export function* compareSchemas(
  site: Site,
  name: string,
  direction: Direction,
  seen: ReadonlySet<string> = new Set(),
): Generator<Difference> {
  const key = JSON.stringify([site.old, site.new].map((parts) => parts.map(({ at }) => at)));
  if (seen.has(key)) return;
  const within = new Set(seen).add(key);
  const views = (keepsSingles: boolean): Pick<Comparison, 'old' | 'new'> => ({
    old: new SchemaView(site.old, nearestPlace(site, 'old'), { keepsSingles }),
    new: new SchemaView(site.new, nearestPlace(site, 'new'), { keepsSingles }),
  });
  const plain = views(false);
  const isOneSided = (plain.old.alternatives.length === 0) !== (plain.new.alternatives.length === 0);
  const at: Comparison = { site, ...(isOneSided ? views(true) : plain), name, direction };
  const descend: Descend = (inner, innerName) => compareSchemas(inner, innerName, direction, within);
  yield* compareKeywords(at, descend);
  yield* compareProperties(at, descend);
  if (concerns(at, ['array'])) yield* compareItems(at, descend);
  yield* compareAlternatives(at, descend);
}

/** The place of the schema, or of the nearest around it that the version has. */
function nearestPlace(site: Site, version: 'old' | 'new'): string | undefined {
  return site[version][0]?.at ?? (site.parent && nearestPlace(site.parent, version));
}

function* compareItems({ site, name, old, new: next }: Comparison, descend: Descend): Generator<Difference> {
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
}

function* compareAlternatives(at: Comparison, descend: Descend): Generator<Difference> {
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
    doubt: before.length === 0 || after.length === 0 ? 'implied' : 'conditional',
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
    for (const difference of descend(inner, `${name} (${one.name})`)) {
      yield { ...difference, doubt: 'conditional' };
    }
  }
  const turned = [...counterparts].find(([one, other]) => one.keyword !== other.keyword);
  if (turned !== undefined) yield alternationChange(at, ...turned);
  const known = new Set(counterparts.values());
  for (const one of after) if (!known.has(one)) yield change(one, 'added');
}

/** `oneOf` refuses a value that fits two alternatives. */
function alternationChange({ site, name }: Comparison, one: Alternative, other: Alternative): Difference {
  return {
    kind: 'alternation-changed',
    name,
    text: `: ${one.keyword} → ${other.keyword}`,
    old: one.at,
    new: other.at,
    effect: other.keyword === 'oneOf' ? 'narrower' : 'wider',
    doubt: 'conditional',
    site,
    // Values at the edges of each alternative are tried in any case.
    values: (make) => [make.own(one.parts), make.own(other.parts)],
  };
}

/**
 * Matches the alternatives of both versions by name, in order if several share a name. If equally many are left, the rest are
 * matched in order.
 */
function matched(
  before: readonly Alternative[],
  after: readonly Alternative[],
): ReadonlyMap<Alternative, Alternative> {
  const found = new Map<Alternative, Alternative>();
  const free = new Set(after);
  const pair = (one: Alternative, other: Alternative | undefined): void => {
    if (other === undefined) return;
    found.set(one, other);
    free.delete(other);
  };
  for (const one of before) {
    pair(
      one,
      [...free].find(({ name }) => name === one.name),
    );
  }
  const left = before.filter((one) => !found.has(one));
  if (left.length === free.size)
    for (const [index, other] of [...free].entries()) {
      const one = left[index];
      if (one !== undefined) pair(one, other);
    }
  return found;
}
