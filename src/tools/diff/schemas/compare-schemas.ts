/** Walks the schemas of one value in both versions side by side, and finds the differences. */

import { type Keyword, once, restrictedType, sameRow, tableOf } from '@concordat/runtime/parts';
import { flattened } from '../../values/inner-parts.js';
import { type Part, followed, identityOf, memoryOf } from '../../values/parts.js';
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

/** The pairs of schemas that were compared before: those around the value, and how often each was. */
interface Way {
  readonly seen: ReadonlySet<string>;
  readonly visits: Map<string, number>;
  /** The number of comparisons so far. */
  readonly all: { count: number };
}

function newWay(): Way {
  return { seen: new Set(), visits: newVisits(), all: { count: 0 } };
}

function newVisits(): Map<string, number> {
  return new Map();
}

/** A part of a value, which is compared after the value. */
interface Inner {
  readonly inner: Site;
  /** What extends the name of the value. */
  readonly suffix: string;
  readonly how: 'conditional' | undefined;
}

/** What is known of pairs of schemas from all values. */
interface Known {
  /** The number of places at which each was compared. */
  readonly visits: Map<string, number>;
  /** The parts inside those that do not differ themselves. */
  readonly same: Map<string, readonly Inner[]>;
}

function newKnown(): Known {
  return { visits: newVisits(), same: new Map() };
}

/** Identifies the schemas at a site; undefined if their references depend on the way to it. */
function pairOf({ old, new: next }: Site, direction: Direction): string | undefined {
  if (memoryOf(old) === undefined || memoryOf(next) === undefined) return undefined;
  return [direction, ...[old, next].flatMap((parts) => [identityOf(parts), joinedPlaces(parts)])].join(' ');
}

function joinedPlaces(parts: readonly Part[]): string {
  return parts.map(({ at }) => at).join(' ');
}

/**
 * The maximum number of places of a value at which the same schemas are compared: if each level refers to the next several times, the
 * number of places multiplies. A change is one in all places, and so many are enough to find its proof.
 */
const MOST_VISITS = 100;

/** After so many comparisons of one value, each pair of schemas is compared at one more place at most: a way may lead through all schemas. */
const MOST_COMPARED = 500;

/** After so many places in all values together, a pair of schemas is compared at one place of each further value. */
const MOST_EVERYWHERE = 20;

/**
 * Every difference between the schemas of a value, at any depth, those near to the value first: they have the shortest names and proofs. A
 * schema that contains itself is compared once on each path.
 *
 * @param name - the name of the value in messages, such as `body`
 * @param isUnchanged - whether a value surely has the same schemas in both versions, so that its comparison finds nothing; the places at
 *   which schemas were compared are counted for all calls with the same function
 */
export function* compareSchemas(
  site: Site,
  name: string,
  direction: Direction,
  isUnchanged: (site: Site) => boolean,
  way: Way = newWay(),
): Generator<Difference> {
  const queue: Level[] = [{ site, name, way }];
  for (const level of queue) {
    for (const difference of compareLevel(level, direction, isUnchanged, queue))
      yield level.isConditional === true ? { ...difference, doubt: 'conditional' } : difference;
  }
}

/** A place of the value that is compared by itself. */
interface Level {
  readonly site: Site;
  readonly name: string;
  readonly way: Way;
  /** Whether it is inside an alternative. */
  readonly isConditional?: boolean;
}

/** @param queue - takes the places inside the value */
function* compareLevel(
  { site: referring, name, way: { seen, visits, all }, isConditional = false }: Level,
  direction: Direction,
  isUnchanged: (site: Site) => boolean,
  queue: Level[],
): Generator<Difference> {
  if (isUnchanged(referring)) return;
  // A change of a schema is one, however many references lead to it.
  const [old, next] = [once(referring.old, followed), once(referring.new, followed)];
  const site = { ...referring, old, new: next };
  const known = once(isUnchanged, newKnown);
  const pair = pairOf(site, direction);
  const same = pair === undefined ? undefined : known.same.get(pair);
  if (same === undefined && isUnchanged(site)) return;
  const key = `${once(flattened(old), joinedPlaces)} ${direction} ${once(flattened(next), joinedPlaces)}`;
  const visited = visits.get(key) ?? 0;
  const visitedEverywhere = known.visits.get(key) ?? 0;
  const isMany = all.count >= MOST_COMPARED || visitedEverywhere >= MOST_EVERYWHERE;
  if (seen.has(key) || visited >= (isMany ? 1 : MOST_VISITS)) return;
  all.count += 1;
  visits.set(key, visited + 1);
  known.visits.set(key, visitedEverywhere + 1);
  const way = { seen: new Set(seen).add(key), visits, all };
  const later = ({ inner, suffix, how }: Inner): void => {
    const isInAlternative = isConditional || how === 'conditional';
    queue.push({
      site: { ...inner, parent: site },
      name: name + suffix,
      way,
      isConditional: isInAlternative,
    });
  };
  if (same !== undefined) {
    for (const each of same) later(each);
    return;
  }
  const views = (keepsSingles: boolean): Pick<Comparison, 'old' | 'new'> => ({
    old: SchemaView.of(old, nearestPlace(site, 'old'), keepsSingles),
    new: SchemaView.of(next, nearestPlace(site, 'new'), keepsSingles),
  });
  const plain = views(false);
  const isOneSided = (plain.old.alternatives.length === 0) !== (plain.new.alternatives.length === 0);
  const at: Comparison = { site, ...(isOneSided ? views(true) : plain), name, direction };
  const inside: Inner[] = [];
  const descend: Descend = (inner, innerName, how) => {
    if (how === 'apart') {
      const anew = all.count < MOST_COMPARED ? { ...way, visits: newVisits() } : way;
      return compareSchemas(inner, innerName, direction, isUnchanged, anew);
    }
    inside.push({ inner, suffix: innerName.slice(name.length), how });
    return [];
  };
  let isSame = true;
  for (const [compare, keyword] of STEPS) {
    const types = typesOf(keyword);
    if (types !== undefined && !concerns(at, types)) continue;
    for (const difference of compare(at, descend)) {
      isSame = false;
      yield difference;
    }
  }
  for (const each of inside) later(each);
  if (isSame && pair !== undefined) known.same.set(pair, inside);
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
