/** A difference between two schemas of the same value, and the values that may show it. */

import type { Json } from 'concordat';
import type { Part } from '../../examples/conjunction.js';
import type { Schema } from '../../load/openapi.js';
import type { SchemaView } from './schema-view.js';
import type { Site } from './site.js';

/** What a difference does to the values that are accepted; `ignored`: nothing. */
export type Effect = 'narrower' | 'wider' | 'changed' | 'ignored';

/**
 * Why a difference may change nothing that is accepted. `implied`: other keywords may say the same. `conditional`: it is under
 * `anyOf`, `oneOf`, `not` or `if`, so that it need not decide, or only annotates.
 */
export type Doubt = 'implied' | 'conditional';

/** A value, or undefined where none could be made. */
export type Candidates = Iterable<Json | undefined>;

export interface ValueMaker {
  /** A value that the schemas of the version that takes it accept, and other schemas. */
  own(
    also?: Schema | readonly Part[],
    overrides?: Readonly<Record<string, Json | undefined>>,
  ): Json | undefined;
  /** An object that both versions accept, but for the overrides; a property that is undefined is left out. */
  shared(overrides: Readonly<Record<string, Json | undefined>>): Json | undefined;
  /** Values at the edges of the schemas of the version that takes them, and of other schemas. */
  variants(also?: readonly Part[]): Iterable<Json>;
}

export interface Difference {
  readonly kind: string;
  /** The value: `body/address/city`. */
  readonly name: string;
  /** What is said of it, after the name. */
  readonly text: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
  readonly effect: Effect;
  readonly doubt?: Doubt | undefined;
  /** Of a property that one version has: whether it is required there. */
  readonly isRequired?: boolean;
  /** Of a property that one version has: whether the other version allows no property of that name. */
  readonly isForbidden?: boolean;
  readonly site: Site;
  /** Candidates for a value that only one version accepts. */
  readonly values: (make: ValueMaker) => Candidates;
}

/** A value that is compared: its place in both versions, and what both say about it. */
export interface Comparison {
  readonly site: Site;
  readonly old: SchemaView;
  readonly new: SchemaView;
  /** `body/address/city` */
  readonly name: string;
  readonly direction: Direction;
}

export type Direction = 'request' | 'response';

/** Compares a part of the value. */
export type Descend = (site: Site, name: string) => Iterable<Difference>;

/** How a value is written in a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'none';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A change of what stands under a keyword, which is absent in a version that does not have it. */
export function keywordChange(
  { site, name, old, new: next }: Comparison,
  keyword: string,
  before: { readonly value: unknown; readonly at: string } | undefined,
  after: { readonly value: unknown; readonly at: string } | undefined,
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

/** The view of the version whose values a narrower difference refuses, and a wider one adds: the values that are tried. */
export function sourceOf({ old, new: next }: Comparison, effect: Effect): SchemaView {
  return effect === 'wider' ? next : old;
}

/** Whether values of some types are described at all; without types, values of all. */
export function concerns({ old, new: next }: Comparison, types: readonly string[]): boolean {
  return [old, next].every((view) => view.types?.some((type) => types.includes(type)) ?? true);
}
