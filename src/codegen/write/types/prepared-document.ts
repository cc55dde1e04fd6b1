/** Rewrites the parts of a document that openapi-typescript handles wrongly or does not know. */

import { isReference, type OpenApiDocument, type Schema } from '../../load/openapi.js';
import { ContractSchemas } from '../../schemas/contract-schemas.js';
import { Discriminators } from '../../schemas/discriminators.js';
import { ANCHORS } from '../../schemas/marks.js';
import { joinPointer, valueAt } from '../../text/pointer.js';

/** Rewrites a copy of a document, in place. */
export function prepareDocument(copy: OpenApiDocument, document: OpenApiDocument): void {
  prepare(copy, '#', new Discriminators(new ContractSchemas(document)));
  withoutLargeTypes(copy, new TypeSizes(copy), new Set());
}

/** Removes each `allOf` that makes a type too large to compile. The type then accepts more than the schema. */
function withoutLargeTypes(value: unknown, sizes: TypeSizes, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if ('allOf' in value && Array.isArray(value.allOf) && sizes.isTooLarge(value as Schema)) value.allOf = [];
  for (const member of Object.values(value)) withoutLargeTypes(member, sizes, seen);
}

function prepare(value: unknown, at: string, discriminators: Discriminators): void {
  if (typeof value !== 'object' || value === null) return;
  if (isIdlyNullable(value)) delete value.nullable;
  if (isWrittenParameter(value)) withSchemaOfItsOwn(value);
  if (isDictionary(value)) value.additionalProperties = restOf(value);
  // A reference that is no text has already been reported, unless it is a property of this name.
  if ('$ref' in value && typeof value.$ref !== 'string' && !at.endsWith('/properties'))
    Reflect.deleteProperty(value, '$ref');
  // Types cannot depend on the schemas that lead to a schema.
  Reflect.deleteProperty(value, ANCHORS);
  if (isDiscriminated(value)) withMapping(value, at, discriminators);
  if ('allOf' in value && Array.isArray(value.allOf)) value.allOf = value.allOf.map(asObject);
  for (const [key, member] of Object.entries(value)) {
    if (key === 'responses') withoutExtensions(member);
    else if (key === 'examples' && !NAMED.test(at)) withoutExamples(member);
    prepare(member, joinPointer(at, key), discriminators);
  }
}

/** openapi-typescript expects objects in `allOf`. */
function asObject(schema: unknown): unknown {
  return typeof schema === 'boolean' ? (schema ? {} : { enum: [] }) : schema;
}

/** Fields whose members have names, which may be `examples`. */
const NAMED =
  /\/(?:schemas|properties|patternProperties|\$defs|responses|parameters|headers|requestBodies|pathItems)$/;

/** Empties Example Objects: they have no types, and a `$ref` in one is data. */
function withoutExamples(examples: unknown): void {
  if (typeof examples !== 'object' || examples === null || Array.isArray(examples)) return;
  for (const [name, example] of Object.entries(examples) as [string, unknown][]) {
    const isReference = typeof example === 'object' && example !== null && '$ref' in example;
    if (!isReference) Object.assign(examples, { [name]: {} });
  }
}

/**
 * Writes out the tag of every branch, because openapi-typescript uses the name of the schema instead. A discriminator with a
 * default is removed, because its tag may be absent or have any value.
 */
function withMapping(schema: Discriminated, at: string, discriminators: Discriminators): void {
  const decision = discriminators.read({ schema, at });
  if (decision === undefined || decision.byDefault !== undefined) {
    Reflect.deleteProperty(schema, 'discriminator');
    return;
  }
  const tags = decision.branches.flatMap(({ values, reference }) =>
    reference === undefined ? [] : values.map((value) => [value, reference]),
  );
  schema.discriminator.mapping = Object.fromEntries(tags) as Record<string, string>;
}

/** Replaces the `content` of a parameter by its schema, because handlers get the value, not its text. */
function withSchemaOfItsOwn(parameter: { in: string; schema?: unknown; content?: object }): void {
  const [media] = Object.values(parameter.content ?? {}) as readonly { readonly schema?: unknown }[];
  delete parameter.content;
  parameter.schema = media?.schema ?? {};
  // Handlers get the whole query as a member of `query`.
  if (parameter.in === 'querystring') parameter.in = 'query';
}

