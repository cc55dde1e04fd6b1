/** Compares the schemas under keywords of both versions, and finds the effect of their changes. */

import { type Part, partIn } from 'concordat/values';
import type { Schema } from '../../load/openapi.js';
import type { Comparison, Descend, Doubt, Effect } from './difference.js';
import type { WrittenKeyword, SchemaView } from './schema-view.js';

/** The effect of a schema's change on the values that fit it; `ignored` if the schema is the same. */
export function effectBetween(
  at: Comparison,
  descend: Descend,
  [old, next]: readonly [Part | undefined, Part | undefined],
): { readonly effect: Effect; readonly doubt?: Doubt | undefined } {
  const list = (part: Part | undefined): readonly Part[] => (part === undefined ? [] : [part]);
  const found = [...descend({ old: list(old), new: list(next), parent: at.site, step: 'same' }, at.name)];
  const those = found.filter(({ effect }) => effect !== 'ignored');
  const effects = new Set(
    those.map(({ kind, effect }) => (/^property-(?:added|removed)/.test(kind) ? 'changed' : effect)),
  );
  const [effect = 'ignored', other] = effects;
  return { effect: other === undefined ? effect : 'changed', doubt: those.find(({ doubt }) => doubt)?.doubt };
}

export interface Pairs<T> {
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

/** The schemas of a keyword that maps names to schemas. */
export function mapOf(view: SchemaView, keyword: string): ReadonlyMap<string, Part> {
  return new Map(
    view
      .keywords(keyword)
      .flatMap(({ part, value }) =>
        Object.entries(value as Readonly<Record<string, Schema>>).map(
          ([name, schema]) => [name, partIn(part, schema, keyword, name)] as const,
        ),
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
