/** Walks the schemas of one value in both versions side by side, and finds the differences. */

import { type Keyword, once, restrictedType, sameRow, tableOf } from '@concordat/runtime/parts';
import { followed, identityOf, memoryOf } from '../../values/parts.js';
import { compareAlternatives } from './compare-alternatives.js';
import { COMPARE_APPLIED, comparePatternProperties } from './compare-applied.js';
import { COMPARE_BOUNDS } from './compare-bounds.js';
import { compareDependentRequired, compareDependentSchemas, compareIf } from './compare-conditions.js';
import { compareAdditional, compareItems, compareProperties, compareRequired } from './compare-members.js';
import { COMPARE_RESTRICTIONS } from './compare-restrictions.js';
import { compareListed, compareTypes } from './compare-values.js';
import {
  type Compare,
  type Comparison,
  type Descend,
  type Difference,
  type Effect,
  concerns,
  keywordChange,
} from './difference.js';
import { type Direction, SchemaView, isEqual } from './schema-view.js';
import type { Site } from './site.js';

/** The comparisons so far of the schemas of one value. */
interface Way {
  /** The number of places of the value at which each pair of schemas was compared. */
  readonly visits: Map<string, number>;
  /** The pairs of schemas around the value. */
  readonly seen: ReadonlySet<string>;
  /** The number of comparisons so far. */
  readonly all: { count: number };
}

/** A part of a value, which is compared after the value. */
interface Inner {
  readonly site: Site;
  /** The pairs of schemas there. */
  readonly pairs: readonly string[];
  /** Follows the name of the value in the name of the part, such as `/city`. */
  readonly suffix: string;
  readonly how: 'conditional' | undefined;
}

/** A part of a value with its name, and the pairs of schemas around it and there. */
interface Level extends Pick<Way, 'seen'> {
  readonly site: Site;
  readonly name: string;
  /** Whether it is inside an alternative. */
  readonly isConditional: boolean;
}

/** What is known of pairs of schemas from all values. */
interface Known {
  /** The number of values in which each was compared. */
  readonly values: Map<string, number>;
  /** The parts inside those that do not differ themselves. */
  readonly same: Map<string, readonly Inner[]>;
}

function newKnown(): Readonly<Record<Direction, Known>> {
  return {
    request: { values: new Map(), same: new Map() },
    response: { values: new Map(), same: new Map() },
  };
}

/** Identifies the schemas at a site; undefined if their references depend on the way to it. */
function identityAt({ old, new: next }: Site): string | undefined {
  if (memoryOf(old) === undefined || memoryOf(next) === undefined) return undefined;
  return [old, next].flatMap((parts) => [identityOf(parts), ...parts.map(({ at }) => at)]).join(' ');
}

/**
 * The maximum number of places of a value at which a pair of schemas is compared: if each level refers to the next several times, the
 * number of places multiplies. A change is one in all places, and so many are enough to find its proof.
 */
const MOST_PLACES = 12;

/** After so many values, a pair of schemas is compared at one place of each further value. */
const MOST_VALUES = 4;

/** After so many comparisons of one value, those apart compare each pair of schemas no more often than the others. */
const MOST_APART = 500;

/**
 * Every difference between the schemas of a value, at any depth, those near to the value first: they have the shortest names and proofs. A
 * schema that contains itself is compared once on each path.
 *
 * @param name - the name of the value in messages, such as `body`
 * @param isUnchanged - whether a value surely has the same schemas in both versions, so that its comparison finds nothing; what is known of
 *   schemas is kept for all calls with the same function
 */
export function* compareSchemas(
  given: Site,
  name: string,
  direction: Direction,
  isUnchanged: (site: Site) => boolean,
  { visits, seen: around, all }: Way = { visits: new Map(), seen: new Set(), all: { count: 0 } },
): Generator<Difference> {
  const known = once(isUnchanged, newKnown)[direction];
  const queue: Level[] = [];
  const add = ({ site, pairs, suffix, how }: Inner, outer?: Level): void => {
    const { seen = around, name: outerName = name, isConditional = false } = outer ?? {};
    // Each level compares a pair of single schemas that few did before, so that their number is bounded.
    const isOpen = (pair: string): boolean =>
      !seen.has(pair) &&
      (visits.get(pair) ?? 0) < ((known.values.get(pair) ?? 0) > MOST_VALUES ? 1 : MOST_PLACES);
    if (!pairs.some(isOpen)) return;
    all.count += 1;
    for (const pair of pairs) {
      const count = visits.get(pair) ?? 0;
      visits.set(pair, count + 1);
      if (count === 0) known.values.set(pair, (known.values.get(pair) ?? 0) + 1);
    }
    queue.push({
      site: outer === undefined ? site : { ...site, parent: outer.site },
      name: outerName + suffix,
      seen: new Set([...seen, ...pairs]),
      isConditional: isConditional || how === 'conditional',
    });
  };
  for (const whole of innerOf(given, '', undefined, isUnchanged)) add(whole);
  for (const level of queue) {
    const key = identityAt(level.site);
    const same = key === undefined ? undefined : known.same.get(key);
    const inside = [...(same ?? [])];
    let isSame = true;
    const descend: Descend = (inner, innerName, how) => {
      if (how === 'apart') {
        const anew = all.count < MOST_APART ? new Map<string, number>() : visits;
        const way = { visits: anew, seen: level.seen, all };
        return compareSchemas(inner, innerName, direction, isUnchanged, way);
      }
      inside.push(...innerOf(inner, innerName.slice(level.name.length), how, isUnchanged));
      return [];
    };
    for (const difference of same === undefined ? differencesAt(level, direction, descend) : []) {
      isSame = false;
      yield level.isConditional ? { ...difference, doubt: 'conditional' } : difference;
    }
    if (isSame && key !== undefined) known.same.set(key, inside);
    for (const each of inside) add(each, level);
  }
}

