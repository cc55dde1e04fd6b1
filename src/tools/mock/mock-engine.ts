/** Runs a contract with one handler for all its operations, and accepts every credential that does not begin with `wrong`. */

import {
  type Answer,
  type CallContext,
  Problem,
  type RestContract,
  type RestEngine,
  type SecurityHandler,
  type SecurityScheme,
} from '@concordat/runtime';
import { xmlEncoder } from '@concordat/runtime/xml';
import { readToEnd, uniformEngine } from '../running/uniform-engine.js';

/** Makes the answer of an operation; undefined if the contract has no such answer. */
export type AnswerOf = (context: CallContext<unknown>) => Answer | undefined;

/** A handler that reads the request to its end before it answers. */
export function mockOperation<Context>(answerOf: (context: Context) => Answer | undefined) {
  return async (input: unknown, context: Context): Promise<Answer> => {
    await readToEnd(input);
    const answer = answerOf(context);
    if (answer === undefined)
      throw new Problem(406, 'The contract has no such answer: see Prefer in the request');
    return answer;
  };
}

export function mockEngine(contract: RestContract, answerOf: AnswerOf): RestEngine<unknown> {
  const asXml = xmlEncoder(contract.xmlNames);
  return uniformEngine<unknown>(contract, {
    handler: mockOperation(answerOf),
    security: anybody,
    anonymous: undefined,
    // XML, and JSON for all others, in which texts are written unchanged.
    encoder: (mediaType) => (/[/+]xml$/.test(mediaType) ? asXml : asJson),
    report: (error) => {
      console.error(error);
    },
  });
}

function asJson(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function anybody(scheme: SecurityScheme): SecurityHandler<unknown> {
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
  return {
    missing: 'A credential is missing: the mock takes any that does not begin with "wrong"',
    authenticate: (credential, { scopes }) => {
      const text = isBasic ? Buffer.from(credential, 'base64').toString() : credential;
      if (text.startsWith('wrong')) return { refused: 'A credential that begins with "wrong" is refused' };
      return { caller: undefined, scopes };
    },
  };
}
