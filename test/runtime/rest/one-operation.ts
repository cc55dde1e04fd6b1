/** An engine of one operation with simple defaults, for tests of a single step. */
import type { OperationContract, RestContract } from '../../../src/runtime/contract/contract.js';
import { type MemoryRequestParts, memoryRequest } from '../../../src/runtime/http/memory-request.js';
import type { HttpRequest, HttpResponse } from '../../../src/runtime/http/message.js';
import {
  type RestEngine,
  restEngine,
  type RestEngineOptions,
} from '../../../src/runtime/rest/rest-engine.js';
import type { CallContext, DecodedRequest } from '../../../src/runtime/rest/operation/handler.js';
import { bodyCodecs } from '../../../src/runtime/rest/operation/forms-and-streams.js';
import { Problem } from '../../../src/runtime/http/problem.js';

/** Who calls, in these tests. */
export type Who = string;

/** A handler whose answer the types do not bound: tests send what compiled code never would. */
export type LooseHandler = (request: DecodedRequest, context: CallContext<Who>) => unknown;

export type OneOperationOptions = Partial<Omit<RestEngineOptions<Who>, 'contract' | 'operations'>> & {
  readonly operation?: Partial<OperationContract>;
  readonly securitySchemes?: RestContract['securitySchemes'];
  readonly handler?: LooseHandler;
};

/** An engine, and the errors that it masked. */
export interface OneOperation extends RestEngine<Who> {
  readonly reported: readonly unknown[];
  /** Sends `POST /thing` unless the request says otherwise. */
  send(request?: RequestDraft): Promise<HttpResponse>;
}

/** The service's own error, which `explain` knows. */
export class ServiceError extends Error {}

const HANDLED = { status: 200, body: 'handled' };

export function oneOperation(options: OneOperationOptions = {}): OneOperation {
  const { operation, securitySchemes = {}, handler = () => HANDLED, ...others } = options;
  const contract: OperationContract = {
    method: 'POST',
    path: '/thing',
    security: [],
    responses: { '200': { content: { 'application/json': { kind: 'json' } } } },
    ...operation,
  };
  const [literal = ''] = contract.path.split('/').slice(1);
  const reported: unknown[] = [];
  const engine = restEngine<Who, unknown, string, string>({
    contract: {
      operations: { doIt: contract },
      paths: { literals: { [literal]: { operations: { [contract.method]: 'doIt' } } } },
      securitySchemes,
      xmlNames: {},
      bodyCodecs,
    },
    operations: { doIt: handler },
    security: {},
    anonymous: 'nobody',
    explain: (error) => (error instanceof ServiceError ? new Problem(409, error.message) : undefined),
    report: (error) => void reported.push(error),
    ...others,
  });
  return Object.assign(engine, {
    reported,
    send: async (draft?: RequestDraft) => await engine(requestOf({ path: contract.path, ...draft })),
  });
}

/** A request in brief. */
export interface RequestDraft extends MemoryRequestParts {
  readonly readBody?: HttpRequest['readBody'];
}

export function requestOf({ readBody, ...parts }: RequestDraft = {}): HttpRequest {
  const request = memoryRequest({ method: 'POST', path: '/thing', ...parts });
  return readBody === undefined ? request : Object.defineProperty(request, 'readBody', { value: readBody });
}

/** Problem details as the engine writes them, without `errors`. */
export function problem(status: number, title: string, detail: string): object {
  return { type: 'about:blank', title, status, detail };
}

/** The body of a problem or of a JSON answer. */
export function bodyOf({ body }: HttpResponse): unknown {
  return JSON.parse(String(body as string | Uint8Array));
}
