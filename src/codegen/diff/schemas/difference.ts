/** A difference between two schemas of the same value, and the values that may show it. */

import type { Json } from 'concordat';
import type { Schema } from '../../load/openapi.js';
import type { SchemaView } from './schema-view.js';
import type { Site } from './site.js';

/** What a difference does to the values that are accepted; `ignored`: nothing. */
export type Effect = 'narrower' | 'wider' | 'changed' | 'ignored';

export interface ValueMaker {
  /** A value that the schemas of the version that takes it accept, and another schema. */
  own(also?: Schema, overrides?: Readonly<Record<string, Json | undefined>>): Json | undefined;
  /** An object that both versions accept, but for the overrides; a property that is undefined is left out. */
  shared(overrides: Readonly<Record<string, Json | undefined>>): Json | undefined;
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
  /** Of a property that one version has: whether it is required there. */
  readonly isRequired?: boolean;
  readonly site: Site;
  /** Candidates for a value that only one version accepts. */
  readonly values: (make: ValueMaker) => readonly (Json | undefined)[];
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
