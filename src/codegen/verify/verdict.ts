/** Holds an answer against the contract: the rules that a server may break. */

import type { Reach } from '../running/running-contract.js';
import type { Answer } from './send-request.js';

/** Each rule, with what breaks it. */
export const RULES = {
  'no-answer': 'the connection ends, or nothing comes in time',
  'server-error': 'a status from 500 on',
  'undeclared-status': 'a valid request is answered by a status that the operation does not declare',
  'wrong-answer': 'the media type, the headers or the body are not those of the declared response',
  'valid-refused': 'a valid request is refused by a status that says that it is not',
  'broken-accepted': 'a request that the contract refuses is answered by a success or a redirect',
  lost: 'what was created cannot be read',
  'not-deleted': 'what was deleted can be read',
} as const;

export type Rule = keyof typeof RULES;

export interface Finding {
  readonly rule: Rule;
  /** One sentence without a full stop. */
  readonly message: string;
}

/** Refusals that depend on the caller and on the state of the server, which the contract does not know. */
const OF_STATE: ReadonlySet<number> = new Set([401, 403, 404, 409, 410, 412, 423, 428, 429]);

/** What a server may say of an id that leads to nothing. */
const INVALID: ReadonlySet<number> = new Set([400, 422]);

const UNDECLARED = /does not declare this status$/;

/**
 * @param reach - what an engine of the contract does with the request
 * @param problems - those of the answer, by the checker of `concordat/testing`
 * @param refersToNothing - whether the request has an id of another resource that may not exist
 */
export function findingOf(
  reach: Reach,
  answer: Answer,
  problems: readonly string[],
  refersToNothing: boolean,
): Finding | undefined {
  if ('failure' in answer) return { rule: 'no-answer', message: answer.failure };
  const { status, headers } = answer;
  const code = String(status);
  if (status >= 500) return { rule: 'server-error', message: `it is answered by ${code}` };
  const [problem] = problems;
  if ('refusal' in reach) {
    const [refusal] = reach.refusal.split(' ');
    if (status < 400) {
      return {
        rule: 'broken-accepted',
        message: `the contract refuses it: ${reach.refusal}; it is answered by ${code}`,
      };
    }
    if (refusal === '405') {
      // RFC 9110 §15.5.6
      const isSilent = status === 405 && headers['allow'] === undefined;
      return isSilent ? { rule: 'wrong-answer', message: '405 has no header Allow' } : undefined;
    }
    if (problem === undefined || UNDECLARED.test(problem)) return undefined;
    return { rule: 'wrong-answer', message: `${code}: ${problem}` };
  }
  if (problem !== undefined && UNDECLARED.test(problem)) {
    return { rule: 'undeclared-status', message: `it is answered by ${code}, which is not declared` };
  }
  const isOfState = OF_STATE.has(status) || (refersToNothing && INVALID.has(status));
  if (status >= 400 && !isOfState) {
    return { rule: 'valid-refused', message: `the contract takes it; it is answered by ${code}` };
  }
  return problem === undefined ? undefined : { rule: 'wrong-answer', message: `${code}: ${problem}` };
}
