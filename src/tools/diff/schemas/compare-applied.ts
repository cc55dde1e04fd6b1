/** Finds the differences of keywords whose schemas apply to the same value, to its property names or to some of its members. */

import type { Json } from '@concordat/runtime';
import { type ApplicatorKeyword, tableOf } from '@concordat/runtime/parts';
import { flattened, propertyParts } from '../../values/inner-parts.js';
import { type Part, isAlways, isNever } from '../../values/parts.js';
import { matchesPattern, textOfPattern } from '../../values/texts.js';
import { variantsOf } from '../../values/value-variants.js';
import {
  type Candidates,
  type Compare,
  type Comparison,
  concerns,
  type Difference,
  type Doubt,
  type Effect,
  effectBetween,
  EVERY_TYPE,
  keywordChange,
  mapOf,
  paired,
  placeOf,
  restrictionChange,
  schemaAt,
  sourceOf,
  type ValueMaker,
} from './difference.js';
import { CHARACTERS } from './compare-restrictions.js';
import { SchemaView, type WrittenKeyword } from './schema-view.js';
import { propertySite } from './site.js';

/** A keyword that holds one schema. */
interface Applied {
  /** Whether a value must not fit the schema. */
  readonly isNegated?: boolean;
  readonly doubt?: (schema: SchemaView, source: SchemaView) => Doubt | undefined;
  readonly values: (make: ValueMaker, schemas: readonly Part[], source: SchemaView) => Candidates;
}

const variants = function* (make: ValueMaker, schemas: readonly Part[]): Candidates {
  yield make.own();
  for (const schema of schemas) {
    yield make.own([schema]);
    yield* make.variants([schema]);
  }
};

const APPLIED = {
  not: {
    isNegated: true,
    doubt: ({ listed }) => listed && 'implied',
    *values(make, schemas) {
      for (const { listed } of schemas.map((part) => new SchemaView([part], part.at)))
        yield* listed?.value ?? [];
      yield* variants(make, schemas);
    },
  },
  contains: {
    *values(make, schemas) {
      yield* [[], make.own({ minItems: 1 }), make.own({ minItems: 2 })];
      yield* variants(make, schemas);
    },
  },
  propertyNames: { doubt: (_, { closed }) => closed && 'implied', values: namedValues },
  unevaluatedProperties: { values: variants },
  unevaluatedItems: { values: variants },
} satisfies Partial<Record<ApplicatorKeyword, Applied>>;

const REVERSE: Readonly<Record<Effect, Effect>> = {
  narrower: 'wider',
  wider: 'narrower',
  changed: 'changed',
  ignored: 'ignored',
};

/** The schemas under a keyword, except those that restrict nothing. */
function schemasOf(view: SchemaView, keyword: string, isNegated = false): readonly WrittenKeyword[] {
  const isTrivial = ({ value }: WrittenKeyword): boolean => {
    if (keyword === 'contains' && view.keyword('minContains')?.value === 0 && !view.keyword('maxContains'))
      return true;
    // A closed object is compared with its properties.
    if (keyword === 'unevaluatedProperties' && isNever(value)) return true;
    return isNegated ? isNever(value) : isAlways(value);
  };
  return view.keywords(keyword).filter((each) => !isTrivial(each));
}

/** The comparisons of these keywords. */
export const COMPARE_APPLIED = tableOf(APPLIED, (keyword): Compare => {
  const { isNegated = false, doubt, values }: Applied = APPLIED[keyword];
  return function* (at, descend) {
    if (!concerns(at, EVERY_TYPE)) return;
    const effectOf = (one: WrittenKeyword, other: WrittenKeyword) =>
      effectBetween(at, descend, [schemaAt(one, keyword), schemaAt(other, keyword)]);
    const { pairs, removed, added } = paired(
      schemasOf(at.old, keyword, isNegated),
      schemasOf(at.new, keyword, isNegated),
      (one, other) => effectOf(one, other).effect === 'ignored',
    );
    const change = (both: Written, effect: Effect, own?: Doubt): Difference => {
      const schemas = both.flatMap((each) => (each === undefined ? [] : [schemaAt(each, keyword)]));
      const source = sourceOf(at, effect);
      const usual = doubt?.(new SchemaView(schemas.slice(0, 1), source.at), source);
      const made = restrictionChange(at, keyword, both, effect, usual, (make) =>
        values(make, schemas, source),
      );
      return own === undefined ? made : { ...made, doubt: own };
    };
    for (const pair of pairs) {
      const { effect, doubt: inner } = effectOf(...pair);
      yield isNegated ? change(pair, REVERSE[effect], 'conditional') : change(pair, effect, inner);
    }
    const restricts = (each: WrittenKeyword, view: SchemaView): boolean =>
      !isNegated || mayShareType(new SchemaView([schemaAt(each, keyword)], each.at), view);
    for (const each of removed) if (restricts(each, at.new)) yield change([each, undefined], 'wider');
    for (const each of added) if (restricts(each, at.old)) yield change([undefined, each], 'narrower');
  };
});

