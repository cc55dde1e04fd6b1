/** The parameters of a GraphQL request over any transport (GraphQL over HTTP, "Request Parameters"). */

import { Problem } from '../../http/problem.js';
import type { Variables } from '../compiler/query-inputs.js';

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
  if (!isMap(value)) throw new Problem(400, 'The request must be a JSON object');
  const { query, documentId, operationName, variables, extensions } = value;
  if (extensions != null && !isMap(extensions)) throw invalidParameter('extensions', 'a JSON object');
  if (variables != null && !isMap(variables)) throw invalidParameter('variables', 'a JSON object');
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
  const hash = isMap(persisted) ? persisted['sha256Hash'] : undefined;
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

/** A JSON object. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
