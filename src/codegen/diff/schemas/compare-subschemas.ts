/** Finds the differences of keywords whose schemas apply to the same value, to its property names or to some of its members. */

import type { Json } from 'concordat';
import {
  flattened,
  isAlways,
  isNever,
  matchesPattern,
  type Part,
  propertyParts,
  textOfPattern,
  variantsOf,
} from 'concordat/values';
import {
  type Candidates,
  type Comparison,
  type Descend,
  type Difference,
  type Doubt,
  type Effect,
  type ValueMaker,
  concerns,
  keywordChange,
  sourceOf,
} from './difference.js';
import { CHARACTERS } from './form-values.js';
import { type Keyword, SchemaView } from './schema-view.js';
import { propertySite } from './site.js';
import { effectBetween, mapOf, paired, schemaAt } from './subschemas.js';
import { compareConditions } from './compare-conditions.js';

/** A keyword that holds one schema. */
interface Applied {
  /** The types of the values that it restricts; absent if it restricts all. */
  readonly types?: readonly string[];
  /** Whether a value must not fit the schema. */
  readonly isNegated?: true;
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

const APPLIED: Readonly<Record<string, Applied>> = {
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
    types: ['array'],
    *values(make, schemas) {
      yield* [[], make.own({ minItems: 1 }), make.own({ minItems: 2 })];
      yield* variants(make, schemas);
    },
  },
  propertyNames: {
    types: ['object'],
    doubt: (_, { closed }) => closed && 'implied',
    values: namedValues,
  },
  unevaluatedProperties: { types: ['object'], values: variants },
  unevaluatedItems: { types: ['array'], values: variants },
};

export function* compareSubschemas(at: Comparison, descend: Descend): Generator<Difference> {
  for (const [keyword, applied] of Object.entries(APPLIED)) {
    if (concerns(at, applied.types ?? EVERY_TYPE)) yield* compareApplied(at, descend, keyword, applied);
  }
  yield* compareConditions(at, descend);
  if (concerns(at, ['object'])) yield* comparePatternProperties(at, descend);
}

const EVERY_TYPE = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

const REVERSE: Readonly<Record<Effect, Effect>> = {
  narrower: 'wider',
  wider: 'narrower',
  changed: 'changed',
  ignored: 'ignored',
};

/** The schemas under a keyword, except those that restrict nothing. */
function schemasOf(view: SchemaView, keyword: string, isNegated = false): readonly Keyword[] {
  const isTrivial = ({ value }: Keyword): boolean => {
    if (keyword === 'contains' && view.keyword('minContains')?.value === 0 && !view.keyword('maxContains'))
      return true;
    // A closed object is compared with its properties.
    if (keyword === 'unevaluatedProperties' && isNever(value)) return true;
    return isNegated ? isNever(value) : isAlways(value);
  };
  return view.keywords(keyword).filter((each) => !isTrivial(each));
}

function* compareApplied(
  at: Comparison,
  descend: Descend,
  keyword: string,
  { isNegated, doubt, values }: Applied,
): Generator<Difference> {
  const effectOf = (one: Keyword, other: Keyword) =>
    effectBetween(at, descend, [schemaAt(one, keyword), schemaAt(other, keyword)]);
  const { pairs, removed, added } = paired(
    schemasOf(at.old, keyword, isNegated),
    schemasOf(at.new, keyword, isNegated),
    (one, other) => effectOf(one, other).effect === 'ignored',
  );
  const change = (
    before: Keyword | undefined,
    after: Keyword | undefined,
    effect: Effect,
    own?: Doubt,
  ): Difference => {
    const schemas = [before, after].flatMap((each) => (each === undefined ? [] : [schemaAt(each, keyword)]));
    const source = sourceOf(at, effect);
    const isListed = source.listed !== undefined;
    return {
      ...keywordChange(at, keyword, before, after),
      effect,
      doubt: own ?? (isListed ? 'implied' : doubt?.(new SchemaView(schemas.slice(0, 1), source.at), source)),
      *values(make) {
        yield* source.listed?.value ?? [];
        yield* values(make, schemas, source);
      },
    };
  };
  for (const [before, after] of pairs) {
    const { effect, doubt: inner } = effectOf(before, after);
    yield change(before, after, isNegated ? REVERSE[effect] : effect, isNegated ? 'conditional' : inner);
  }
  for (const each of removed) if (!isDisjoint(each, at.new)) yield change(each, undefined, 'wider');
  for (const each of added) if (!isDisjoint(each, at.old)) yield change(undefined, each, 'narrower');

  /** Whether the version allows no type of a negated schema, so that the negation restricts nothing. */
  function isDisjoint(each: Keyword, { typesOfValues: types }: SchemaView): boolean {
    const own = isNegated ? new SchemaView([schemaAt(each, keyword)], each.at).typesOfValues : undefined;
    const isNumber = (type: string): boolean => type === 'number' || type === 'integer';
    return (
      types !== undefined &&
      own?.some((type) => types.some((other) => other === type || (isNumber(other) && isNumber(type)))) ===
        false
    );
  }
}

/** Objects with a property of various names: short ones, long ones, and ones with other characters. */
function* namedValues(make: ValueMaker, schemas: readonly Part[], source: SchemaView): Candidates {
  const text = { schema: { type: 'string' }, at: '#' };
  const edges = schemas.flatMap((part) => [...variantsOf([text, part], '')].map(({ value }) => value));
  const plain = [
    'abcd',
    ...CHARACTERS,
    ...CHARACTERS.map((each) => each.repeat(4)),
    'a'.repeat(50),
    'a'.repeat(300),
  ];
  const names = [...source.properties.keys(), ...plain, ...edges.filter((each) => typeof each === 'string')];
  for (const name of new Set(names)) {
    yield make.own({ type: 'object', required: [name] });
    for (const value of ['text', 1, {}]) yield make.own({ type: 'object' }, { [name]: value });
  }
}

/** Compares one property per pattern, with a name that the pattern matches. */
function* comparePatternProperties(at: Comparison, descend: Descend): Generator<Difference> {
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
    const place = (part: Part | undefined) => part && { value: part.schema, at: part.at };
    yield {
      ...keywordChange(at, 'patternProperties', place(old), place(next)),
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
}

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