type Written = readonly [WrittenKeyword | undefined, WrittenKeyword | undefined];

/** Whether some type of values may fit both schemas; otherwise the negation of one restricts nothing. */
function mayShareType({ typesOfValues: own }: SchemaView, { typesOfValues: types }: SchemaView): boolean {
  const isNumber = (type: string): boolean => type === 'number' || type === 'integer';
  const isIn = (type: string): boolean =>
    types?.some((other) => other === type || (isNumber(other) && isNumber(type))) ?? true;
  return own?.some(isIn) ?? true;
}

/** Objects with a property of various names: short ones, long ones, and ones with other characters. */
function* namedValues(make: ValueMaker, schemas: readonly Part[], source: SchemaView): Candidates {
  const text = { schema: { type: 'string' }, at: '#' };
  const edges = schemas.flatMap((part) => [...variantsOf([text, part], '')].map(({ value }) => value));
  const repeated = CHARACTERS.map((each) => each.repeat(4));
  const plain = ['abcd', ...CHARACTERS, ...repeated, 'a'.repeat(50), 'a'.repeat(300)];
  const names = [...source.properties.keys(), ...plain, ...edges.filter((each) => typeof each === 'string')];
  for (const name of new Set(names)) {
    yield make.own({ type: 'object', required: [name] });
    for (const value of ['text', 1, {}]) yield make.own({ type: 'object' }, { [name]: value });
  }
}

/** Compares one property per pattern, with a name that the pattern matches. */
export const comparePatternProperties: Compare = function* (at, descend) {
  const { site } = at;
  const [before, after] = [mapOf(at.old, 'patternProperties'), mapOf(at.new, 'patternProperties')];
  for (const pattern of new Set([...before.keys(), ...after.keys()])) {
    const name = nameFor(pattern, at);
    const inner = name === undefined ? undefined : propertySite(site, name);
    if (inner !== undefined) {
      yield* descend(inner, `${at.name}/${pattern}`);
      continue;
    }
    const [old, next] = [before.get(pattern), after.get(pattern)];
    const allows = (parts: readonly Part[]): boolean =>
      name === undefined || propertyParts(flattened(parts), name) !== undefined;
    const [was, is] = [allows(site.old), allows(site.new)];
    const { effect } =
      was === is ? effectBetween(at, descend, [old, next]) : ({ effect: is ? 'wider' : 'narrower' } as const);
    if (effect === 'ignored' || (!was && !is)) continue;
    yield {
      ...keywordChange(at, 'patternProperties', placeOf(old), placeOf(next)),
      effect,
      values: (make) =>
        name === undefined
          ? []
          : [
              make.own({ type: 'object', required: [name] }),
              ...['text', 1, true, null, {}].map((value: Json) => make.shared({ [name]: value })),
            ],
    };
  }
};

/** A name that a pattern matches, and that is not the name of a described property. */
function nameFor(pattern: string, { old, new: next }: Comparison): string | undefined {
  const isFree = (name: string | undefined): name is string =>
    name !== undefined &&
    name !== '' &&
    matchesPattern(pattern, name) &&
    !old.properties.has(name) &&
    !next.properties.has(name);
  return [1, 2, 3, 5]
    .flatMap((repeat) => [0, 1, 2].map((choice) => textOfPattern(pattern, repeat, choice)))
    .flatMap((name) => (name === undefined ? [] : [name, `${name}a`, `a${name}`]))
    .find(isFree);
}
