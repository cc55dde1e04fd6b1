/** Compiles the input of a tool: one argument per parameter of its operation, and `body`. */

import type { ParameterLocation, ParameterStyle } from '../contract/contract.js';
import { type ParameterNotation, writeParameters } from '../rest/encode/write-parameters.js';
import { writeExactJson } from '../http/response-writers.js';
import { type MemoryRequestParts, Problem } from '../index.js';
import { argumentOf } from './arguments.js';
import { type DocumentOperation, type Node, entriesOf, isNode, resolve } from './openapi-document.js';
import { SchemaCopies } from './schema-copies.js';

export interface ToolInput {
  readonly schema: ObjectSchema;
  /** @throws a 400 `Problem` for arguments that no request can carry */
  readonly requestOf: (given: Node) => MemoryRequestParts;
}

export type ObjectSchema = Node & { readonly type: 'object' };

/** Headers that OpenAPI describes elsewhere (Parameter Object), and cache conditions: a model has no cached answer. */
const NOT_ARGUMENTS = new Set('accept content-type authorization if-none-match if-modified-since'.split(' '));

const BODY = 'body';

/**
 * Compiles the arguments of an operation. They are flat, because models fill flat arguments best. A parameter keeps its name,
 * unless another location or the body has the same one; then its location comes first, as in `query_id`.
 *
 * @throws when the operation requires a body that is neither JSON nor text
 */
export function compileInput(document: Node, operation: DocumentOperation): ToolInput {
  const copies = new SchemaCopies(document);
  const body = bodyOf(document, operation);
  const parameters = operation.parameters.filter(
    (each) => each['in'] !== 'header' || !NOT_ARGUMENTS.has(String(each['name']).toLowerCase()),
  );
  const taken = [...parameters.map(({ name }) => name), ...(body ? [BODY] : [])];
  const entries = parameters.map((parameter) => {
    const notation = notationOf(parameter);
    const isUnique = taken.indexOf(notation.name) === taken.lastIndexOf(notation.name);
    const name = isUnique ? notation.name : `${notation.in}_${notation.name}`;
    return { name, notation, parameter };
  });
  const properties: Record<string, unknown> = {};
  for (const { name, parameter } of entries) {
    properties[name] = described(copies.copyObject(schemaOf(parameter)), parameter['description']);
  }
  if (body !== undefined) properties[BODY] = described(copies.copyObject(body.schema), body.description);
  const required = entries.filter(({ parameter }) => parameter['required'] === true).map(({ name }) => name);
  if (body?.isRequired) required.push(BODY);

  const names = Object.keys(properties);
  const byNotation = new Map(entries.map((each) => [each.notation, each]));
  return {
    schema: copies.withDefinitions({
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }),
    requestOf: (given) => {
      const unknown = Object.keys(given).find((name) => !names.includes(name));
      // The engine ignores an unknown query parameter, and a model would believe that the answer is filtered by it.
      if (unknown !== undefined) throw new Problem(400, unknownArgument(unknown, names));
      const written = writeParameters(operation.path, [...byNotation.keys()], (notation) => {
        const entry = byNotation.get(notation);
        const value = entry && valueOf(given, entry.name);
        return value === undefined || entry === undefined
          ? undefined
          : argumentOf(document, schemaOf(entry.parameter), entry.name, value, true);
      });
      return {
        ...written,
        method: operation.method,
        ...(body !== undefined &&
          Object.hasOwn(given, BODY) &&
          bodyPart(body, argumentOf(document, body.schema, BODY, given[BODY], false), written.headers)),
      };
    },
  };
}

function valueOf(given: Node, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

function bodyPart(
  { mediaType, isJson }: Body,
  value: unknown,
  headers: MemoryRequestParts['headers'],
): Pick<MemoryRequestParts, 'body' | 'headers'> {
  if (!isJson && typeof value !== 'string') throw new Problem(400, `${BODY} must be string`);
  return {
    body: isJson ? writeExactJson(value) : (value as string),
    headers: { ...headers, 'content-type': mediaType },
  };
}

function unknownArgument(name: string, names: readonly string[]): string {
  const known = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
  return `There is no argument ${name}: ${known}`;
}

interface Body {
  readonly mediaType: string;
  readonly isJson: boolean;
  readonly schema: unknown;
  readonly description: unknown;
  readonly isRequired: boolean;
}

function bodyOf(document: Node, { node }: DocumentOperation): Body | undefined {
  if (node['requestBody'] === undefined) return undefined;
  const { content, description, required } = resolve(document, node['requestBody']);
  const offers = entriesOf(content);
  const chosen =
    offers.find(([type]) => isJsonType(type)) ??
    offers.find(([type]) => type.toLowerCase().startsWith('text/'));
  if (chosen === undefined) {
    if (required !== true) return undefined;
    throw new Error(
      `a tool sends JSON or text, and the operation takes ${offers.map(([type]) => type).join(', ')}`,
    );
  }
  const [type, media] = chosen;
  const isJson = isJsonType(type);
  return {
    // For a range, the client chooses the media type.
    mediaType: type.includes('*') ? (isJson ? 'application/json' : 'text/plain') : type,
    isJson,
    schema: isNode(media) ? (media['schema'] ?? {}) : {},
    description,
    isRequired: required === true,
  };
}

/** Whether a media type or range is or includes JSON. */
export function isJsonType(mediaType: string): boolean {
  const essence = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  return /^(?:application\/json|application\/\*|\*\/\*|.+\+json)$/.test(essence);
}

function notationOf({ in: location, name, style, explode, content }: Node): ParameterNotation {
  const place = location as ParameterLocation;
  const common = { in: place, name: String(name) };
  if (content !== undefined) {
    const isForm = isNode(content) && 'application/x-www-form-urlencoded' in content;
    return place === 'querystring' && isForm ? { ...common, fields: {} } : common;
  }
  const byDefault = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const chosen = (style ?? byDefault) as ParameterStyle;
  return { ...common, style: chosen, explode: typeof explode === 'boolean' ? explode : chosen === 'form' };
}

function schemaOf({ schema, content }: Node): unknown {
  if (schema !== undefined) return schema;
  const [, media] = entriesOf(content)[0] ?? [];
  return (isNode(media) ? media['schema'] : undefined) ?? {};
}

/** Replaces the description of a schema with that of the parameter, which is more specific. */
function described(schema: Node, description: unknown): Node {
  return typeof description === 'string' ? { ...schema, description } : schema;
}
