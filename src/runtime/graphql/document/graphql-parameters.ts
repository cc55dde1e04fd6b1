/** The parameters of a GraphQL request over any transport (GraphQL over HTTP, "Request Parameters"), and how HTTP sends them. */

import { isObject } from '../../failures/json-value.js';
import { Problem } from '../../http/problem.js';
import type { Variables } from '../compiler/graphql-values.js';
import type { HttpRequest } from '../../http/message.js';
import { charsetOf, essenceOf } from '../../http/media-type.js';
import { decodeUtf8, requireIdentity } from '../../http/read-body.js';

/** The parameters of one request. A transport that receives them as JSON reads them with {@link readParameters}. */
export interface GraphqlParameters {
  /** The document's source. */
  readonly query?: string | undefined;
  /** The id of a trusted document, instead of `query`. */
  readonly documentId?: string | undefined;
  /** The name of the operation to run; required when the document has several. */
  readonly operationName?: string | undefined;
  readonly variables?: Variables | undefined;
}

/**
 * Reads the parameters from a JSON value, such as the body of a POST or the payload of a subscribe message. A parameter
 * that is null is absent, and unknown parameters are ignored.
 *
 * @throws a 400 `Problem` that names a parameter of the wrong type, or for a list of requests
 */
export function readParameters(value: unknown): GraphqlParameters {
  if (Array.isArray(value)) throw new Problem(400, 'Batches are not supported: send one request at a time');
  if (!isObject(value)) throw new Problem(400, 'The request must be a JSON object');
  const { query, documentId, operationName, variables, extensions } = value;
  if (extensions != null && !isObject(extensions)) throw invalidParameter('extensions', 'a JSON object');
  if (variables != null && !isObject(variables)) throw invalidParameter('variables', 'a JSON object');
  const source = optionalString('query', query);
  const id = optionalString('documentId', documentId) ?? persistedHash(extensions);
  if (source === undefined && id === undefined) throw new Problem(400, 'The parameter query is missing');
  return {
    query: source,
    documentId: id,
    operationName: optionalString('operationName', operationName),
    variables: variables ?? undefined,
  };
}

/** The id of a document, in the form in which Apollo's clients send it. */
function persistedHash(extensions: Variables | null | undefined): string | undefined {
  const persisted = extensions?.['persistedQuery'];
  const hash = isObject(persisted) ? persisted['sha256Hash'] : undefined;
  return typeof hash === 'string' ? hash : undefined;
}

function optionalString(name: string, value: unknown): string | undefined {
  if (value == null) return undefined;
  if (typeof value !== 'string') throw invalidParameter(name, 'a string');
  return value;
}

function invalidParameter(name: string, type: string): Problem {
  return new Problem(400, `The parameter ${name} must be ${type}`);
}

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
  requireIdentity(request.headers);
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
