/** The parts of an OpenAPI 3.0, 3.1 or 3.2 document that the generator reads, as readonly data, and the keywords that the loader writes into schemas. */

import type { Json, ParameterLocation, ParameterStyle, SecurityScheme } from '@concordat/runtime';
import { isObject } from '@concordat/runtime/parts';
import { valueAt } from '../../text/pointer.js';

export { isObject };

/** Documents by the URI that `$ref`s name, without a fragment. */
export type Remotes = Readonly<Record<string, unknown>>;

export type Referenced<T> = T | Reference;

interface Reference {
  readonly $ref: string;
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';
}

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value that a chain of references leads to; undefined if it leads nowhere, or back to itself. */
export function followed<T>(document: unknown, value: Referenced<T> | undefined): T | undefined {
  const seen = new Set<unknown>();
  let found: unknown = value;
  while (isReference(found) && !seen.has(found)) {
    seen.add(found);
    found = valueAt(document, found.$ref);
  }
  return isReference(found) ? undefined : (found as T | undefined);
}

/** Specification extensions; the index is wide because every object may carry them. */
interface Extensible {
  readonly [extension: `x-${string}`]: Json;
}

/** One self-contained document: every `$ref` is a pointer into it. */
export interface OpenApiDocument extends Extensible {
  readonly openapi: string;
  /** The texts that are valid: `lenient` accepts others, and documents that are only compared or served may have others. */
  readonly info?: { readonly title?: string; readonly version?: string };
  readonly paths?: Readonly<Record<string, Referenced<PathItem>>>;
  readonly webhooks?: Readonly<Record<string, Referenced<PathItem>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, Referenced<SecurityScheme>>>;
  };
  readonly security?: readonly SecurityRequirementObject[];
  readonly servers?: readonly unknown[];
  readonly jsonSchemaDialect?: string;
}

/** The methods that a Path Item has fields for; `query` from 3.2. */
export const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const;

type MethodName = (typeof METHODS)[number];

export type PathItem = Extensible & {
  readonly parameters?: readonly Referenced<ParameterObject>[];
  readonly servers?: readonly unknown[];
  /** 3.2: operations by method, spelled as the method is sent. */
  readonly additionalOperations?: Readonly<Record<string, OperationObject>>;
} & { readonly [M in MethodName]?: OperationObject };

/** An operation of a path item. */
export interface ItemOperation {
  /** As requests spell it. */
  readonly method: string;
  /** The names that lead from the path item to the operation. */
  readonly names: readonly string[];
  readonly operation: OperationObject;
}

export function itemOperations(item: PathItem): readonly ItemOperation[] {
  const further = entries(item.additionalOperations) as readonly (readonly [string, OperationObject])[];
  return [
    ...METHODS.flatMap((name): readonly ItemOperation[] => {
      const operation = item[name];
      return operation === undefined ? [] : [{ method: name.toUpperCase(), names: [name], operation }];
    }),
    ...further.map(([method, operation]) => ({ method, names: ['additionalOperations', method], operation })),
  ];
}

/** A copy of a path item in which operations are changed, or left out if the change is undefined. */
export function withOperations(
  item: PathItem,
  change: (each: ItemOperation) => OperationObject | undefined,
): PathItem {
  const copy: Record<string, unknown> = { ...item, additionalOperations: undefined };
  const further: Record<string, OperationObject> = {};
  for (const each of itemOperations(item)) {
    const [field = '', method] = each.names;
    const changed = change(each);
    if (method === undefined) copy[field] = changed;
    else if (changed !== undefined) further[method] = changed;
  }
  if (Object.keys(further).length > 0) copy['additionalOperations'] = further;
  return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined)) as PathItem;
}

export interface OperationObject extends Extensible {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Referenced<ParameterObject>[];
  readonly requestBody?: Referenced<RequestBodyObject>;
  readonly responses?: Readonly<Record<string, Referenced<ResponseObject>>>;
  readonly security?: readonly SecurityRequirementObject[];
  readonly servers?: readonly unknown[];
  readonly callbacks?: Readonly<Record<string, Referenced<Readonly<Record<string, Referenced<PathItem>>>>>>;
}

export type SecurityRequirementObject = Readonly<Record<string, readonly string[]>>;

export interface ParameterObject extends Extensible {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly description?: string;
  readonly required?: boolean;
  readonly allowEmptyValue?: boolean;
  readonly allowReserved?: boolean;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly schema?: Schema;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

export type HeaderObject = Omit<ParameterObject, 'name' | 'in'>;

interface RequestBodyObject extends Extensible {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaTypeObject>>;
}

export interface MediaTypeObject extends Extensible {
  readonly schema?: Schema;
  readonly encoding?: Readonly<Record<string, EncodingObject>>;
  /** 3.2: the schema of each item of a sequential media type, and how the parts of a multipart body are encoded. */
  readonly itemSchema?: Schema;
  readonly prefixEncoding?: readonly EncodingObject[];
  readonly itemEncoding?: EncodingObject;
}

export interface EncodingObject extends Extensible {
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
}

export interface ResponseObject extends Extensible {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Referenced<HeaderObject>>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

/** A schema of any version; a boolean is a schema from 3.1. */
export type Schema = boolean | SchemaObject;

export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly unevaluatedProperties?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly xml?: { readonly name?: string };
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  readonly [keyword: string]: unknown;
}

/** The path of a Server Object's URL, without a `/` at its end; undefined for a URL that is not valid. A variable has its default. */
export function basePathOf(server: unknown): string | undefined {
  if (!isObject(server) || typeof server['url'] !== 'string') return undefined;
  const variables = isObject(server['variables']) ? server['variables'] : {};
  const url = server['url'].replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isObject(variable) && typeof variable['default'] === 'string' ? variable['default'] : whole;
  });
  if (url.includes('{') || !URL.canParse(url, 'http://localhost')) return undefined;
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '');
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

export const NO_SCOPE: DynamicScope = new Map();

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
