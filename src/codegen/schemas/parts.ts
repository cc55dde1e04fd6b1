/** The schemas that become functions: which are the same, which are needed, and which would never end. */
import type { ContractSchemas } from './contract-schemas.js';
import { innerSchemas, referredUnits, withReferences, type NormalSchema } from './normal-schema.js';

/** A schema that becomes one function. */
export interface Part {
  /** What `$ref`s call it. */
  readonly id: string;
  /** Where the document holds it. */
  readonly at: string;
  /** The name of the function. */
  readonly name: string;
  /** What the function checks. */
  readonly about: string;
  readonly schema: NormalSchema;
}

/** Parts of which no two have the same schema, and which of them stands for each one given. */
export interface SharedParts {
  readonly parts: readonly Part[];
  /** @throws when no part has this id */
  readonly partOf: (id: string) => Part;
}

/**
 * Lets one function serve equal schemas.
 *
 * @param all those that others refer to come first; schemas that refer to themselves stay apart
 */
export function sharedParts(all: readonly Part[]): SharedParts {
  const bySchema = new Map<string, Part>();
  const standIns = new Map<string, Part>();
  for (const part of all) {
    const schema = withReferences(part.schema, (id) => standIns.get(id)?.id ?? id);
    const text = JSON.stringify(schema);
    const same = bySchema.get(text);
    const kept = same ?? { ...part, schema };
    if (same === undefined) bySchema.set(text, kept);
    standIns.set(part.id, kept);
  }
  const partOf = (id: string): Part => {
    const part = standIns.get(id);
    if (part === undefined) throw new Error(`there is no schema ${id}`);
    return part;
  };
  // A reference back into a circle was written before what it refers to was known; it may have found an equal one.
  const parts = [...bySchema.values()].map((part) => ({
    ...part,
    schema: withReferences(part.schema, (id) => partOf(id).id),
  }));
  return { parts, partOf };
}

/** The parts that some are made of, themselves included, in the given order. */
export function reachableParts(parts: readonly Part[], ids: readonly string[]): readonly Part[] {
  const byId = new Map(parts.map((part) => [part.id, part]));
  const reached = new Set(ids);
  for (const id of reached) {
    for (const referred of referredUnits(byId.get(id)?.schema ?? true)) reached.add(referred);
  }
  return parts.filter(({ id }) => reached.has(id));
}

/**
 * The parts without those that refer to themselves for the same value: a check of them would never end. They become
 * gaps, and accept everything.
 */
export function finiteParts(parts: readonly Part[], schemas: ContractSchemas): readonly Part[] {
  const next = new Map(parts.map(({ id, schema }) => [id, new Set(referredUnits(schema, true))]));
  return parts.map((part) => {
    const reached = new Set(next.get(part.id));
    for (const id of reached) next.get(id)?.forEach((referred) => reached.add(referred));
    if (!reached.has(part.id)) return part;
    const code = dispatches(part.schema) ? 'discriminator-inheritance' : 'endless-reference';
    schemas.gap(
      code,
      part.at,
      'the schema refers to itself for the same value, so that a check of it would never end',
    );
    return { ...part, schema: true };
  });
}

/** True when one of the schemas for the value itself is picked by a discriminator. */
function dispatches(schema: NormalSchema): boolean {
  if (typeof schema === 'object' && 'dispatch' in schema) return true;
  return [...innerSchemas(schema, true)].some(dispatches);
}
