/** Rewrites the parts of a document that openapi-typescript handles wrongly or does not know. */

import { visitObjects } from '../../../contract/schemas/document-structure.js';
import {
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
  isReference,
  ANCHORS,
  isObject,
} from '../../../contract/schemas/document.js';
import { essenceOf } from '../../../contract/model/media-types.js';
import { decodedEvent } from '../../../contract/model/sequences.js';
import { ContractSchemas, type SchemaNode } from '../../../contract/schemas/contract-schemas.js';
import { discriminationOf, discriminatorOf, isExtension } from '../../../contract/schemas/discriminators.js';
import { pointerTokens, valueAt } from '../../../text/pointer.js';

/** Rewrites a copy of a document, in place. */
export function prepareDocument(copy: OpenApiDocument, document: OpenApiDocument): void {
  const schemas = new ContractSchemas(document);
  const ids = new Set<unknown>();
  visitObjects(copy, 'document', (value, kind, at) => {
    if (kind === 'schema') prepareSchema(value, at, schemas);
    else if (kind === 'parameter') withSchemaOfItsOwn(value);
    else if (kind === 'operation') {
      withoutExtensions(value['responses']);
      // openapi-typescript would declare both by the same name.
      if (ids.has(value['operationId'])) Reflect.deleteProperty(value, 'operationId');
      ids.add(value['operationId']);
    } else if (kind === 'mediaType') withSequence(value as MediaTypeObject, at, schemas);
    withoutExamples(value);
  });
  const sizes = new TypeSizes(copy);
  // The type then accepts more than the schema.
  visitObjects(copy, 'document', (value, kind) => {
    if (kind === 'schema' && Array.isArray(value['allOf']) && sizes.isTooLarge(value)) value['allOf'] = [];
  });
}

function prepareSchema(schema: Record<string, unknown>, at: string, schemas: ContractSchemas): void {
  withNullable(schema);
  // openapi-typescript ignores `unevaluatedProperties`, which beside `additionalProperties` applies to no property.
  const { type, unevaluatedProperties: rest = false } = schema;
  if (rest !== false && type !== undefined && !('additionalProperties' in schema))
    // An index signature also applies to the evaluated properties, so it allows any value if there are such properties.
    schema['additionalProperties'] =
      ['$ref', 'properties', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema) || rest;
  // Types cannot depend on the schemas that lead to a schema.
  Reflect.deleteProperty(schema, ANCHORS);
  if (isDiscriminated(schema)) withMapping(schema, schemas.made(schema, at));
  // openapi-typescript expects objects in `allOf`.
  if (Array.isArray(schema['allOf']))
    schema['allOf'] = schema['allOf'].map((each: unknown) =>
      each === true
        ? {}
        : each === false
          ? { enum: [] }
          : isUnrelated(each, at, schemas)
            ? { anyOf: [each] }
            : each,
    );
}

/** Whether a member of `allOf` has a discriminator for other schemas; openapi-typescript would give this schema a tag of its own. */
function isUnrelated(member: unknown, holder: string, schemas: ContractSchemas): boolean {
  const target = isReference(member) ? schemas.find(member.$ref) : undefined;
  if (target === undefined || discriminatorOf(target) === undefined) return false;
  const child = schemas.find(holder);
  return child === undefined || !isExtension(child, target);
}

/** Removes examples: they restrict nothing, and would be the longest part of many comments. A `$ref` in one is data. */
function withoutExamples(value: Record<string, unknown>): void {
  Reflect.deleteProperty(value, 'example');
  Reflect.deleteProperty(value, 'examples');
}

/**
 * Writes out the tag of every branch, because openapi-typescript uses the name of the schema instead. A discriminator with a
 * default is removed, because its tag may be absent or have any value, and so is one whose tags are no texts.
 */
function withMapping(schema: Discriminated, node: SchemaNode): void {
  const decision = discriminationOf(node);
  const tags = (decision?.branches ?? []).flatMap(({ values, reference }) =>
    reference === undefined ? [] : values.map((value) => [value, reference.at] as const),
  );
  const isText = tags.every(([value]) => typeof value === 'string');
  if (decision === undefined || decision.byDefault !== undefined || !isText) {
    Reflect.deleteProperty(schema, 'discriminator');
    return;
  }
  schema.discriminator.mapping = Object.fromEntries(tags) as Record<string, string>;
}

/** Replaces the `content` of a parameter by its schema, because handlers get the value, not its text. */
function withSchemaOfItsOwn(parameter: Record<string, unknown>): void {
  if (!isObject(parameter['content'])) return;
  const [media] = Object.values(parameter['content']) as readonly { readonly schema?: unknown }[];
  delete parameter['content'];
  parameter['schema'] = media?.schema ?? {};
  // Handlers get the whole query as a member of `query`.
  if (parameter['in'] === 'querystring') parameter['in'] = 'query';
}

/** Removes extensions among responses, which would be typed as responses. */
function withoutExtensions(responses: unknown): void {
  if (!isObject(responses)) return;
  for (const [key, member] of Object.entries(responses))
    if (key.startsWith('x-') && typeof member !== 'object') Reflect.deleteProperty(responses, key);
}

/** A keyword that marks the schema of a sequence, and holds the schema of its items. */
export const ITEMS = 'x-concordat-items';

/** Gives a media type with items (OpenAPI 3.2) a schema of the sequence, because openapi-typescript does not know `itemSchema`. */
function withSequence(media: MediaTypeObject, at: string, schemas: ContractSchemas): void {
  const { itemSchema } = media;
  if (itemSchema === undefined || schemas.dialect.version !== '3.2') return;
  const isEvents = essenceOf(pointerTokens(at).at(-1) ?? '') === 'text/event-stream';
  const item = (isEvents ? decodedEvent(schemas.made(itemSchema, at))?.schema : undefined) ?? itemSchema;
  // openapi-typescript passes only schemas with a type to `transform`.
  Object.assign(media, { itemSchema: item, schema: { type: 'object', [ITEMS]: item } });
}

/** Beside other schemas, openapi-typescript loses the null of a list of types, and not that of `nullable`. */
function withNullable(schema: Record<string, unknown>): void {
  const { type, allOf, anyOf, oneOf } = schema;
  if (!(allOf ?? anyOf ?? oneOf) || !Array.isArray(type) || !type.includes('null')) return;
  const [only, ...others] = type.filter((each) => each !== 'null') as unknown[];
  if (only !== undefined)
    Object.assign(schema, { nullable: true, type: others.length === 0 ? only : [only, ...others] });
}

interface Discriminated {
  readonly discriminator: { readonly propertyName: string; mapping?: Record<string, string> };
}

function isDiscriminated(schema: object): schema is Discriminated {
  return (
    'discriminator' in schema && isObject(schema.discriminator) && 'propertyName' in schema.discriminator
  );
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
