/** Makes the request of a tool call from its arguments. */

import type { ToolOperation } from '../contract/tool-table.js';
import { writeParameters } from '../rest/encode/write-parameters.js';
import { writeExactJson } from '../http/response-writers.js';
import { type MemoryRequestParts, Problem } from '../index.js';
import { type Node, argumentOf } from './arguments.js';

const BODY = 'body';

/**
 * @param input - the schema of all arguments, with its definitions
 * @throws a 400 `Problem` for arguments that no request can carry
 */
export function requestOf(
  { method, path, parameters, body }: ToolOperation,
  input: Node,
  given: Node,
): MemoryRequestParts {
  const { properties } = input as { readonly properties: Node };
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  // The engine ignores an unknown query parameter, and a model would believe that the answer is filtered by it.
  if (unknown !== undefined) {
    const known = Object.keys(properties).join(', ');
    throw new Problem(400, `There is no argument ${unknown}: there are ${known === '' ? 'none' : known}`);
  }
  const valueOf = (name: string, hasShape: boolean): unknown =>
    Object.hasOwn(given, name) ? argumentOf(input, properties[name], name, given[name], hasShape) : undefined;
  const names = new Map(parameters.map(([name, notation]) => [notation, name]));
  const written = writeParameters(path, [...names.keys()], (notation) =>
    valueOf(names.get(notation) ?? '', true),
  );
  return {
    ...written,
    method,
    ...(body !== undefined &&
      Object.hasOwn(given, BODY) &&
      bodyPart(body, valueOf(BODY, false), written.headers)),
  };
}

function bodyPart(
  { mediaType, isJson }: NonNullable<ToolOperation['body']>,
  value: unknown,
  headers: MemoryRequestParts['headers'],
): Pick<MemoryRequestParts, 'body' | 'headers'> {
  if (!isJson && typeof value !== 'string') throw new Problem(400, `${BODY} must be string`);
  return {
    body: isJson ? writeExactJson(value) : (value as string),
    headers: { ...headers, 'content-type': mediaType },
  };
}
