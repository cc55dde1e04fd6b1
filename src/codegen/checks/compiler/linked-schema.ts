/** Linked schemas: the input of the check writer, in which each reference names the function to call. */
import { APPLICATORS, type ApplicatorRow } from '@concordat/runtime/parts';

/**
 * A schema of JSON Schema 2020-12 with a few additional keywords.
 *
 * - `$ref`: the id of another linked schema;
 * - `default`: on a property, the value to insert when it is absent;
 * - `readOnly` / `writeOnly` (`true`): on a property that must be absent;
 * - `nullOr`: a schema that holds unless the value is null;
 * - `dispatchOn` and `dispatch`: a property, its values, and the schema that each value picks.
 */
export type LinkedSchema = boolean | SchemaObject;

export type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema that becomes one function. */
export interface LinkedPart {
  /** The value of `$ref`s to it. */
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly schema: LinkedSchema;
}

/** The property that picks a branch, and the values for each branch. */
export interface DispatchOn {
  readonly property: string;
  readonly values: readonly (readonly (string | number | boolean)[])[];
}

/** The schemas of a keyword with a list of schemas. */
export function schemaList(schema: SchemaObject, keyword: string): readonly LinkedSchema[] {
  const value = schema[keyword];
  return Array.isArray(value) ? (value as readonly LinkedSchema[]) : [];
}

/** The schemas of a keyword with an object of schemas. */
export function schemaMap(
  schema: SchemaObject,
  keyword: string,
): readonly (readonly [string, LinkedSchema])[] {
  const value = schema[keyword];
  return typeof value === 'object' && value !== null ? Object.entries(value as SchemaMap) : [];
}

type SchemaMap = Readonly<Record<string, LinkedSchema>>;

/** The schema of a keyword with one schema. */
export function schemaOf(schema: SchemaObject, keyword: string): LinkedSchema | undefined {
  return schema[keyword] as LinkedSchema | undefined;
}

/** The keywords that hold schemas. */
export const APPLIED: Readonly<Record<string, Pick<ApplicatorRow, 'holds' | 'appliesTo'>>> = {
  ...APPLICATORS,
  nullOr: { holds: 'one', appliesTo: 'value' },
  dispatch: { holds: 'list', appliesTo: 'value' },
};
export const HOLDERS: ReadonlySet<string> = new Set(Object.keys(APPLIED));

/** The keywords that hold schemas for the value itself. */
export const SAME_VALUE = [...HOLDERS].filter((keyword) => APPLIED[keyword]?.appliesTo === 'value');

/** The schemas that a holder has. */
export function heldSchemas(keyword: string, value: unknown): readonly LinkedSchema[] {
  const isMap = APPLIED[keyword]?.holds === 'map';
  return [isMap ? Object.values(value as object) : value].flat() as readonly LinkedSchema[];
}

/** The value of a holder, with each schema replaced. */
export function mapHeld(keyword: string, value: unknown, map: (schema: LinkedSchema) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => map(each as LinkedSchema));
  if (APPLIED[keyword]?.holds !== 'map') return map(value as LinkedSchema);
  return Object.fromEntries(Object.entries(value as SchemaMap).map(([name, each]) => [name, map(each)]));
}

/** The names that a keyword such as `required` lists. */
export function nameList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** The schemas inside a schema; with `sameValue`, only those that apply to the value itself. */
export function* innerSchemas(schema: LinkedSchema, sameValue = false): Generator<LinkedSchema> {
  if (typeof schema === 'boolean') return;
  for (const keyword of sameValue ? SAME_VALUE : HOLDERS)
    if (schema[keyword] !== undefined) yield* heldSchemas(keyword, schema[keyword]);
}

/** The ids that a schema refers to, anywhere in it or, with `sameValue`, for the value itself. */
export function* referredIds(schema: LinkedSchema, sameValue = false): Generator<string> {
  if (typeof schema === 'object' && typeof schema['$ref'] === 'string') yield schema['$ref'];
  for (const inner of innerSchemas(schema, sameValue)) yield* referredIds(inner, sameValue);
}

/** The sizes of schemas in which the schemas of references take the places of the references, such as where evaluations are tracked. */
export class Expansions {
  readonly #sizes = new Map<LinkedSchema, number>();

  /**
   * @param limit - the size from which a schema does not take the place of a reference
   * @param counts - whether a size counts the schemas of properties and items
   */
  constructor(
    private readonly target: (id: string) => LinkedSchema,
    private readonly limit: number,
    private readonly counts: 'all' | 'same value',
  ) {}

  isLarge(id: string): boolean {
    return this.#size(this.target(id)) > this.limit;
  }

  #size(schema: LinkedSchema, isSameValue = true): number {
    if (typeof schema === 'boolean') return 0;
    const known = isSameValue ? this.#sizes.get(schema) : undefined;
    if (known !== undefined) return known;
    let size = 1;
    for (const [keyword, value] of Object.entries(schema)) {
      const to = APPLIED[keyword]?.appliesTo;
      if (keyword === '$ref' && isSameValue) {
        const referred = this.#size(this.target(String(value)));
        size += referred > this.limit ? 1 : referred;
      } else if (to === 'value' || (to !== undefined && this.counts === 'all'))
        for (const inner of heldSchemas(keyword, value))
          size += this.#size(inner, isSameValue && to === 'value');
    }
    if (isSameValue) this.#sizes.set(schema, size);
    return size;
  }
}
