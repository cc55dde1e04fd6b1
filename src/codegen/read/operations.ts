/** Reads every operation of a document into the model that the generated files are written from. */

import type { Json, Method } from '../../engine/contract.js';
import type { ContractModel, HeaderModel, OperationModel, ResponseModel } from '../model.js';
import type { MethodName, OperationObject, PathItem, Referenced, ResponseObject } from '../openapi.js';
import { readContent, readRequestBody } from './bodies.js';
import { derivedId, typeNames } from './names.js';
import { readParameters } from './parameters.js';
import { type Located, type Reader } from './reader.js';
import { readSecurity, readSecuritySchemes } from './security.js';
import { joinPointer } from '../schemas/pointer.js';

const METHODS: readonly MethodName[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Extensions that the generator itself reads; the others reach the service as `extensions`. */
const OWN_EXTENSIONS = new Set(['x-lenient']);

type OperationDraft = Omit<OperationModel, 'typeName'>;

/**
 * The whole contract.
 *
 * @throws when two operations share an operationId, or a parameter and a path template do not fit
 */
export function readContract(reader: Reader): ContractModel {
  const { paths = {}, webhooks = {} } = reader.document;
  return {
    operations: named(
      Object.entries(paths).flatMap(([path, item]) =>
        readPathItem(reader, path, item, joinPointer('#/paths', path)),
      ),
    ),
    webhooks: named(
      Object.entries(webhooks).flatMap(([name, item]) =>
        readPathItem(reader, name, item, joinPointer('#/webhooks', name)),
      ),
    ),
    securitySchemes: readSecuritySchemes(reader),
    xmlNames: readXmlNames(reader),
  };
}

function readXmlNames(reader: Reader): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(reader.document.components?.schemas ?? {}).flatMap(([name, schema]) => {
      const xmlName = typeof schema === 'object' ? schema.xml?.name : undefined;
      return xmlName === undefined ? [] : [[name, xmlName]];
    }),
  );
}

function named(drafts: readonly OperationDraft[]): readonly OperationModel[] {
  const names = typeNames(drafts);
  return drafts.map((draft) => ({ ...draft, typeName: names.get(draft.id) ?? draft.id }));
}

function readPathItem(
  reader: Reader,
  path: string,
  declared: Referenced<PathItem>,
  at: string,
): readonly OperationDraft[] {
  const pathItem = reader.follow(declared, at);
  if (/[?#]/.test(path)) {
    reader.gap('path-with-query', at, 'a request is matched by its path alone, so this path is never found');
  }
  if (pathItem.value.servers !== undefined) noteServers(reader, pathItem.at);
  return METHODS.flatMap((method) => {
    const value = pathItem.value[method];
    return value === undefined
      ? []
      : [readOperation(reader, path, method, pathItem, { value, at: joinPointer(pathItem.at, method) })];
  });
}

function readOperation(
  reader: Reader,
  path: string,
  method: MethodName,
  pathItem: Located<PathItem>,
  operation: Located<OperationObject>,
): OperationDraft {
  const { value, at } = operation;
  if (value.servers !== undefined) noteServers(reader, at);
  if (value.callbacks !== undefined) {
    reader.gap(
      'callbacks',
      joinPointer(at, 'callbacks'),
      'requests that the service would send are described only as types',
    );
  }
  const template = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const requestBody = readRequestBody(reader, value.requestBody, joinPointer(at, 'requestBody'));
  return {
    id: value.operationId ?? derivedId(method, path),
    method: method.toUpperCase() as Method,
    path,
    pointer: at,
    summary: value.summary ?? '',
    deprecated: value.deprecated === true,
    parameters: readParameters(reader, pathItem, operation, template),
    ...(requestBody && { requestBody }),
    responses: Object.entries(value.responses ?? {}).map(([status, response]) =>
      readResponse(reader, status, response, joinPointer(at, 'responses', status)),
    ),
    security: readSecurity(reader, value.security ?? reader.document.security ?? [], at),
    extensions: extensionsOf(value),
  };
}

function readResponse(
  reader: Reader,
  status: string,
  declared: Referenced<ResponseObject>,
  at: string,
): ResponseModel {
  const { value, at: place } = reader.follow(declared, at);
  const component = /^#\/components\/responses\/([^/]+)$/.exec(place)?.[1];
  return {
    ...(component !== undefined && { component }),
    status: /^[1-5]xx$/i.test(status) ? status.toUpperCase() : status,
    description: value.description ?? '',
    headers: Object.entries(value.headers ?? {}).flatMap(([name, header]): readonly HeaderModel[] => {
      // "If a response header is defined with the name Content-Type, it SHALL be ignored" (Response Object).
      if (name.toLowerCase() === 'content-type') return [];
      const { value: declaredHeader, at: headerAt } = reader.follow(
        header,
        joinPointer(place, 'headers', name),
      );
      return [
        {
          name,
          required: declaredHeader.required === true,
          explode: declaredHeader.explode === true,
          ...(declaredHeader.schema !== undefined && { schema: declaredHeader.schema }),
          schemaAt: joinPointer(headerAt, 'schema'),
        },
      ];
    }),
    content: readContent(reader, value.content ?? {}, joinPointer(place, 'content'), 'response'),
  };
}

function extensionsOf(operation: OperationObject): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(operation).filter(([key]) => key.startsWith('x-') && !OWN_EXTENSIONS.has(key)),
  ) as Record<string, Json>;
}

function noteServers(reader: Reader, at: string): void {
  reader.gap(
    'servers',
    joinPointer(at, 'servers'),
    'a path or operation with servers of its own is served like the others',
  );
}
