/** Describes the operations of a contract as tools for models. */

import type { ParameterNotation, ToolOperation, ToolSchema, ToolTable } from '@concordat/runtime';
import { once, typesOf } from '@concordat/runtime/parts';
import type { LoadedContract } from '../../contract/load/load.js';
import { essenceOf, isJson } from '../../contract/model/media-types.js';
import type {
  ContractModel,
  MediaTypeModel,
  OperationModel,
  ParameterModel,
} from '../../contract/model/model.js';
import type { SchemaNode } from '../../contract/schemas/contract-schemas.js';
import {
  type Fields,
  type OpenApiDocument,
  type OperationObject,
  followed,
  isObject,
} from '../../contract/schemas/document.js';
import { freeName } from '../../text/identifiers.js';
import { joinPointer, resolvePointer, valueAt } from '../../text/pointer.js';
import { SchemaCopies } from './schema-copies.js';

/** Makes the table of tools of a contract that is loaded and read. */
export function toolTable(contract: {
  readonly loaded: Pick<LoadedContract, 'document'>;
  readonly model: ContractModel;
}): ToolTable {
  const { model } = contract;
  const { document } = contract.loaded;
  const { title, version, description } = (document.info ?? {}) as Fields;
  const inputs = new SchemaCopies(document);
  const outputs = new SchemaCopies(document, true);
  const operations = model.operations.map((operation) => toolOf(document, operation, inputs, outputs));
  const keyHeaders = Object.values(model.securitySchemes).flatMap((scheme: unknown) => {
    const { type, in: place, name } = isObject(scheme) ? scheme : {};
    return type === 'apiKey' && place === 'header' && typeof name === 'string' ? [name.toLowerCase()] : [];
  });
  return {
    title: String(title),
    version: String(version),
    ...(typeof description === 'string' && { description }),
    keyHeaders,
    operations,
    inputs: inputs.definitions(),
    outputs: outputs.definitions(),
  };
}

function toolOf(
  document: OpenApiDocument,
  operation: OperationModel,
  inputs: SchemaCopies,
  outputs: SchemaCopies,
): ToolOperation {
  const { id, method, path, tags, pointer } = operation;
  const written = resolvePointer(document, pointer) as OperationObject;
  const { summary, description } = written;
  const sentences = [summary, description]
    .filter((each) => typeof each === 'string')
    .map((each) => each.trim());
  return {
    id,
    method,
    path,
    tags,
    ...(typeof summary === 'string' && { title: summary }),
    description: sentences.length > 0 ? sentences.join('\n\n') : `${method} ${path}`,
    ...inputOf(document, operation, written, inputs),
    ...outputOf(operation, outputs),
  };
}

/** The cache conditions: a model has no cached answer. */
const NOT_ARGUMENTS = new Set(['if-none-match', 'if-modified-since']);

const BODY = 'body';

/**
 * The arguments of an operation. They are flat, because models fill flat arguments best. A parameter keeps its name, unless another
 * location or the body has the same one; then its location comes first, as in `query_id`.
 */
