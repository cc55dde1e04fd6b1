/** The parts of an OpenAPI document that the schema compiler reads. The contents of a schema are `unknown` until they are read. */

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
