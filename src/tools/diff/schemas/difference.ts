/** A difference between two schemas of the same value, the values that may show it, and the effect of a change of inner schemas. */

import type { Json } from '@concordat/runtime';
import type { Keyword } from '@concordat/runtime/parts';
import type { Schema } from 'concordat/contract';
import { type Part, partIn } from '../../values/parts.js';
import type { ChangeKind } from '../change/change.js';
import type { Direction, SchemaView, WrittenKeyword } from './schema-view.js';
import type { Site } from './site.js';

/** The effect of a difference on the accepted values; `ignored`: none. */
export type Effect = 'narrower' | 'wider' | 'changed' | 'ignored';

/**
 * The reason that a difference may not change the accepted values. `implied`: other keywords may imply it. `conditional`: it is
 * under `anyOf`, `oneOf`, `not` or `if`, and so need not decide, or it only annotates.
 */
export type Doubt = 'implied' | 'conditional';

/** Values; undefined if a value could not be made. */
export type Candidates = Iterable<Json | undefined>;

export interface ValueMaker {
  /** A value that fits the schemas of the accepting version, and those in `also`. */
  own(
    also?: Schema | readonly Part[],
    overrides?: Readonly<Record<string, Json | undefined>>,
  ): Json | undefined;
  /** An object that both versions accept, apart from the overrides; a property that is undefined is left out. */
  shared(overrides: Readonly<Record<string, Json | undefined>>): Json | undefined;
  /** Values at the edges of the schemas of the accepting version, and of those in `also`. */
  variants(also?: readonly Part[]): Iterable<Json>;
}

export interface Difference {
  readonly kind: ChangeKind;
  /** The value: `body/address/city`. */
  readonly name: string;
  /** The rest of the message, after the name. */
  readonly text: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
  /** The listed value that is removed. */
  readonly value?: Json;
  readonly effect: Effect;
  readonly doubt?: Doubt | undefined;
  /** For a property that only one version has: whether it is required there. */
  readonly isRequired?: boolean;
  /** For a property that only one version has: whether the other version allows no property of that name. */
  readonly isForbidden?: boolean;
  readonly site: Site;
  /** The property of the site's value that differs; absent if the whole value does. */
  readonly property?: string;
  /** Candidates for a value that only one version accepts. */
  readonly values: (make: ValueMaker) => Candidates;
}

/** A value that is compared: its place in both versions, and its schemas in both. */
export interface Comparison {
  readonly site: Site;
  readonly old: SchemaView;
  readonly new: SchemaView;
  /** `body/address/city` */
  readonly name: string;
  readonly direction: Direction;
}

/**
 * Compares a part of the value after the value itself, without a result; with `apart` at once, and its differences are not reported by
 * themselves, so that none may be left out.
 */
export type Descend = (site: Site, name: string, how?: 'conditional' | 'apart') => Iterable<Difference>;

/** Compares one keyword, or several together. */
export type Compare = (at: Comparison, descend: Descend) => Iterable<Difference>;

/** The text of a value in a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A keyword's value and its place; undefined in a version that does not have the keyword. */
type Written = { readonly value: unknown; readonly at: string } | undefined;

/** A change of a keyword's value. */
export function keywordChange(
  { site, name, old, new: next }: Comparison,
  keyword: Keyword,
  before: Written,
  after: Written,
): Omit<Difference, 'effect' | 'values'> {
  return {
    kind: `${keyword}-changed`,
    name,
    text: `: ${keyword} ${shown(before?.value)} → ${shown(after?.value)}`,
    old: before?.at ?? old.at,
    new: after?.at ?? next.at,
    site,
  };
}

/** A change of a keyword that restricts values. Listed values may imply it, and are tried first. */
export function restrictionChange(
  at: Comparison,
  keyword: Keyword,
  [before, after]: readonly [Written, Written],
  effect: Effect,
  doubt: Doubt | undefined,
  values: (make: ValueMaker) => Candidates,
): Difference {
  const { listed } = sourceOf(at, effect);
  return {
    ...keywordChange(at, keyword, before, after),
    effect,
    doubt: listed === undefined ? doubt : 'implied',
    *values(make) {
      yield* listed?.value ?? [];
      yield* values(make);
    },
  };
}

/**
 * The version whose values are tried: a narrower difference refuses values of the old one, a wider difference adds values of the
 * new one.
 */
export function sourceOf({ old, new: next }: Comparison, effect: Effect): SchemaView {
  return effect === 'wider' ? next : old;
}

/** Whether both versions allow values of one of the types. A schema without types allows all. */
export function concerns({ old, new: next }: Comparison, types: readonly string[]): boolean {
  return [old, next].every((view) => view.types?.some((type) => types.includes(type)) ?? true);
}

export const EVERY_TYPE = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** The effect of a schema's change on the values that fit it; `ignored` if the schema is the same. */
export function effectBetween(
  at: Comparison,
  descend: Descend,
  [old, next]: readonly [Part | undefined, Part | undefined],
): { readonly effect: Effect; readonly doubt?: Doubt | undefined } {
  const list = (part: Part | undefined): readonly Part[] => (part === undefined ? [] : [part]);
  const inner: Site = { old: list(old), new: list(next), parent: at.site, step: 'same' };
  const found = [...descend(inner, at.name, 'apart')];
  const those = found.filter(({ effect }) => effect !== 'ignored');
  const effects = new Set(
    those.map(({ isRequired, effect }) => (isRequired === undefined ? effect : 'changed')),
  );
  const [effect = 'ignored', other] = effects;
  return { effect: other === undefined ? effect : 'changed', doubt: those.find(({ doubt }) => doubt)?.doubt };
}

interface Pairs<T> {
  readonly pairs: readonly (readonly [T, T])[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** Leaves out the items that are the same in both. If exactly one is left on each side, they are paired as one item that changed. */
export function paired<T>(
  before: readonly T[],
  after: readonly T[],
  isSame: (one: T, other: T) => boolean,
): Pairs<T> {
  const added = [...after];
  const removed = before.filter((one) => {
    const match = added.findIndex((other) => isSame(one, other));
    if (match !== -1) added.splice(match, 1);
    return match === -1;
  });
  const [one] = removed;
  const [other] = added;
  if (one === undefined || other === undefined || removed.length + added.length !== 2)
    return { pairs: [], removed, added };
  return { pairs: [[one, other]], removed: [], added: [] };
}

/** The schemas of a keyword that maps names to schemas; `dependencies` also maps names to lists of names. */
export function mapOf(view: SchemaView, keyword: string): ReadonlyMap<string, Part> {
  return new Map(
    view.keywords(keyword).flatMap(({ part, value }) =>
      Object.entries(value as Readonly<Record<string, Schema>>)
        .filter(([, schema]) => !Array.isArray(schema))
        .map(([name, schema]) => [name, partIn(part, schema, keyword, name)] as const),
    ),
  );
}

export function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

export function schemaAt({ part }: WrittenKeyword, keyword: string): Part {
  return partIn(part, schemaIn(part, keyword), keyword);
}

export function schemaIn({ schema }: Part, keyword: string): Schema {
  return typeof schema === 'boolean' ? schema : (schema[keyword] as Schema);
}

/** A schema as the value of a keyword. */
export function placeOf(part: Part | undefined): Pick<WrittenKeyword, 'value' | 'at'> | undefined {
  return part && { value: part.schema, at: part.at };
}
