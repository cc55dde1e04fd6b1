/** What two implementations make of a request: the generated contract in our engine, and openapi-backend. */
import type { Document } from 'openapi-backend';
import { startBackend } from './start-backend.js';
import type { RestContract } from '../../../src/runtime/contract/contract.js';
import { memoryRequest } from '../../../src/runtime/http/memory-request.js';
import { restEngine } from '../../../src/runtime/rest/rest-engine.js';
import { Problem } from '../../../src/runtime/http/problem.js';
import { isNode, type Node } from '../../contract/contract-document.js';
import type { PlainRequest } from './random-requests.js';
import { unexpectedReport } from '../../support/unexpected-report.js';

/** What a request leads to. */
export interface Opinion {
  /** The operation, or the status for a request that leads to none. */
  readonly route: string | number;
  /** Whether the operation would be called. */
  readonly isAccepted: boolean;
}

const REACHED = 599;

/** Our opinion, without security: openapi-backend leaves that to its users. */
export function engineOpinion(contract: RestContract): (request: PlainRequest) => Promise<Opinion> {
  const ids = Object.keys(contract.operations);
  const engine = restEngine<undefined, unknown, string, string>({
    contract: {
      ...contract,
      operations: Object.fromEntries(
        Object.entries(contract.operations).map(([id, operation]) => [id, { ...operation, security: [] }]),
      ),
      securitySchemes: {},
    },
    operations: Object.fromEntries(
      ids.map((id) => [
        id,
        () => {
          throw new Problem(REACHED, id);
        },
      ]),
    ),
    security: {},
    anonymous: undefined,
    encoders: { 'application/xml': String },
    report: unexpectedReport,
  });
  return async ({ method, path, query, headers, body }) => {
    const bytes = Buffer.from(body ?? '');
    const { status } = await engine(
      memoryRequest({
        method,
        path,
        query,
        headers,
        body: bytes,
      }),
    );
    const targets = engine.findPath(path)?.targets;
    const operation = targets?.get(method) ?? (method === 'HEAD' ? targets?.get('GET') : undefined);
    return { route: operation?.id ?? status, isAccepted: status === REACHED };
  };
}

/** The second opinion, configured to be as strict as it can be. */
export async function backendOpinion(document: Node): Promise<(request: PlainRequest) => Opinion> {
  const backend = await startBackend(withoutSiblings(document) as Document, '2020-12');
  return ({ method, path, query, headers, body }) => {
    const request = { method, path: query === '' ? path : `${path}?${query}`, headers, body };
    const operation = matched(() => backend.router.matchOperation(request, true));
    if (typeof operation === 'number') return { route: operation, isAccepted: false };
    const route = operation.operationId ?? '';
    try {
      return { route, isAccepted: backend.validator.validateRequest(request, operation).valid };
    } catch (error) {
      // What it does with percent-encoding that is malformed.
      if (error instanceof URIError) return { route, isAccepted: false };
      throw error;
    }
  };
}

/** The operation, or the status that the router's error begins with. */
function matched<Operation>(match: () => Operation): Operation | number {
  try {
    return match();
  } catch (error) {
    const status = /^(404|405)-/.exec((error as Error).message)?.[1];
    if (status === undefined) throw error;
    return Number(status);
  }
}

/**
 * The same document without keywords beside a `$ref`: openapi-backend would drop them, where OpenAPI 3.1 has both apply
 * (JSON Schema 2020-12 §8.2.3.1).
 */
function withoutSiblings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSiblings);
  if (!isNode(value)) return value;
  const { $ref, ...others } = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutSiblings(member)]),
  );
  if (typeof $ref !== 'string') return value['$ref'] === undefined ? others : { $ref, ...others };
  return Object.keys(others).length === 0 ? { $ref } : { allOf: [{ $ref }, others] };
}