function inputOf(
  document: OpenApiDocument,
  operation: OperationModel,
  { requestBody }: OperationObject,
  copies: SchemaCopies,
): Pick<ToolOperation, 'input' | 'parameters' | 'body' | 'unfit'> {
  const offers = operation.requestBody?.content ?? [];
  const body = offers.find(isJsonOffer) ?? offers.find(({ key }) => key.toLowerCase().startsWith('text/'));
  const models = operation.parameters.filter(
    (each) => each.in !== 'header' || !NOT_ARGUMENTS.has(each.name.toLowerCase()),
  );
  const named = [...models.map(({ name }) => name), ...(body ? [BODY] : [])];
  const isUnique = (name: string): boolean => named.indexOf(name) === named.lastIndexOf(name);
  const taken = new Set(named.filter(isUnique));
  const entries = models.map((model) => {
    const { name } = model;
    return [isUnique(name) ? name : freeName(`${model.in}_${name}`, taken), model] as const;
  });
  const refers = new Set<string>();
  const properties = entries.map(([name, { node, at }]): readonly [string, Fields] => [
    name,
    described(copies.copyObject(node.schema, refers), valueAt(document, at)),
  ]);
  if (body !== undefined) {
    // The node of a sequence is that of its items.
    const schema = copies.copyObject(valueAt(document, joinPointer(body.at, 'schema')) ?? {}, refers);
    properties.push([BODY, described(schema, followed(document, requestBody))]);
  }
  const isRequired = operation.requestBody?.required === true;
  const required = entries.filter(([, model]) => model.required).map(([name]) => name);
  if (body !== undefined && isRequired) required.push(BODY);
  const types = offers.map(({ key }) => key).join(', ');
  return {
    input: {
      schema: {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      },
      refers: [...refers],
    },
    parameters: entries.map(([name, model]) => [name, notationOf(model)] as const),
    ...(body && { body: { mediaType: sentType(body), isJson: isJsonOffer(body) } }),
    ...(body === undefined &&
      isRequired && { unfit: `a tool sends JSON or text, and the operation takes ${types}` }),
  };
}

/** Replaces the description of a schema with that of its parameter or body, which is more specific. */
function described(schema: Fields, holder: unknown): Fields {
  const description = isObject(holder) ? holder['description'] : undefined;
  return typeof description === 'string' ? { ...schema, description } : schema;
}

function notationOf({ in: location, name, style, explode, fields }: ParameterModel): ParameterNotation {
  return {
    in: location,
    name,
    ...(style && { style }),
    ...(explode !== undefined && { explode }),
    ...(fields && { fields }),
  };
}

/** Whether a media type is JSON, or a range in which a client may choose it. */
function isJsonOffer({ key }: MediaTypeModel): boolean {
  const essence = essenceOf(key);
  return isJson(essence) || essence === 'application/*' || essence === '*/*';
}

/** The media type of a body. Of a range, the client chooses one. */
function sentType(body: MediaTypeModel): string {
  if (!body.key.includes('*')) return body.key;
  return isJsonOffer(body) ? 'application/json' : 'text/plain';
}

/** The schema of a result must describe an object (MCP, "Output Schema"), and every success must match it. */
function outputOf(
  { method, responses }: OperationModel,
  copies: SchemaCopies,
): Pick<ToolOperation, 'output' | 'accept'> {
  const chosen = responses
    .filter(({ status }) => status.startsWith('2'))
    .map(({ content }) => content.find(isJsonOffer) ?? content[0]);
  const types = [...new Set(chosen.flatMap((each) => each?.key ?? []))];
  const output = method === 'HEAD' ? undefined : objectSchema(chosen, copies);
  return { ...(output && { output }), ...(types.length > 0 && { accept: types.join(', ') }) };
}

function objectSchema(
  chosen: readonly (MediaTypeModel | undefined)[],
  copies: SchemaCopies,
): ToolSchema<Fields> | undefined {
  const nodes = chosen.map((each) => (each !== undefined && isJsonOffer(each) ? each.node : undefined));
  const [first] = nodes;
  if (
    first === undefined ||
    !nodes.every((each) => JSON.stringify(each?.schema) === JSON.stringify(first.schema))
  )
    return undefined;
  // A reference is replaced by its target, so that clients find the properties at the top level.
  const node = Object.keys(first.object).join() === '$ref' ? first.target : first;
  if (!once(node, isOnlyObject)) return undefined;
  const refers = new Set<string>();
  return { schema: copies.copyObject(node.schema, refers), refers: [...refers] };
}

function isOnlyObject({ schema, schemas }: SchemaNode): boolean {
  return [...typesOf(schema, (reference) => schemas.at(reference).schema)].join() === 'object';
}
