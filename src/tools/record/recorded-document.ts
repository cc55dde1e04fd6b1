/** Makes an OpenAPI 3.1 document of a recording. */

import { STATUS_CODES } from 'node:http';
import {
  type MediaTypeObject,
  type OperationObject,
  type ParameterObject,
  type Schema,
  freeName,
} from 'concordat/contract';
import { isJsonType } from './observed/observed-body.js';
import { camel, operationName, templateOf } from './observed/names.js';
import type { RecordedOperation } from './observed/recorded-operation.js';
import type { WriteOptions } from './observed/observed-text.js';
import { ObservedValue, PlaceBudget } from './observed/observed-value.js';
import type { RecordedPath } from './observed-paths.js';
import type { Recording } from './recording.js';
import type { CredentialPlace } from './observed/credentials.js';

interface DocumentOptions extends Pick<WriteOptions, 'enums' | 'examples' | 'isKnown'> {
  readonly title: string;
  /** The path that the paths follow; empty if there is none. */
  readonly basePath: string;
  /** Paths whose parameters have names already. */
  readonly templates?: readonly string[];
  /** The operationIds that are taken. */
  readonly taken?: Iterable<string>;
}

/** The document as plain data. */
export interface RecordedDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, CredentialPlace>>;
  };
}

/** The common format of errors, to which all their bodies refer. */
export const ERROR = '#/components/schemas/Error';

export function recordedDocument(recording: Recording, options: DocumentOptions): RecordedDocument {
  const paths = recording.paths();
  const write: WriteOptions = {
    ...options,
    isSecret: (text) => recording.secrets.isIn(text),
    isShared: (callers) => callers.areSeveralOf(recording.callers),
    isSecretName: (name) => recording.secrets.isCredential(name),
  };
  const taken = new Set(options.taken);
  const errors = commonError(paths);
  const schemes = new Map<string, CredentialPlace>();
  const items = paths.map((path) => {
    const found = templateOf(path.segments);
    const template = options.templates?.find((each) => shapeOf(each) === shapeOf(found)) ?? found;
    const operations = [...path.operations].map(([method, operation]) => {
      const id = freeName(operationName(method, path.segments), taken);
      const responses = responsesOf(operation, write, errors?.types ?? []);
      const parameters = [...pathParameters(template, path, write), ...operation.queryParameters(write)];
      const requestBody = method === 'GET' || method === 'HEAD' ? undefined : operation.requestBody(write);
      const tag = path.segments.find((segment) => segment !== undefined && segment !== '');
      const described: OperationObject & { readonly 'x-recorded': true } = {
        operationId: id,
        ...(tag !== undefined && { tags: [tag] }),
        'x-recorded': true,
        security: securityOf(operation, schemes),
        ...(parameters.length > 0 && { parameters }),
        ...(requestBody !== undefined && { requestBody }),
        responses,
      };
      return [method.toLowerCase(), described] as const;
    });
    return [template, Object.fromEntries(operations)] as const;
  });
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: '0.1.0' },
    ...(options.basePath !== '' && { servers: [{ url: options.basePath }] }),
    paths: Object.fromEntries(items),
    components: {
      schemas: { ...(errors !== undefined && { Error: errors.value.schema(write) }) },
      securitySchemes: Object.fromEntries([...schemes].sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

/** Two templates that differ in the names of their parameters are the same path. */
export const shapeOf = (template: string): string => template.replaceAll(/\{[^}]*\}/g, '{}');

function pathParameters(
  template: string,
  { values }: RecordedPath,
  write: WriteOptions,
): readonly ParameterObject[] {
  return [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = ''], index) => ({
    name,
    in: 'path',
    required: true,
    schema: values[index]?.asAny(write) ?? { type: 'string' },
  }));
}

interface CommonError {
  readonly value: ObservedValue;
  /** The media types of its bodies. */
  readonly types: readonly string[];
}

/** The errors of all operations merged, if they have a member in common: then a new error most likely has it as well. */
function commonError(paths: readonly RecordedPath[]): CommonError | undefined {
  const merged = new ObservedValue(new PlaceBudget(10_000));
  const types = new Set<string>();
  let operations = 0;
  for (const operation of paths.flatMap((path) => [...path.operations.values()])) {
    const bodies = [...operation.errorBodies()];
    if (bodies.length > 0) operations += 1;
    for (const { value, type } of bodies) {
      merged.merge(value);
      types.add(type);
    }
  }
  const isCommon = operations > 1 && merged.common.length > 0;
  return isCommon ? { value: merged, types: [...types].sort() } : undefined;
}

function responsesOf(
  operation: RecordedOperation,
  write: WriteOptions,
  errorTypes: readonly string[],
): NonNullable<OperationObject['responses']> {
  const responses = [...operation.responses(write)].map(([status, { content, ...response }]) => {
    const shared = errorTypes.length > 0 && status >= 400;
    const described = {
      description: STATUS_CODES[status] ?? `Status ${status}`,
      ...response,
      ...(content !== undefined && { content: shared ? withSharedError(content) : content }),
    };
    return [String(status), described] as const;
  });
  const byDefault = {
    description: 'Any other error',
    content: Object.fromEntries(errorTypes.map((type) => [type, { schema: { $ref: ERROR } }])),
  };
  return { ...Object.fromEntries(responses), ...(errorTypes.length > 0 && { default: byDefault }) };
}

type Content = Readonly<Record<string, MediaTypeObject>>;

function withSharedError(content: Content): Content {
  const errors = Object.entries(content).filter(
    ([type, { schema }]) => isJsonType(type) && schema !== undefined,
  );
  return { ...content, ...Object.fromEntries(errors.map(([type]) => [type, { schema: { $ref: ERROR } }])) };
}

/** The security requirements, by the credentials of the requests that were accepted. */
function securityOf(
  { credentials }: RecordedOperation,
  schemes: Map<string, CredentialPlace>,
): NonNullable<OperationObject['security']> {
  // Accepted without any credential.
  if (credentials.every((places) => places.length === 0)) return [];
  return credentials.map((places) => {
    const named = places.map((place) => {
      const name = schemeName(schemes, place);
      schemes.set(name, place);
      return [name, []] as const;
    });
    return Object.fromEntries(named);
  });
}

function schemeName(schemes: ReadonlyMap<string, CredentialPlace>, place: CredentialPlace): string {
  // `bearerAuth`, `basicAuth`, and for keys their name.
  const ofKey = place.type === 'http' ? '' : camel(place.name) + (place.in === 'cookie' ? 'Cookie' : '');
  const base = place.type === 'http' ? `${place.scheme}Auth` : ofKey;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}${number}`;
    const known = schemes.get(name);
    if (known === undefined || JSON.stringify(known) === JSON.stringify(place)) return name;
  }
}
