/** What the writer of checks reads: schemas whose references are followed, so that each names the function that it calls. */

/**
 * A schema of JSON Schema 2020-12 with a few keywords of our own.
 *
 * - `$ref`: the id of another linked schema;
 * - `default`: on a property, what to insert when it is absent;
 * - `readOnly` / `writeOnly` (`true`): on a property, that it must not be there;
 * - `nullOr`: a schema that holds unless the value is null;
 * - `dispatchOn` and `dispatch`: a property, its values, and the schema that each of them picks.
 */
export type LinkedSchema = boolean | SchemaObject;

export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema that becomes one function. */
export interface LinkedPart {
  /** What `$ref`s call it. */
  readonly id: string;
  /** The name of the function. */
  readonly name: string;
  /** What the function checks. */
  readonly about: string;
  readonly schema: LinkedSchema;
}

/** The property that picks a branch, and for each branch the values that pick it. */
export interface DispatchOn {
  readonly property: string;
  readonly values: readonly (readonly string[])[];
}

/** The schemas of a keyword that holds a list of them. */
export function schemaList(schema: SchemaObject, keyword: string): readonly LinkedSchema[] {
  const value = schema[keyword];
  return Array.isArray(value) ? (value as readonly LinkedSchema[]) : [];
}

/** The schemas of a keyword that holds them by name. */
export function schemaMap(
  schema: SchemaObject,
  keyword: string,
): readonly (readonly [string, LinkedSchema])[] {
  const value = schema[keyword];
  return typeof value === 'object' && value !== null ? Object.entries(value as SchemaMap) : [];
}

type SchemaMap = Readonly<Record<string, LinkedSchema>>;

/** The schema of a keyword that holds one. */
export function schemaOf(schema: SchemaObject, keyword: string): LinkedSchema | undefined {
  return schema[keyword] as LinkedSchema | undefined;
}

/** The names that a keyword such as `required` lists. */
export function nameList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
