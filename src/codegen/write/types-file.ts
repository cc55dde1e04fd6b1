/** Writes `openapi.ts`: the types of every schema, operation and component, by openapi-typescript. */

import openapiTS, { type OpenAPI3, astToString } from 'openapi-typescript';
import type { OpenApiDocument, Schema } from '../load/openapi.js';
import type { ContractModel } from '../read/model.js';
import { joinPointer } from '../text/pointer.js';
import { documentCarriesMarkers } from './markers.js';
import { withSchemaNames } from './schema-names.js';

/** Parts of the types that are not in the document itself. */
export interface FurtherTypes {
  /** Path items that are typed among the webhooks, because openapi-typescript writes no callbacks. */
  readonly callbacks?: ContractModel['callbackItems'];
  /** Component schemas. */
  readonly schemas?: Readonly<Record<string, Schema>>;
}

/** The text of `openapi.ts`. A property with a default may be absent: it is only in the types of what handlers get. */
export async function typesFile(
  document: OpenApiDocument,
  banner: string,
  { callbacks, schemas }: FurtherTypes = {},
): Promise<string> {
  // openapi-typescript may modify its input.
  const copy = structuredClone({
    ...document,
    webhooks: { ...document.webhooks, ...callbacks },
    components: { ...document.components, schemas: { ...document.components?.schemas, ...schemas } },
  });
  const names = Object.keys(copy.components.schemas);
  prepare(copy, names);
  const nodes = await openapiTS(copy as unknown as OpenAPI3, {
    silent: true,
    readWriteMarkers: documentCarriesMarkers(document),
    defaultNonNullable: false,
  });
  return `${banner}\n${astToString([...withSchemaNames(nodes, names)])}`;
}

/** Rewrites the parts of a document that openapi-typescript handles wrongly. */
function prepare(value: unknown, components: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (isIdlyNullable(value)) delete value.nullable;
  if (isWrittenParameter(value)) withSchemaOfItsOwn(value);
  if (isDictionary(value)) value.additionalProperties = restOf(value);
  for (const [key, member] of Object.entries(value)) {
    if (key === 'discriminator' && isDiscriminator(member))
      member.mapping = referring(member.mapping, components);
    else if (key === 'responses') withoutExtensions(member);
    prepare(member, components);
  }
}

/** A mapping may name components (Discriminator Object), which become references here. Other values are left out. */
function referring(
  mapping: Readonly<Record<string, string>>,
  components: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([name, target]) => {
      if (components.includes(target)) return [[name, joinPointer('#/components/schemas', target)]];
      return target.startsWith('#/') ? [[name, target]] : [];
    }),
  );
}

/** A parameter with `content` would be typed as its text, but handlers get the value. */
function withSchemaOfItsOwn(parameter: { schema?: unknown; content?: object }): void {
  const [media] = Object.values(parameter.content ?? {}) as readonly { readonly schema?: unknown }[];
  delete parameter.content;
  parameter.schema = media?.schema ?? {};
}

/** Removes extensions among responses, which would be typed as responses. */
function withoutExtensions(responses: unknown): void {
  if (typeof responses !== 'object' || responses === null) return;
  for (const [key, member] of Object.entries(responses)) {
    if (key.startsWith('x-') && typeof member !== 'object') Reflect.deleteProperty(responses, key);
  }
}

/** OpenAPI 3.0.3: `nullable` adds null to `type`, and to nothing else. */
function isIdlyNullable(
  schema: object,
): schema is { nullable?: boolean; readonly type?: string; readonly enum?: readonly unknown[] } {
  if (!('nullable' in schema) || schema.nullable !== true) return false;
  const isWithoutNull = 'enum' in schema && Array.isArray(schema.enum) && !schema.enum.includes(null);
  return !('type' in schema) || isWithoutNull;
}

/** openapi-typescript does not know `unevaluatedProperties`; beside `additionalProperties` it has nothing left to look at. */
function isDictionary(value: object): value is Dictionary {
  if (!('unevaluatedProperties' in value) || 'additionalProperties' in value) return false;
  // A schema has the name of its type here; the properties of a schema may have these names too.
  const isSchema = 'type' in value && (typeof value.type === 'string' || Array.isArray(value.type));
  return isSchema && value.unevaluatedProperties !== false;
}

interface Dictionary {
  readonly unevaluatedProperties: unknown;
  additionalProperties?: unknown;
}

/** An index signature would hold for the evaluated properties as well, so beside these the others are unknown. */
function restOf(schema: Dictionary): unknown {
  const hasOthers = ['$ref', 'properties', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema);
  return hasOthers || schema.unevaluatedProperties;
}

function isWrittenParameter(value: object): value is { schema?: unknown; content?: object } {
  return (
    'in' in value && typeof value.in === 'string' && 'content' in value && typeof value.content === 'object'
  );
}

function isDiscriminator(value: unknown): value is { mapping: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'propertyName' in value && 'mapping' in value;
}
