/** Finds the differences of types and of listed values. */

import type { Json } from '@concordat/runtime';
import {
  type Compare,
  type Difference,
  type Effect,
  type ValueMaker,
  EVERY_TYPE,
  shown,
  sourceOf,
} from './difference.js';
import { formValues } from './compare-restrictions.js';
import type { SchemaView } from './schema-view.js';

export const compareTypes: Compare = function* (at) {
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
};

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

export const compareListed: Compare = function* (at) {
  const { site, name, old, new: next } = at;
  const [before, after] = [old.listed, next.listed];
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
        ...(kind === 'removed' && { value }),
        site,
        values: () => [value],
      }));
  yield* values('removed', before.value, texts(after.value));
  yield* values('added', after.value, texts(before.value));
};
