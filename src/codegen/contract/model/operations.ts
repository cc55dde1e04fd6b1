/** Reads every operation of a document into the model that the generated files are written from. */

import { METHODS as NODE_METHODS } from 'node:http';
import type { Json, Method } from '@concordat/runtime';
import type { ContractModel, OperationDraft, OperationModel } from './model.js';
import {
  itemOperations,
  basePathOf,
  type OperationObject,
  type PathItem,
  type Referenced,
  elements,
  isObject,
} from '../schemas/document.js';
import { readRequestBody } from './bodies.js';
import { withNames } from '../../text/identifiers.js';
import { callbacksOf, readOutgoing } from './outgoing.js';
import { readParameters } from './parameters.js';
import type { Located, Reader } from './reader.js';
import { declaresSuccess, readResponses } from './responses.js';
import { readSecurity, readSecuritySchemes, undeclaredSchemes } from './security.js';
import { joinPointer } from '../../text/pointer.js';
import { isXml } from './media-types.js';
import type { LeftOperation } from '../load/chosen-part.js';
import { visitObjects } from '../schemas/document-structure.js';

/** Extensions that the generator itself reads; the others reach the service as `extensions`. */
const OWN_EXTENSIONS = new Set(['x-lenient', 'x-stream', 'x-body-limit']);

/**
 * Reads the whole contract. The reader collects unsupported features and faults.
 *
 * @param left - the operations of the contract that are not in the reader's document
 */
export function readContract(reader: Reader, left: readonly LeftOperation[] = []): ContractModel {
  const { paths = {} } = reader.document;
  const typeNames = new Set<string>();
  const firsts = new Map<string, ServedPath>();
  const drafts = Object.entries(paths).flatMap(([path, item]) => {
    // There may be extensions among the paths.
    if (!path.startsWith('/')) return [];
    const at = joinPointer('#/paths', path);
    notePath(reader, path, at);
    return servedOnce(reader, firsts, path, at, readPathItem(reader, path, item, at, false));
  });
  const operations = withNames(drafts, typeNames);
  noteSharedIds(reader, operations);
  return {
    operations,
    left: withNames([...drafts, ...left]).slice(drafts.length),
    ...readOutgoing(reader, operations, typeNames, readPathItem),
    securitySchemes: { ...readSecuritySchemes(reader), ...undeclaredSchemes(reader, operations) },
    xmlNames: readXmlNames(reader, operations),
    extensions: extensionsOf(reader, reader.document, '#'),
  };
}

/** A path, and its operations by method. */
interface ServedPath {
  readonly path: string;
  readonly methods: Set<Method>;
}

/**
 * Leaves out the operations of a path that are also those of an earlier path.
 *
 * @param firsts - the earlier paths, by their templates without the names of parameters
 */
function servedOnce(
  reader: Reader,
  firsts: Map<string, ServedPath>,
  path: string,
  at: string,
  operations: readonly OperationDraft[],
): readonly OperationDraft[] {
  const template = path.replaceAll(/\{[^}]+\}/g, '{}');
  const first = firsts.get(template) ?? { path, methods: new Set() };
  firsts.set(template, first);
  if (first.path !== path) {
    const message = `the path differs only by the names of parameters from ${first.path}, with which it is one path`;
    reader.unsupported('same-path', at, message);
  }
  return operations.filter(({ method, pointer }) => {
    if (!first.methods.has(method)) return first.methods.add(method);
    reader.unsupported('same-path', pointer, `${method} ${first.path} is served, and this operation is not`);
    return false;
  });
}

/** Reports operations with the operationId of an earlier one, such as those of a path item that two paths share. */
function noteSharedIds(
  reader: Reader,
  operations: readonly (OperationDraft & Pick<OperationModel, 'id'>)[],
): void {
  const firsts = new Map<string, string>();
  for (const { id, operationId, method, path, pointer } of operations) {
    if (operationId === undefined) continue;
    const first = firsts.get(operationId);
    const message = `${String(first)} has the operationId ${operationId} too, so that this operation is called ${id}`;
    if (first === undefined) firsts.set(operationId, `${method} ${path}`);
    else reader.unsupported('duplicate-operation-id', joinPointer(pointer, 'operationId'), message);
  }
}

function readPathItem(
  reader: Reader,
  path: string,
  declared: Referenced<PathItem>,
  at: string,
  isSent: boolean,
): readonly OperationDraft[] {
  const pathItem = reader.attempt(() => reader.follow(declared, at));
  if (pathItem === undefined) return [];
  noteServers(reader, pathItem);
  return operationsOf(reader, pathItem).flatMap(({ method, ...operation }) => {
    noteMethod(reader, method, operation.at);
    // A fault in one operation must not hide the faults of the next.
    return reader.attempt(() => readOperation(reader, path, method, pathItem, operation, isSent)) ?? [];
  });
}

/** The operations of a path item. Before 3.2, `query` and `additionalOperations` have no meaning. */
function operationsOf(
  reader: Reader,
  { value, at }: Located<PathItem>,
): readonly (Located<OperationObject> & { readonly method: Method })[] {
  return itemOperations(value)
    .filter(
      ({ names: [field] }) => reader.isVersion32 || (field !== 'query' && field !== 'additionalOperations'),
    )
    .map(({ method, names, operation }) => ({ method, value: operation, at: joinPointer(at, ...names) }));
}

/** Node's parser refuses a request with an unknown method, and CONNECT opens a tunnel. */
function noteMethod(reader: Reader, method: Method, at: string): void {
  if (method !== 'CONNECT' && (method === 'QUERY' || NODE_METHODS.includes(method))) return;
  reader.unsupported('method', at, `an HTTP server of Node does not accept the method ${method}`);
}

