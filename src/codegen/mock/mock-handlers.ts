/** Handlers that answer with the examples of a contract, for operations that are not written yet. */

import {
  type Answer,
  type CallContext,
  Problem,
  type RestContract,
  type Signatures,
  type UntypedHandler,
} from 'concordat';
import type { LoadOptions } from '../load/load.js';
import { readToEnd, runContract } from '../running/running-contract.js';
import { MockAnswers } from './mock-answers.js';
import { NO_SUCH_ANSWER } from './mock-engine.js';
import { preferenceOf } from './preference.js';

/** The part of the context that a mock reads. */
type MockContext = Pick<CallContext<unknown>, 'request' | 'mediaType'>;

/** A handler per operation, for any type of caller. The engine recognises them by `isMock`. */
export type MockHandlers<Handlers extends Signatures<Handlers>> = {
  readonly [Id in keyof Handlers]: ((request: unknown, context: MockContext) => ReturnType<Handlers[Id]>) & {
    readonly isMock: true;
  };
};

/**
 * Makes a handler for every operation of a contract that answers with its examples, or with values of its schemas. An engine accepts them
 * in place of missing handlers: it warns of them when it starts, marks their responses with `X-Mock: true`, and refuses to start with them
 * if `NODE_ENV` is `production`. A request chooses its answer with the header `Prefer`, as for `concordat mock`.
 *
 * @param document - the path of the contract, YAML or JSON
 * @param contract - the `contract` of the generated `routing.ts`
 * @param options - `allowOrigins` are the origins from which documents are fetched
 * @throws ContractError with every fault of the document
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
>(
  document: string,
  contract: RestContract<Id, string, Handlers>,
  options: LoadOptions = {},
): Promise<MockHandlers<Handlers>> {
  const running = await runContract(document, options);
  const answers = new MockAnswers(running);
  const handlers = Object.keys(contract.operations).map((id) => {
    if (running.contract.operations[id] === undefined) throw new Error(`${document} has no operation ${id}`);
    const handler = async (input: unknown, { request, mediaType }: MockContext): Promise<Answer> => {
      await readToEnd(input);
      const answer = answers.answer(id, { ...preferenceOf(request), mediaType });
      if (answer === undefined) throw new Problem(406, NO_SUCH_ANSWER);
      return answer;
    };
    return [id, Object.assign(handler, { isMock: true as const })];
  });
  // Each handler answers as the document declares, so it has the generated type.
  return Object.fromEntries(handlers) as MockHandlers<Handlers>;
}
