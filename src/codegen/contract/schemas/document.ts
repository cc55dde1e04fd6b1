/** The parts of an OpenAPI document that the schema compiler reads, and the internal keywords that the loader writes into schemas. */

/** A Schema Object (3.0) or JSON Schema (from 3.1) as the contract writes it, references included. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** From OpenAPI 3.1 on, a schema may be a boolean. */
export type Schema = boolean | SchemaObject;

/** One bundled OpenAPI document of 3.0, 3.1 or 3.2: every `$ref` in it is a JSON Pointer into itself. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly jsonSchemaDialect?: string;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** True for a JSON object: not null and not an array. */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The elements of a list; none for another value. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The entries of an object; none for another value. */
export function entries(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

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
