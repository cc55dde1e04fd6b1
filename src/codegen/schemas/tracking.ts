/** Which schemas must keep track of what they have looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
import { innerSchemas, type NormalSchema } from './normal-schema.js';
import type { Part } from './parts.js';

/**
 * The ids of the parts that have one of the two keywords, or are part of a schema that has one and must tell it what
 * they looked at. All others do without the bookkeeping.
 */
export function trackedParts(parts: readonly Part[]): ReadonlySet<string> {
  const byId = new Map(parts.map(({ id, schema }) => [id, schema]));
  const holding = new Set<string>();
  const asked = new Set<string>();
  const walk = (id: string, schema: NormalSchema, isAsked: boolean): void => {
    if (typeof schema === 'boolean') return;
    const asks = 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
    if (asks) holding.add(id);
    if ((isAsked || asks) && typeof schema['$ref'] === 'string') asked.add(schema['$ref']);
    const sameValue = new Set(innerSchemas(schema, true));
    for (const inner of innerSchemas(schema)) walk(id, inner, sameValue.has(inner) && (isAsked || asks));
  };
  for (const { id, schema } of parts) walk(id, schema, false);
  for (const id of asked) walk(id, byId.get(id) ?? true, true);
  return new Set([...holding, ...asked]);
}

/** True when a schema names a property that every object has without being given it, such as `constructor`. */
export function namesInherited(schema: NormalSchema): boolean {
  if (typeof schema === 'boolean') return false;
  const names = [
    ...Object.keys((schema['properties'] as object | undefined) ?? {}),
    ...namesIn(schema['required']),
  ];
  return names.some((name) => name in Object.prototype) || [...innerSchemas(schema)].some(namesInherited);
}

function namesIn(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
