/** Differences of the keywords that restrict one value: types, listed values, ranges, lengths, patterns and formats. */

import type { Json } from 'concordat';
import { textOfPattern } from '../../examples/pattern-text.js';
import { FORMAT_SAMPLES } from '../../examples/example-text.js';
import { type Comparison, type Difference, type Effect, type ValueMaker, shown } from './difference.js';
import { words } from '../../text/names.js';

/** Whether a larger value of the keyword accepts less, and the candidates for two bounds. */
interface Bound {
  readonly growing: 'narrower' | 'wider';
  readonly values: (make: ValueMaker, bound: number) => readonly (Json | undefined)[];
}

const number = (_: ValueMaker, bound: number): readonly number[] => [
  bound,
  bound + 1,
  bound - 1,
  bound + 0.5,
  bound - 0.5,
];

function sizes(keywords: readonly [least: string, most: string]): Bound['values'] {
  return (make, bound) =>
    [bound, bound + 1, bound - 1].map((size) =>
      size < 0 || size > 10_000 ? undefined : make.own({ [keywords[0]]: size, [keywords[1]]: size }),
    );
}

const lengths = sizes(['minLength', 'maxLength']);
const counts = sizes(['minItems', 'maxItems']);
const members = sizes(['minProperties', 'maxProperties']);

const BOUNDS: Readonly<Record<string, Bound>> = {
  minimum: { growing: 'narrower', values: number },
  exclusiveMinimum: { growing: 'narrower', values: number },
  maximum: { growing: 'wider', values: number },
  exclusiveMaximum: { growing: 'wider', values: number },
  minLength: { growing: 'narrower', values: lengths },
  maxLength: { growing: 'wider', values: lengths },
  minItems: { growing: 'narrower', values: counts },
  maxItems: { growing: 'wider', values: counts },
  minProperties: { growing: 'narrower', values: members },
  maxProperties: { growing: 'wider', values: members },
};

/** The keywords whose values cannot be ordered, with their candidates. */
const FORMS: Readonly<Record<string, (make: ValueMaker, value: unknown) => readonly (Json | undefined)[]>> = {
  pattern: (make, value) => patternValues(make, value),
  format: (make) => [...Object.values(FORMAT_SAMPLES), 'text', '', 2 ** 31, 2 ** 53, make.own()],
  multipleOf: (_, value) => [1, 2, 3, 0.5, 0.1, 7].flatMap((factor) => [factor * Number(value), factor]),
  uniqueItems: (make) => [twice(make.own({ minItems: 1 }))],
};

/** Keywords of which only the text is compared. */
const OTHERS =
  words(`not if then else contains minContains maxContains propertyNames patternProperties dependentRequired
  dependentSchemas unevaluatedProperties unevaluatedItems discriminator contentMediaType
  contentEncoding readOnly writeOnly xml`);

export function* compareKeywords(at: Comparison): Generator<Difference> {
  yield* compareTypes(at);
  yield* compareListed(at);
  for (const [keyword, bound] of Object.entries(BOUNDS)) yield* compareBound(at, keyword, bound);
  for (const [keyword, values] of Object.entries(FORMS)) {
    yield* compareText(at, keyword, (make, written) => written.flatMap((value) => values(make, value)));
  }
  for (const keyword of OTHERS) yield* compareText(at, keyword, otherValues, 'changed');
  yield* compareText(at, 'default', () => [], 'ignored');
  yield* compareText(at, 'deprecated', () => [], 'ignored');
}

function otherValues(make: ValueMaker): readonly (Json | undefined)[] {
  const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];
  return [make.own(), ...types.map((type) => make.own({ type })), make.shared({ extra: 'text' })];
}

