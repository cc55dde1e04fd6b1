/** Internal keywords, which the loader writes into schemas, and the dynamic scope that they define (JSON Schema, Core §7.1). */
import { entries, isObject } from './document.js';

/** The dynamic anchors of the resource that evaluation enters here: references to their schemas, by name. */
export const ANCHORS = 'x-concordat-anchors';

/** Whether the dialect of the schema requires that `format` is checked. */
export const ASSERTED_FORMAT = 'x-concordat-asserted-format';

/** For each dynamic anchor, the place of its schema in the outermost resource that has one. */
export type DynamicScope = ReadonlyMap<string, string>;

/** The scope inside a schema that is used in another. */
export function enteredScope(scope: DynamicScope, schema: unknown): DynamicScope {
  const added = anchorsOf(schema).filter(([name]) => !scope.has(name));
  return added.length === 0 ? scope : new Map([...scope, ...added]);
}

/** The dynamic anchors that evaluation enters with a schema, each with a reference to its schema. */
export function anchorsOf(schema: unknown): readonly (readonly [name: string, reference: string])[] {
  const anchors = isObject(schema) ? schema[ANCHORS] : undefined;
  return entries(anchors).flatMap(([name, target]) =>
    isObject(target) && typeof target['$ref'] === 'string' ? [[name, target['$ref']] as const] : [],
  );
}

/** The target of a schema's `$dynamicRef`; undefined if it leads nowhere. @param scope the scope inside the schema */
export function dynamicTarget(dynamicRef: string, scope: DynamicScope): string | undefined {
  return scope.get(dynamicRef.slice(1));
}
