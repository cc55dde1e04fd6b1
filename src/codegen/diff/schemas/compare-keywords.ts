/** Finds the differences of the keywords of one value: types, listed values, patterns, formats and annotations. */

import type { Json } from 'concordat';
import { formatOf, isChecked } from '../../formats/format-table.js';
import { compareBounds } from './compare-bounds.js';
import { compareSubschemas } from './compare-subschemas.js';
import { formValues, isTrivialPattern } from './form-values.js';
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
  shown,
  sourceOf,
} from './difference.js';
import { type SchemaView, isEqual } from './schema-view.js';
import { words } from '../../text/identifiers.js';

/** A keyword whose values cannot be ordered, and that may hold several times through `allOf`. */
interface Restriction {
  /** The types of the values that it restricts. */
  readonly types: readonly string[];
  readonly isTrivial?: (value: unknown, view: SchemaView) => boolean;
  /** Whether everything that fits one value of the keyword fits the other. */
  readonly implies?: (one: unknown, other: unknown) => boolean;
  /** The reason that the keyword may restrict nothing further, if no message proves that it does. */
  readonly doubt?: (source: SchemaView, written: readonly unknown[]) => Doubt | undefined;
  readonly values: (make: ValueMaker, written: readonly unknown[], source: SchemaView) => Candidates;
}

const RESTRICTIONS: Readonly<Record<string, Restriction>> = {
  pattern: {
    types: ['string'],
    isTrivial: (pattern) => isTrivialPattern(String(pattern)),
    doubt: (source) => (source.keyword('pattern') ?? source.keyword('format')) && 'implied',
    values: formValues,
  },
  format: {
    types: ['string', 'number', 'integer'],
    implies: (one, other) => formatOf(one)?.implies.some((format) => format === other) ?? false,
    // A format that is not checked only annotates.
    doubt: (_, written) => (written.every(isChecked) ? 'implied' : 'conditional'),
    values: function* (make, written, source) {
      yield* formValues(make, written, source);
      yield* [2 ** 31, 2 ** 53, -1];
    },
  },
  multipleOf: {
    types: ['number', 'integer'],
    isTrivial: (value, { types }) => types?.includes('number') === false && 1 % Number(value) === 0,
    implies: (one, other) => Number(one) % Number(other) === 0,
    *values(make, written) {
      const own = make.own();
      for (const value of written.map(Number)) {
        yield* [1, 2, 3, 0.5, 0.1, 7].flatMap((factor) => [factor * value, factor]);
        if (typeof own === 'number') yield* [own, own + 1, own + value / 2, own + 0.5];
      }
    },
  },
  uniqueItems: {
    types: ['array'],
    isTrivial: (value, view) =>
      value === false || view.keywords('maxItems').some(({ value: most }) => Number(most) < 2),
    *values(make) {
      yield repeated(make.own({ minItems: 1 }));
      yield repeated(make.own({ minItems: 2 }));
    },
  },
  minContains: {
    types: ['array'],
    // Without it one item is enough; with 0 `contains` restricts nothing.
    isTrivial: (value, view) => Number(value) < 2 || view.keyword('contains') === undefined,
    values: countedLists,
  },
  maxContains: {
    types: ['array'],
    isTrivial: (_, view) => view.keyword('contains') === undefined,
    values: countedLists,
  },
};

/** Keywords that are only compared for equality: they annotate, or have a meaning in certain media types only. */
const ANNOTATIONS = words('discriminator contentMediaType contentEncoding readOnly writeOnly xml');

export function* compareKeywords(at: Comparison, descend: Descend): Generator<Difference> {
  yield* compareTypes(at);
  yield* compareListed(at);
  yield* compareBounds(at);
  for (const [keyword, restriction] of Object.entries(RESTRICTIONS)) {
    if (concerns(at, restriction.types)) yield* compareRestriction(at, keyword, restriction);
  }
  yield* compareSubschemas(at, descend);
  for (const keyword of ANNOTATIONS) yield* compareAnnotation(at, keyword, 'changed');
  yield* compareAnnotation(at, 'default', 'ignored');
  yield* compareAnnotation(at, 'deprecated', 'ignored');
}

function* compareTypes(at: Comparison): Generator<Difference> {
  const { site, name, old, new: next } = at;
  if (old.types === undefined && next.types === undefined) return;
  const [before, after] = [old.typesOfValues, next.typesOfValues];
  const places = { old: old.keyword('type')?.at ?? old.at, new: next.keyword('type')?.at ?? next.at };
  const change = (types: readonly string[], effect: Effect): Difference => ({
    kind: 'type-changed',
    name,
    text: `: type ${typeName(before)} → ${typeName(after)}`,
    ...places,
    effect,
    site,
    doubt: sourceOf(at, effect).listed === undefined ? undefined : 'implied',
    values: (make) => types.flatMap((type) => typeValues(make, type)),
  });
  const ofNumbers = (types: readonly string[]): readonly string[] =>
    types.includes('number') ? [...types, 'integer'] : types;
  if (before === undefined) {
    if (!EVERY_TYPE.every((type) => ofNumbers(after ?? []).includes(type)))
      yield change(EVERY_TYPE, 'narrower');
  } else if (after === undefined) {
    if (!EVERY_TYPE.every((type) => ofNumbers(before).includes(type))) yield change(EVERY_TYPE, 'wider');
  } else {
    const removed = before.filter((type) => !ofNumbers(after).includes(type));
    const added = after.filter((type) => !ofNumbers(before).includes(type));
    const effect = removed.length === 0 ? 'wider' : added.length === 0 ? 'narrower' : 'changed';
    if (removed.length + added.length > 0) yield change([...removed, ...added], effect);
  }
}

