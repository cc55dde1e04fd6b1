/** Runs a contract with one handler for all its operations, and accepts every credential that does not begin with `wrong`. */

import {
  type Answer,
  type CallContext,
  type Encoder,
  type HttpHandler,
  Problem,
  type RestContract,
  type SecurityHandler,
  type SecurityScheme,
  restEngine,
} from 'concordat';
import { xmlEncoder } from 'concordat/xml';
import { isXml } from '../read/media-types.js';
import { readToEnd } from '../running/running-contract.js';

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

export function mockEngine(contract: RestContract, answerOf: AnswerOf): HttpHandler {
  const handler = mockOperation(answerOf);
  return restEngine<unknown, string, string>({
    contract,
    operations: mapped(contract.operations, () => handler),
    security: mapped(contract.securitySchemes, anybody),
    anonymous: undefined,
    encoders: encodersOf(contract),
    report: (error) => {
      console.error(error);
    },
  });
}

function mapped<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
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

/** Encoders for the media types that the engine does not write: XML, and JSON for all others, in which texts are written unchanged. */
function encodersOf({ operations, xmlNames }: RestContract): Record<string, Encoder> {
  const bodies = Object.values(operations)
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.entries(content));
  const others = bodies.filter(([, { kind }]) => kind === 'other').map(([mediaType]) => mediaType);
  const asXml = xmlEncoder(xmlNames);
  const asJson: Encoder = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(others.map((mediaType) => [mediaType, isXml(mediaType) ? asXml : asJson]));
}
