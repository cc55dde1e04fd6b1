/** Prepares the schemas that become functions: merges equal ones, drops unused ones, and finds those whose checks would never end. */
import { innerSchemas, referredIds, type LinkedPart } from '../compiler/linked-schema.js';
import type { ContractSchemas } from './contract-schemas.js';
import { withReferences, type NormalSchema } from './normal-schema.js';

/** A schema that becomes one function. */
export interface Part extends LinkedPart {
  readonly at: string;
}

/** Parts without duplicates, and the part that replaces each original. */
interface SharedParts {
  readonly parts: readonly Part[];
  /** @throws when no part has this id */
  readonly partOf: (id: string) => Part;
}

/**
 * Merges parts with equal schemas. Schemas that refer to themselves are not merged.
 *
 * @param all a part comes after those that it refers to
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
  // A reference within a circle was written before its target, and the target may have been merged since.
  const parts = [...bySchema.values()].map((part) => ({
    ...part,
    schema: withReferences(part.schema, (id) => partOf(id).id),
  }));
  return { parts, partOf };
}

/** The parts with the given ids and all that they refer to, in the order of `parts`. */
export function reachableParts(parts: readonly Part[], ids: readonly string[]): readonly Part[] {
  const byId = new Map(parts.map((part) => [part.id, part]));
  const reached = new Set(ids);
  for (const id of reached) {
    for (const referred of referredIds(byId.get(id)?.schema ?? true)) reached.add(referred);
  }
  return parts.filter(({ id }) => reached.has(id));
}

/**
 * Replaces each schema that refers to itself for the same value by one that accepts everything, because its check would never
 * end. Each is reported.
 */
export function finiteParts(parts: readonly Part[], schemas: ContractSchemas): readonly Part[] {
  const next = new Map(parts.map(({ id, schema }) => [id, new Set(referredIds(schema, true))]));
  return parts.map((part) => {
    const reached = new Set(next.get(part.id));
    for (const id of reached) next.get(id)?.forEach((referred) => reached.add(referred));
    if (!reached.has(part.id)) return part;
    const code = dispatches(part.schema) ? 'discriminator-inheritance' : 'endless-reference';
    const message = 'the schema refers to itself for the same value, so that its check would never end';
    schemas.unsupported(code, part.at, message);
    return { ...part, schema: true };
  });
}

/** True when a discriminator picks one of the schemas for the value itself. */
function dispatches(schema: NormalSchema): boolean {
  if (typeof schema === 'object' && 'dispatch' in schema) return true;
  return [...innerSchemas(schema, true)].some(dispatches);
}