const EVERY_TYPE = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

function typeName(types: readonly string[] | undefined): string {
  return types?.join(' or ') ?? 'any';
}

function typeValues(make: ValueMaker, type: string): readonly (Json | undefined)[] {
  if (type === 'null') return [null];
  return [make.own({ type }), ...(type === 'number' ? [1.5, make.own({ minimum: 1.5, maximum: 1.5 })] : [])];
}

function isWritten(listed: SchemaView['listed']): boolean {
  return listed !== undefined && listed.isOfType !== true;
}

function* compareListed(at: Comparison): Generator<Difference> {
  const { site, name, old, new: next } = at;
  const before = old.listed;
  const after = next.listed;
  const places = { old: before?.at ?? old.at, new: after?.at ?? next.at };
  if (!isWritten(before) && !isWritten(after)) return;
  if (before === undefined || after === undefined) {
    const listed = (before ?? after)?.value ?? [];
    const effect = before === undefined ? 'narrower' : 'wider';
    const source = sourceOf(at, effect);
    yield {
      kind: 'enum-changed',
      name,
      text: `: enum ${shown(before?.value)} → ${shown(after?.value)}`,
      ...places,
      effect,
      doubt: source.keyword('pattern') && 'implied',
      site,
      *values(make) {
        yield* [make.own(), 'other', 0, 1, 1000, ...listed];
        yield* formValues(make, [], source);
      },
    };
    return;
  }
  const texts = (values: readonly Json[]): ReadonlySet<string> =>
    new Set(values.map((value) => JSON.stringify(value)));
  const values = (
    kind: 'removed' | 'added',
    from: readonly Json[],
    known: ReadonlySet<string>,
  ): Difference[] =>
    from
      .filter((value) => !known.has(JSON.stringify(value)))
      .map((value) => ({
        kind: `enum-value-${kind}`,
        name,
        text: `: the value ${shown(value)} is ${kind}`,
        ...places,
        effect: kind === 'removed' ? 'narrower' : 'wider',
        site,
        values: () => [value],
      }));
  yield* values('removed', before.value, texts(after.value));
  yield* values('added', after.value, texts(before.value));
}

function* compareRestriction(
  at: Comparison,
  keyword: string,
  { isTrivial = () => false, implies = () => false, doubt, values }: Restriction,
): Generator<Difference> {
  const [before = [], after = []] = [at.old, at.new].map((view) =>
    view.keywords(keyword).filter(({ value }) => !isTrivial(value, view)),
  );
  const isWithin = (value: unknown, others: typeof before): boolean =>
    others.some((other) => isEqual(other.value, value) || implies(other.value, value));
  const added = after.filter(({ value }) => !isWithin(value, before));
  const removed = before.filter(({ value }) => !isWithin(value, after));
  if (added.length + removed.length === 0) return;
  const effect: Effect = removed.length === 0 ? 'narrower' : added.length === 0 ? 'wider' : 'changed';
  const written = [...removed, ...added].map(({ value }) => value);
  const source = sourceOf(at, effect);
  yield {
    ...keywordChange(at, keyword, removed[0] ?? before[0], added[0] ?? after[0]),
    effect,
    doubt: source.listed === undefined ? doubt?.(source, written) : 'implied',
    *values(make) {
      yield* source.listed?.value ?? [];
      yield* values(make, written, source);
    },
  };
}

function* compareAnnotation(at: Comparison, keyword: string, effect: Effect): Generator<Difference> {
  const [before, after] = [at.old.keyword(keyword), at.new.keyword(keyword)];
  if (isEqual(before?.value ?? false, after?.value ?? false)) return;
  yield {
    ...keywordChange(at, keyword, before, after),
    effect,
    doubt: 'conditional',
    *values(make) {
      yield make.own();
      yield make.shared({ extra: 'text' });
    },
  };
}

function* countedLists(make: ValueMaker, written: readonly unknown[]): Candidates {
  for (const count of written.map(Number)) {
    for (const size of [count, count + 1, count - 1])
      if (size >= 0) yield make.own({ minItems: size, maxItems: size });
  }
}

/** A list whose items are all the same. */
function repeated(list: Json | undefined): Json | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return Array.from({ length: Math.max(2, list.length) }, () => list[0] as Json);
}
