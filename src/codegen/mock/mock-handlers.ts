/** Handlers that answer with the examples of a contract, for operations that are not written yet. */

import type { Operation } from 'openapi-backend';
import {
  type Answer,
  type CallContext,
  type OperationContract,
  type RestContract,
  type Signatures,
  type UntypedHandler,
  Problem,
} from 'concordat';
import { acceptableTo, mockAnswer, preferenceOf } from './mock-answer.js';
import { mockBackend } from './mock-backend.js';
import { olderRequest } from './older-document.js';

/** What a mock looks at. */
type MockContext = Pick<CallContext<unknown>, 'request' | 'mediaType'>;

/** A handler per operation, for any type of caller. The engine recognises them by `isMock`. */
export type MockHandlers<Handlers extends Signatures<Handlers>> = {
  readonly [Id in keyof Handlers]: ((request: unknown, context: MockContext) => ReturnType<Handlers[Id]>) & {
    readonly isMock: true;
  };
};

/**
 * Makes a handler for every operation of a contract that answers with its examples. An engine takes them in the place of
 * handlers that are missing: it warns of them when it starts, marks their responses with `X-Mock: true`, and refuses to start
 * with them where `NODE_ENV` is `production`. A request chooses its answer with the header `Prefer`, as of `concordat mock`.
 *
 * @param document - the path of the contract, YAML or JSON
 * @param contract - the `contract` of the generated `routing.ts`
 * @throws an error with a line for each fault of the document
 *
 * @example
 * ```ts
 * const engine = restEngine({
 *   contract,
 *   operations: { ...(await mockHandlers('openapi.yaml', contract)), getUser },
 *   security,
 *   anonymous: undefined,
 *   report: console.error,
 * });
 * ```
 */
export async function mockHandlers<
  Id extends string,
  Handlers extends Signatures<Handlers> = Readonly<Record<Id, UntypedHandler>>,
>(document: string, contract: RestContract<Id, string, Handlers>): Promise<MockHandlers<Handlers>> {
  const backend = await mockBackend(document, false);
  const operations = backend.router.getOperations();
  const handlers = Object.entries<OperationContract>(contract.operations).map(([id, each]) => {
    const wanted = olderRequest(each.method, each.path);
    const found = operations.find(
      ({ method, path }) => method.toUpperCase() === wanted.method && path === wanted.path,
    );
    if (found === undefined) throw new Error(`${document} has no operation ${each.method} ${each.path}`);
    const handler = (_request: unknown, context: MockContext) => answerOf(found, each, context);
    return [id, Object.assign(handler, { isMock: true as const })];
  });
  // Each answers what the document declares, as the generated types say.
  return Object.fromEntries(handlers) as MockHandlers<Handlers>;

  function answerOf(
    operation: Operation,
    { responses }: OperationContract,
    { request, mediaType = '' }: MockContext,
  ): Answer {
    const accepts = acceptableTo(request);
    // The engine has refused a client that accepts nothing.
    const mock = mockAnswer(backend, operation, preferenceOf(request), (types) => accepts(types) ?? types[0]);
    if (mock === undefined) throw new Problem(406, 'The contract has no such answer: see Prefer');
    const { status, content } = mock;
    if (content === undefined) return { status };
    const { content: declared = {} } =
      responses[status] ?? responses[`${String(status).charAt(0)}XX`] ?? responses['default'] ?? {};
    const contentType = content.type.replace(/\s*;.*$/, '').toLowerCase();
    const kind = declared[contentType]?.kind;
    if (kind === 'items') throw new Problem(501, `Streams have no mock: ${contentType}`);
    const text = typeof content.value === 'string' ? content.value : JSON.stringify(content.value);
    return {
      status,
      // An encoder of the engine writes the value of the JSON.
      ...(declared[mediaType]?.kind !== 'other' && {
        contentType: contentType.includes('*') ? 'application/json' : contentType,
      }),
      body: kind === 'bytes' ? new TextEncoder().encode(text) : kind === 'text' ? text : content.value,
    };
  }
}