function* compareTypes({ site, name, old, new: next }: Comparison): Generator<Difference> {
  const places = { old: old.keyword('type')?.at ?? old.at, new: next.keyword('type')?.at ?? next.at };
  const change = (types: readonly string[], effect: Effect): Difference => ({
    kind: 'type-changed',
    name,
    text: `: type ${typeName(old.types)} → ${typeName(next.types)}`,
    ...places,
    effect,
    site,
    values: (make) => types.flatMap((type) => typeValues(make, type)),
  });
  const ofNumbers = (types: readonly string[]): readonly string[] =>
    types.includes('number') ? [...types, 'integer'] : types;
  if (old.types === undefined && next.types === undefined) return;
  if (old.types === undefined) yield change(EVERY_TYPE, 'narrower');
  else if (next.types === undefined) yield change(EVERY_TYPE, 'wider');
  else {
    const removed = old.types.filter((type) => !ofNumbers(next.types ?? []).includes(type));
    const added = next.types.filter((type) => !ofNumbers(old.types ?? []).includes(type));
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

function* compareListed({ site, name, old, new: next }: Comparison): Generator<Difference> {
  const before = old.listed;
  const after = next.listed;
  const places = { old: before?.at ?? old.at, new: after?.at ?? next.at };
  if (before === undefined && after === undefined) return;
  if (before === undefined || after === undefined) {
    const listed = (before ?? after)?.value ?? [];
    yield {
      kind: 'enum-changed',
      name,
      text: `: enum ${shown(before?.value)} → ${shown(after?.value)}`,
      ...places,
      effect: before === undefined ? 'narrower' : 'wider',
      site,
      values: (make) => [make.own(), 'other', 0, 1, 1000, ...listed],
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

function* compareBound(at: Comparison, keyword: string, { growing, values }: Bound): Generator<Difference> {
  const open = growing === 'narrower' ? -Infinity : Infinity;
  const bounds = [at.old, at.new].map((view) => boundOf(view.keyword(keyword)?.value, open));
  const [before = open, after = open] = bounds;
  if (before === after) return;
  const shrinking = growing === 'narrower' ? 'wider' : 'narrower';
  const written = bounds.filter((bound) => Number.isFinite(bound));
  yield {
    ...keywordChange(at, keyword),
    effect: after > before ? growing : shrinking,
    values: (make) => written.flatMap((bound) => values(make, bound)),
  };
}

function boundOf(value: unknown, open: number): number {
  return typeof value === 'number' ? value : open;
}

function* compareText(
  at: Comparison,
  keyword: string,
  values: (make: ValueMaker, written: readonly unknown[]) => readonly (Json | undefined)[],
  effect?: Effect,
): Generator<Difference> {
  const [before, after] = [at.old.keyword(keyword)?.value, at.new.keyword(keyword)?.value];
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if ((before ?? false) === (after ?? false)) return;
  yield {
    ...keywordChange(at, keyword),
    effect: effect ?? (before === undefined ? 'narrower' : after === undefined ? 'wider' : 'changed'),
    values: (make) =>
      values(
        make,
        [before, after].filter((each) => each !== undefined),
      ),
  };
}

function keywordChange(
  { site, name, old, new: next }: Comparison,
  keyword: string,
): Omit<Difference, 'effect' | 'values'> {
  const before = old.keyword(keyword);
  const after = next.keyword(keyword);
  return {
    kind: `${keyword}-changed`,
    name,
    text: `: ${keyword} ${shown(before?.value)} → ${shown(after?.value)}`,
    old: before?.at ?? old.at,
    new: after?.at ?? next.at,
    site,
  };
}

function patternValues(make: ValueMaker, pattern: unknown): readonly (Json | undefined)[] {
  const texts = [0, 1, 2, 3].flatMap((choice) =>
    [1, 0, 2, 3, 5, 10].map((repeat) => textOfPattern(String(pattern), repeat, choice)),
  );
  return [make.own(), 'text', '', 'A', '1', ' ', ...texts];
}

function twice(list: Json | undefined): Json | undefined {
  return Array.isArray(list) && list.length > 0 ? [list[0] as Json, list[0] as Json] : undefined;
}