/** A part that is compared, behind its references: a change of a schema is one, however many references lead to it. */
function innerOf(
  referring: Site,
  suffix: string,
  how: Inner['how'],
  isUnchanged: (site: Site) => boolean,
): readonly Inner[] {
  if (isUnchanged(referring)) return [];
  const [old, next] = [once(referring.old, followed), once(referring.new, followed)];
  const site = { ...referring, old, new: next };
  if (isUnchanged(site)) return [];
  const pairs = Array.from(
    { length: Math.max(old.length, next.length) },
    (_, index) => `${old[index]?.at ?? ''} ${next[index]?.at ?? ''}`,
  );
  return [{ site, pairs, suffix, how }];
}

/** The differences of a value itself. */
function* differencesAt(
  { site, name }: Level,
  direction: Direction,
  descend: Descend,
): Generator<Difference> {
  const views = (keepsSingles: boolean): Pick<Comparison, 'old' | 'new'> => ({
    old: SchemaView.of(site.old, nearestPlace(site, 'old'), keepsSingles),
    new: SchemaView.of(site.new, nearestPlace(site, 'new'), keepsSingles),
  });
  const plain = views(false);
  const isOneSided = (plain.old.alternatives.length === 0) !== (plain.new.alternatives.length === 0);
  const at: Comparison = { site, ...(isOneSided ? views(true) : plain), name, direction };
  for (const [compare, keyword] of STEPS) {
    const types = typesOf(keyword);
    if (types === undefined || concerns(at, types)) yield* compare(at, descend);
  }
}

/** The place of the schema, or of the nearest around it that the version has. */
function nearestPlace(site: Site, version: 'old' | 'new'): string | undefined {
  return site[version][0]?.at ?? (site.parent && nearestPlace(site.parent, version));
}

/** Keywords of which only the equality is compared: they annotate, or have a meaning in certain media types only. */
function annotations<K extends Keyword>(effect: Effect, ...keywords: readonly K[]): Record<K, Compare> {
  const compare = (keyword: K): Compare =>
    function* (at) {
      const [before, after] = [at.old.keyword(keyword), at.new.keyword(keyword)];
      if (isEqual(before?.value ?? false, after?.value ?? false)) return;
      yield {
        ...keywordChange(at, keyword, before, after),
        effect,
        doubt: 'conditional',
        values: (make) => [make.own(), make.shared({ extra: 'text' })],
      };
    };
  return tableOf(sameRow(effect, ...keywords), compare);
}

const nothing: Compare = () => [];

/** In the order in which differences are reported. A function that compares several keywords together runs once. */
const COMPARISONS: Readonly<Record<Keyword, Compare>> = {
  type: compareTypes,
  const: compareListed,
  enum: compareListed,
  ...COMPARE_BOUNDS,
  ...COMPARE_RESTRICTIONS,
  ...COMPARE_APPLIED,
  if: compareIf,
  then: compareIf,
  else: compareIf,
  dependentRequired: compareDependentRequired,
  dependentSchemas: compareDependentSchemas,
  // Lists of names in it are compared as those of `dependentRequired`.
  dependencies: compareDependentSchemas,
  patternProperties: comparePatternProperties,
  ...annotations('changed', 'discriminator', 'contentMediaType', 'contentEncoding'),
  ...annotations('changed', 'readOnly', 'writeOnly', 'xml'),
  ...annotations('ignored', 'default', 'deprecated'),
  required: compareRequired,
  properties: compareProperties,
  additionalProperties: compareAdditional,
  prefixItems: compareItems,
  items: compareItems,
  anyOf: compareAlternatives,
  oneOf: compareAlternatives,
  // Read by the views of schemas, or without an effect on messages.
  ...sameRow(nothing, 'allOf', '$ref', '$dynamicRef', 'nullable', '$defs', 'definitions'),
  ...sameRow(nothing, '$anchor', '$comment', '$dynamicAnchor', '$id', '$schema', '$vocabulary'),
  ...sameRow(nothing, 'contentSchema', 'description', 'example', 'examples', 'externalDocs', 'title'),
};

/** The functions, each with one of its keywords. */
const STEPS = new Map(Object.entries(COMPARISONS).map(([keyword, compare]) => [compare, keyword as Keyword]));

/** The types of values that a keyword restricts. */
function typesOf(keyword: Keyword): readonly string[] | undefined {
  if (keyword === 'format') return ['string', 'number', 'integer'];
  const type = restrictedType(keyword);
  return type === 'number' ? ['number', 'integer'] : type && [type];
}
