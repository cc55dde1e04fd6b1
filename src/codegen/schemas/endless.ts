/** Finds schemas that refer to themselves for the same value: checking one would never end. */
import { innerSchemas, referredUnits, type NormalSchema } from './normal-schema.js';

/** A schema with a name that others refer to. */
export interface Named {
  readonly id: string;
  readonly schema: NormalSchema;
}

/** The units that lie on a circle of references without a step into a property or an item. */
export function endlessUnits<T extends Named>(units: readonly T[]): readonly T[] {
  const next = new Map(units.map(({ id, schema }) => [id, new Set(referredUnits(schema, true))]));
  const open = new Map(units.map(({ id, schema }) => [id, schema] as const));
  // Whatever only leads to units that end, ends: what is left over goes round, or leads into what goes round.
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const id of open.keys()) {
      if (![...(next.get(id) ?? [])].some((referred) => open.has(referred))) open.delete(id);
    }
  }
  return units.filter(({ id }) => open.has(id) && leadsBack(id, next));
}

/** True when one of the schemas for the value itself is picked by a discriminator. */
export function dispatches(schema: NormalSchema): boolean {
  if (typeof schema === 'object' && 'dispatch' in schema) return true;
  return [...innerSchemas(schema, true)].some(dispatches);
}

function leadsBack(id: string, next: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reached = new Set(next.get(id));
  for (const step of reached) next.get(step)?.forEach((referred) => reached.add(referred));
  return reached.has(id);
}
