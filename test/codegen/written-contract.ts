/** Writes small contracts into files, for tests that need many of them. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractError, type ContractProblem, type GenerateOptions, generate } from 'concordat';

/** A document that has what every contract must have, and the given parts. */
export function documentOf(parts: object, openapi = '3.1.0'): object {
  return { openapi, info: { title: 'Small', version: '1.0.0' }, paths: {}, ...parts };
}

/** A document with one operation, `POST /a`. */
export function operationOf(operation: object, others: object = {}, openapi = '3.1.0'): object {
  const post = { operationId: 'a', responses: { 204: { description: 'Nothing' } }, ...operation };
  return documentOf({ paths: { '/a': { post } }, ...others }, openapi);
}

/** A document with one operation that takes one parameter. */
export function parameterOf(parameter: object, openapi = '3.1.0'): object {
  return operationOf({ parameters: [{ name: 'p', in: 'query', ...parameter }] }, {}, openapi);
}

/** A document with one operation that takes a body of one media type. */
export function bodyOf(mediaType: string, media: object, others: object = {}, openapi = '3.1.0'): object {
  return operationOf({ requestBody: { content: { [mediaType]: media } } }, others, openapi);
}

/** A document with one component schema, which its operation takes as JSON. */
export function schemaOf(schema: object, others: object = {}, openapi = '3.1.0'): object {
  const components = { schemas: { A: schema, ...others } };
  const media = { schema: { $ref: '#/components/schemas/A' } };
  return bodyOf('application/json', media, { components }, openapi);
}

/** A document as it is written, a member a line. */
export function textOf(document: object | string): string {
  return typeof document === 'string' ? document : JSON.stringify(document, undefined, 1);
}

/** What is generated from a document, with all files for clients and other libraries, or from the text of one; rejects where generation stops. */
export async function generated(
  document: object | string,
  accept: readonly string[] = [],
  options: Pick<GenerateOptions, 'values'> = {},
): Promise<Readonly<Record<string, string>>> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-small-'));
  try {
    const file = join(directory, 'openapi.json');
    await writeFile(file, textOf(document));
    return await generate({ openapi: file, accept, clientTypes: true, standardSchemas: true, ...options });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The error that generation stops with; undefined when it does not. */
export async function stopOf(
  document: object | string,
  accept: readonly string[] = [],
  options: Pick<GenerateOptions, 'values'> = {},
): Promise<ContractError | undefined> {
  try {
    await generated(document, accept, options);
    return undefined;
  } catch (error) {
    // Anything else has no place, and is never the answer.
    if (error instanceof ContractError) return error;
    throw error;
  }
}

/** What generation stops for; nothing where it does not. */
export async function problemsOf(
  document: object | string,
  accept: readonly string[] = [],
  options: Pick<GenerateOptions, 'values'> = {},
): Promise<readonly ContractProblem[]> {
  return (await stopOf(document, accept, options))?.problems ?? [];
}