/** Removes extensions among responses, which would be typed as responses. */
function withoutExtensions(responses: unknown): void {
  if (typeof responses !== 'object' || responses === null) return;
  for (const [key, member] of Object.entries(responses)) {
    if (key.startsWith('x-') && typeof member !== 'object') Reflect.deleteProperty(responses, key);
  }
}

/** OpenAPI 3.0.3: `nullable` adds null to `type` only, so it has no effect without `type`, or if `enum` excludes null. */
function isIdlyNullable(
  schema: object,
): schema is { nullable?: boolean; readonly type?: string; readonly enum?: readonly unknown[] } {
  if (!('nullable' in schema) || schema.nullable !== true) return false;
  const isWithoutNull = 'enum' in schema && Array.isArray(schema.enum) && !schema.enum.includes(null);
  return !('type' in schema) || isWithoutNull;
}

/** openapi-typescript ignores `unevaluatedProperties`, which beside `additionalProperties` applies to no property. */
function isDictionary(value: object): value is Dictionary {
  if (!('unevaluatedProperties' in value) || 'additionalProperties' in value) return false;
  // Only a schema has the name of a type as its `type`; the map of a schema's properties may have keys of these names.
  const isSchema = 'type' in value && (typeof value.type === 'string' || Array.isArray(value.type));
  return isSchema && value.unevaluatedProperties !== false;
}

interface Dictionary {
  readonly unevaluatedProperties: unknown;
  additionalProperties?: unknown;
}

/** An index signature also applies to the evaluated properties, so it allows any value if there are such properties. */
function restOf(schema: Dictionary): unknown {
  const hasOthers = ['$ref', 'properties', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema);
  return hasOthers || schema.unevaluatedProperties;
}

function isWrittenParameter(value: object): value is { in: string; schema?: unknown; content?: object } {
  return (
    'in' in value && typeof value.in === 'string' && 'content' in value && typeof value.content === 'object'
  );
}

interface Discriminated {
  readonly discriminator: { readonly propertyName: string; mapping?: Record<string, string> };
}

function isDiscriminated(value: object): value is Discriminated {
  if (!('discriminator' in value)) return false;
  const { discriminator } = value;
  return typeof discriminator === 'object' && discriminator !== null && 'propertyName' in discriminator;
}

/** The compiler compares each alternative with every other one, and stops at a million comparisons (TS2590). */
const MOST = 1000;

/** The sizes of the schemas of one document. */
class TypeSizes {
  readonly #sizes = new Map<object, number>();

  constructor(private readonly document: OpenApiDocument) {}

  /** Whether a schema combines so many alternatives that its type does not compile. */
  isTooLarge(schema: Schema): boolean {
    return this.#size(schema) > MOST;
  }

  #size(schema: Schema | undefined): number {
    if (typeof schema !== 'object') return 1;
    const known = this.#sizes.get(schema);
    if (known !== undefined) return known;
    // A schema that refers back to itself does so for a nested value, which counts as one, or endlessly.
    this.#sizes.set(schema, 1);
    const size = isReference(schema)
      ? this.#size(valueAt(this.document, schema.$ref) as Schema | undefined)
      : this.#own(schema);
    this.#sizes.set(schema, size);
    return size;
  }

  #own({ type, enum: values, allOf = [], anyOf = [], oneOf = [] }: Exclude<Schema, boolean>): number {
    const sum = (schemas: readonly Schema[]): number =>
      schemas.reduce((total, each) => total + this.#size(each), 0);
    const types = [type ?? []].flat();
    // The boolean type is a union of two.
    const kinds = values?.length ?? types.length + (types.includes('boolean') ? 1 : 0);
    const parts = [kinds, sum(anyOf), sum(oneOf), ...allOf.map((each) => this.#size(each))];
    return parts.reduce((product, part) => product * Math.max(part, 1), 1);
  }
}
