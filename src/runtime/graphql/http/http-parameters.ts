/** Reads the parameters of a GraphQL request from an HTTP request. */

import type { HttpRequest } from '../../http/message.js';
import { charsetOf, essenceOf } from '../../http/media-type.js';
import { Problem } from '../../http/problem.js';
import { decodeUtf8 } from '../../http/read-body.js';
import { type GraphqlParameters, readParameters } from '../document/parameters.js';

/** @throws a 400 `Problem` for a query string without valid parameters */
export function parametersOfQuery(query: string): GraphqlParameters {
  const search = new URLSearchParams(query);
  const once = (name: string): string | undefined => {
    const [value, another] = search.getAll(name);
    if (another !== undefined) throw new Problem(400, `The parameter ${name} must be given once`);
    return value;
  };
  return readParameters({
    query: once('query'),
    documentId: once('documentId'),
    operationName: once('operationName') || undefined,
    variables: parseJson('variables', once('variables')),
    extensions: parseJson('extensions', once('extensions')),
  });
}

function parseJson(name: string, text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, `The parameter ${name} must be a JSON object`);
  }
}

/**
 * Reads the parameters of a JSON body. Its media type must be JSON, which prevents cross-site request forgery: a page of another
 * site cannot make a browser send that type without a preflight (Fetch, "CORS-safelisted request-header").
 *
 * @throws a 400, 413 or 415 `Problem`
 */
export async function parametersOfBody(request: HttpRequest, limit: number): Promise<GraphqlParameters> {
  requireJson(request.headers['content-type']);
  const bytes = await request.readBody(limit);
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(bytes) ?? '');
  } catch {
    // The parser's message repeats a piece of the body, which may be secret.
    throw new Problem(400, 'The body must be valid JSON in UTF-8');
  }
  return readParameters(value);
}

function requireJson(contentType: string | readonly string[] | undefined): void {
  if (contentType === 'application/json') return;
  const isJson = typeof contentType === 'string' && essenceOf(contentType) === 'application/json';
  const charset = isJson ? charsetOf(contentType) : undefined;
  if (!isJson || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')) {
    throw new Problem(415, 'The body must be application/json in UTF-8', {
      'Accept-Post': 'application/json',
    });
  }
}
