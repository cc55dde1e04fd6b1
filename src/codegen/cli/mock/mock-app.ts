/** The mock of a contract behind Koa. */

import Koa from 'koa';
import type { OpenAPIBackend, Operation } from 'openapi-backend';
import { readNodeBody } from 'concordat/node';
import { Problem } from 'concordat';
import { isJson, mockAnswer, readPreference } from './mock-answer.js';
import { mockBackend } from './mock-backend.js';

export interface MockOptions {
  /** Whether a request that is not as the contract says is answered with 400. */
  readonly validate: boolean;
}

const MAX_BODY_BYTES = 1_048_576;

/**
 * Makes an application that answers every operation of a contract with its examples. What it refuses it answers with
 * `{ error }`, as the service does.
 *
 * @throws an error with a line for each fault of the contract, and its place
 *
 * @example
 * ```ts
 * (await mockApp('openapi.yaml', { validate: true })).listen(4010);
 * ```
 */
export async function mockApp(contract: string, { validate }: MockOptions): Promise<Koa> {
  const backend = await mockBackend(contract, validate);
  const app = new Koa();
  app.use(async (context) => {
    const operation = operationOf(backend, context);
    if (typeof operation === 'number') {
      refuse(context, operation, operation === 405 ? 'Method not allowed' : 'Not found');
      return;
    }
    const fault = validate ? await faultOf(backend, operation, context) : undefined;
    if (fault !== undefined) refuse(context, 400, fault);
    else answer(backend, operation, context);
  });
  return app;
}

/** The operation, or the status for a request that leads to none. */
function operationOf(backend: OpenAPIBackend, { method, path, url }: Koa.Context): Operation | number {
  // HEAD is answered wherever GET is (RFC 9110 §9.3.2); Node leaves the body out.
  const request = { method: method === 'HEAD' ? 'GET' : method, path: path || url, headers: {} };
  try {
    return backend.router.matchOperation(request, true);
  } catch (error) {
    return error instanceof Error && error.message.startsWith('405') ? 405 : 404;
  }
}

async function faultOf(
  backend: OpenAPIBackend,
  operation: Operation,
  context: Koa.Context,
): Promise<string | undefined> {
  const body = await bodyOf(context);
  if (body === undefined) return `body must be at most ${MAX_BODY_BYTES} bytes`;
  const { method, url, headers } = context;
  const request = { method, path: url, headers: definedHeaders(headers), body };
  const [error] = backend.validator.validateRequest(request, operation).errors ?? [];
  if (error === undefined) return undefined;
  const place = error.instancePath.slice(1).replace(/^requestBody/, 'body');
  return `${place} ${error.message ?? 'is not valid'}`.trim();
}

/** @returns undefined for a body that is too large, or breaks off */
async function bodyOf({ req }: Koa.Context): Promise<string | undefined> {
  try {
    return Buffer.from(await readNodeBody(req, MAX_BODY_BYTES)).toString();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function definedHeaders(headers: Koa.Context['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function answer(backend: OpenAPIBackend, operation: Operation, context: Koa.Context): void {
  const preference = readPreference(context.get('Prefer'));
  const acceptable = (types: readonly string[]): string | undefined =>
    context.accepts([...types]) || undefined;
  const mock = mockAnswer(backend, operation, preference, acceptable);
  if (mock === undefined) {
    refuse(context, 406, 'The contract has no such answer: see Prefer and Accept in the request');
    return;
  }
  context.status = mock.status;
  if (mock.content === undefined) {
    context.body = null;
    context.status = mock.status; // Koa takes a body of null for a 204
    return;
  }
  const { type, value } = mock.content;
  const isText = typeof value === 'string' && !isJson(type);
  context.set('Content-Type', type.includes('*') ? 'application/json' : type);
  context.body = isText ? value : JSON.stringify(value);
}

function refuse(context: Koa.Context, status: number, error: string): void {
  context.status = status;
  context.set('Content-Type', 'application/json');
  context.body = JSON.stringify({ error });
}