function notePath(reader: Reader, path: string, at: string): void {
  if (/[?#]/.test(path)) {
    const message = 'a request is matched by its path alone, so this path is never found';
    reader.unsupported('path-with-query', at, message);
  }
  try {
    decodeURIComponent(path);
  } catch {
    reader.fault('invalid-structure', at, 'the path is not valid percent-encoding');
  }
}

function readOperation(
  reader: Reader,
  path: string,
  method: Method,
  pathItem: Located<PathItem>,
  operation: Located<OperationObject>,
  isSent: boolean,
): OperationDraft {
  const { value, at } = operation;
  noteServers(reader, operation);
  const template = [...(isSent ? '' : path).matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const requestBody = readRequestBody(reader, operation);
  const parameters = readParameters(reader, pathItem, operation, template);
  const responsesAt = joinPointer(at, 'responses');
  // The service reads the responses to the requests that it sends.
  const direction = isSent ? 'request' : 'response';
  const responses = readResponses(reader, value.responses ?? {}, responsesAt, direction);
  if (!declaresSuccess(responses)) reader.unsupported('no-success', responsesAt, 'it declares no success');
  return {
    operationId: value.operationId,
    method,
    path,
    isSent,
    pointer: at,
    summary: value.summary ?? openingOf(value.description),
    tags: elements(value.tags).map(String),
    deprecated: value.deprecated === true,
    parameters,
    ...(requestBody && { requestBody }),
    responses,
    security: readSecurity(reader, value.security ?? reader.document.security ?? [], at),
    callbacks: callbacksOf(reader, value.callbacks, joinPointer(at, 'callbacks')),
    extensions: extensionsOf(reader, value, at),
  };
}

/** The extensions of a document or an operation. A bridge between versions makes headers from `x-deprecation`. */
function extensionsOf(
  reader: Reader,
  object: Readonly<Record<`x-${string}`, Json>>,
  at: string,
): Readonly<Record<string, Json>> {
  const { 'x-deprecation': deprecation } = object;
  const fault = deprecation === undefined ? undefined : deprecationFault(deprecation);
  if (fault !== undefined) reader.fault('invalid-extension', joinPointer(at, 'x-deprecation'), fault);
  return Object.fromEntries(
    Object.entries(object).filter(([key]) => key.startsWith('x-') && !OWN_EXTENSIONS.has(key)),
  );
}

function deprecationFault(given: Json): string | undefined {
  if (!isObject(given)) return 'it must be an object with date, sunset or successor';
  const { date, sunset, successor, ...others } = given;
  const [other] = Object.keys(others);
  if (other !== undefined) return `it has date, sunset and successor, but no ${other}`;
  // An invalid date is that of 1970, and a day too many that of the next month.
  const isDay = (day: unknown): boolean =>
    day === new Date(Date.parse(`${String(day)}T00:00:00Z`) || 0).toISOString().slice(0, 10);
  for (const [name, day] of Object.entries({ date, sunset }))
    if (day !== undefined && !isDay(day)) return `${name} must be a day, such as 2027-12-31`;
  if (successor !== undefined && (typeof successor !== 'string' || !/^[^\s<>"{}|\\^`]+$/.test(successor)))
    return 'successor must be the address of one resource, such as /v2/users';
  const isLate = typeof date === 'string' && typeof sunset === 'string' && sunset < date;
  return isLate ? 'its sunset is before its date' : undefined;
}

/** Reports servers with another path than that of the contract. Those with its path are other addresses of this service. */
function noteServers(reader: Reader, { value: { servers }, at }: Located<PathItem | OperationObject>): void {
  if (servers === undefined) return;
  // The default of an empty list is the root.
  const paths = elements(servers).length === 0 ? [''] : elements(servers).map(basePathOf);
  const served = basePathOf(reader.document.servers?.[0]) ?? '';
  if (paths.every((path) => path === served)) return;
  const message = 'separate servers of a path or operation are ignored';
  reader.unsupported('servers', joinPointer(at, 'servers'), message);
}

/** The first sentence of a description, for an operation without a summary. */
function openingOf(description = ''): string {
  const [line = ''] = description.trim().split('\n');
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}

/**
 * The element names of component schemas. Encoders get only these names, so other XML Objects are not supported in a
 * contract that uses XML.
 */
function readXmlNames(
  reader: Reader,
  operations: readonly OperationModel[],
): Readonly<Record<string, string>> {
  const schemas = Object.entries(reader.document.components?.schemas ?? {});
  if (operations.some(answersXml)) {
    visitObjects(reader.document, 'document', ({ xml }, kind, at) => {
      if (kind === 'schema' && isObject(xml)) noteXmlForm(reader, xml, at);
    });
  }
  return Object.fromEntries(
    schemas.flatMap(([name, schema]) => {
      const xmlName = typeof schema === 'object' ? schema.xml?.name : undefined;
      return xmlName === undefined ? [] : [[name, xmlName]];
    }),
  );
}

function answersXml({ responses }: OperationModel): boolean {
  return responses.some(({ content }) => content.some(({ mediaType }) => isXml(mediaType)));
}

function noteXmlForm(reader: Reader, xml: object, schemaAt: string): void {
  const isComponent = /^#\/components\/schemas\/[^/]+$/.test(schemaAt);
  // A document has one root, so an array at the root is always wrapped.
  const heard = isComponent ? ['name', 'wrapped'] : [];
  const unheard = Object.keys(xml).filter((key) => !heard.includes(key) && !key.startsWith('x-'));
  if (unheard.length === 0) return;
  const message = `XML is written without these parts of the contract (${unheard.join(', ')})`;
  reader.unsupported('xml-form', joinPointer(schemaAt, 'xml'), message);
}
