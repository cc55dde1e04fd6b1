/** Finds the differences between the alternatives of `anyOf` and `oneOf`. */

import type { Compare, Comparison, Difference } from './difference.js';
import { type Alternative, SchemaView } from './schema-view.js';
import type { Site } from './site.js';

export const compareAlternatives: Compare = function* (at, descend) {
  const { site, name, old, new: next } = at;
  const [before, after] = [old.alternatives, next.alternatives];
  if (before.length === 0 && after.length === 0) return;
  const sole = soleCounterpart(at);
  if (sole !== undefined) {
    const inner: Site = { ...sole, parent: site, step: 'same' };
    yield* descend(inner, name, 'conditional');
    return;
  }
  const change = (one: Alternative, kind: 'removed' | 'added'): Difference => ({
    kind: `alternative-${kind}`,
    name,
    text: `: the alternative ${one.name} is ${kind}`,
    old: kind === 'removed' ? one.at : old.at,
    new: kind === 'added' ? one.at : next.at,
    effect: before.length === 0 || (after.length > 0 && kind === 'removed') ? 'narrower' : 'wider',
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
    yield* descend(inner, `${name} (${one.name})`, 'conditional');
  }
  const turned = [...counterparts].find(([one, other]) => one.keyword !== other.keyword);
  if (turned !== undefined) yield alternationChange(at, ...turned);
  const known = new Set(counterparts.values());
  for (const one of after) if (!known.has(one)) yield change(one, 'added');
};

/**
 * The schemas of a version without alternatives, and those of the only alternative of the other version that has its types. That the other
 * alternatives are removed or added is a change of the types, which is reported as such.
 */
function soleCounterpart({ site, old, new: next }: Comparison): Pick<Site, 'old' | 'new'> | undefined {
  const [plain, several] = old.alternatives.length === 0 ? [old, next] : [next, old];
  if (plain.alternatives.length > 0 || plain.types === undefined) return undefined;
  const types = new Set(plain.types.map(typeOfNumbers));
  const views = several.alternatives.map(({ at, parts }) => new SchemaView(parts, at));
  if (views.some((view) => view.types === undefined)) return undefined;
  const [index = -1, ...others] = views.flatMap((view, place) =>
    view.types?.some((type) => types.has(typeOfNumbers(type))) === true ? place : [],
  );
  const { parts } = several.alternatives[index] ?? {};
  if (parts === undefined || others.length > 0) return undefined;
  return plain === old ? { old: site.old, new: parts } : { old: parts, new: site.new };
}

function typeOfNumbers(type: string): string {
  return type === 'integer' ? 'number' : type;
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
    const other = [...free].find(({ name }) => name === one.name);
    pair(one, other);
  }
  const left = before.filter((one) => !found.has(one));
  if (left.length === free.size)
    for (const [index, other] of [...free].entries()) {
      const one = left[index];
      if (one !== undefined) pair(one, other);
    }
  return found;
}
