/** The sandbox of paths that a test writes, and short names for their parts. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryRequest } from '@concordat/runtime';
import { handlerOf, sandboxOf } from '../../../src/tools/mock/mock-handlers.js';
import { runContract } from '../../../src/tools/running/running-contract.js';

export interface Shown {
  readonly status: number;
  readonly mark: unknown;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Send = (method: string, target: string, value?: unknown, accept?: string) => Promise<Shown>;

export const text = { type: 'string' };
export const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
export const answer = (schema: object) => ({
  description: 'Done',
  content: { 'application/json': { schema } },
});
export const sent = (schema: object) => ({ content: { 'application/json': { schema } } });
export const inPath = (name: string, schema: object = text) => ({ name, in: 'path', required: true, schema });
export const inQuery = (name: string, schema: object = text) => ({ name, in: 'query', schema });

/** The sandbox of some paths. */
export async function sandboxed(
  paths: object,
  schemas: object = {},
): Promise<{ send: Send; lines: readonly string[] }> {
  const info = { title: 'A', version: '1' };
  const document = { openapi: '3.1.0', info, paths, components: { schemas } };
  const directory = await mkdtemp(join(tmpdir(), 'concordat-sandbox-'));
  const file = join(directory, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const running = await runContract(file);
  await rm(directory, { recursive: true });
  const sandbox = sandboxOf(running);
  const mock = handlerOf(file, running, undefined, sandbox);
  const send: Send = async (method, target, value, accept) => {
    const [path = '', query = ''] = target.split('?');
    const headers = {
      host: 'localhost:3000',
      ...(value === undefined ? {} : { 'content-type': 'application/json' }),
      ...(accept !== undefined && { accept }),
    };
    const body = value === undefined ? {} : { body: JSON.stringify(value) };
    const {
      status,
      headers: given,
      body: own,
    } = await mock(memoryRequest({ method, path, query, headers, ...body }));
    const isJson = String(given['Content-Type']).includes('json');
    const json = isJson && typeof own === 'string' && own !== '' ? (JSON.parse(own) as Shown['body']) : {};
    return { status, mark: given['X-Mock'], body: json };
  };
  return { send, lines: sandbox.explained() };
}
