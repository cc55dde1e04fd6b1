/** The mock of a contract, as a handler. */

import type { OpenAPIBackend, Operation } from 'openapi-backend';
import { type HttpHandler, type HttpRequest, type HttpResponse, Problem } from 'concordat';
import { acceptableTo, isJson, mockAnswer, preferenceOf } from './mock-answer.js';
import { mockBackend } from './mock-backend.js';
import { olderRequest, WHOLE_QUERY } from './older-document.js';

export interface MockOptions {
  /** Whether a request that does not fit the contract is answered with 400. */
  readonly validate: boolean;
}

const MAX_BODY_BYTES = 1_048_576;

/**
 * Makes a handler that answers every operation of a contract with its examples. Refused requests are answered with
 * `{ error }`, as the service does.
 *
 * @throws an error with one line per fault of the contract, and its place
 *
 * @example
 * ```ts
 * createServer(nodeTransport(await mockHandler('openapi.yaml', { validate: true }))).listen(4010);
 * ```
 */
export async function mockHandler(contract: string, { validate }: MockOptions): Promise<HttpHandler> {
  const backend = await mockBackend(contract, validate);
  return async (request) => {
    const operation = operationOf(backend, request);
    if (typeof operation === 'number') {
      return refusal(operation, operation === 405 ? 'Method not allowed' : 'Not found');
    }
    const fault = validate ? await faultOf(backend, operation, request) : undefined;
    return fault === undefined ? answer(backend, operation, request) : refusal(400, fault);
  };
}

/** The operation of a request, or the status of the refusal when there is none. */
function operationOf(backend: OpenAPIBackend, { method, path }: HttpRequest): Operation | number {
  // HEAD is answered wherever GET is (RFC 9110 §9.3.2); the transport leaves the body out.
  const request = { ...olderRequest(method === 'HEAD' ? 'GET' : method, path), headers: {} };
  try {
    return backend.router.matchOperation(request, true);
  } catch (error) {
    return error instanceof Error && error.message.startsWith('405') ? 405 : 404;
  }
}

async function faultOf(
  backend: OpenAPIBackend,
  operation: Operation,
  request: HttpRequest,
): Promise<string | undefined> {
  const body = await bodyOf(request);
  if (body === undefined) return `body must be at most ${MAX_BODY_BYTES} bytes`;
  const { method, path, query, headers } = request;
  const isUnchecked =
    operation.parameters?.some((each) => 'name' in each && each.name === WHOLE_QUERY) === true;
  const url = query === '' || isUnchecked ? path : `${path}?${query}`;
  const asked = { ...olderRequest(method, url), headers: definedHeaders(headers), body };
  const [error] = backend.validator.validateRequest(asked, operation).errors ?? [];
  if (error === undefined) return undefined;
  const place = error.instancePath.slice(1).replace(/^requestBody/, 'body');
  return `${place} ${error.message ?? 'is not valid'}`.trim();
}

/** @returns undefined for a body that is too large, or breaks off */
async function bodyOf(request: HttpRequest): Promise<string | undefined> {
  try {
    return Buffer.from(await request.readBody(MAX_BODY_BYTES)).toString();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function definedHeaders(headers: HttpRequest['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  );
}

function answer(backend: OpenAPIBackend, operation: Operation, request: HttpRequest): HttpResponse {
  const mock = mockAnswer(backend, operation, preferenceOf(request), acceptableTo(request));
  if (mock === undefined) {
    return refusal(406, 'The contract has no such answer: see Prefer and Accept in the request');
  }
  const { status, content } = mock;
  if (content === undefined) return { status, headers: {} };
  const { type, value } = content;
  return {
    status,
    headers: { 'Content-Type': type.includes('*') ? 'application/json' : type },
    body: typeof value === 'string' && !isJson(type) ? value : JSON.stringify(value),
  };
}

function refusal(status: number, error: string): HttpResponse {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ error }) };
}
