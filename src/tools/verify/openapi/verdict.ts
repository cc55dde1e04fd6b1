/** Checks an answer against the contract. */

import { type ResponseProblem, sentenceOf } from '@concordat/runtime/testing';
import type { Reach } from '../../running/running-contract.js';
import { type Finding, OF_STATE, leakIn } from '../run/verify-report.js';
import type { Answer } from '../run/server.js';

/** Statuses with which a server may refuse a reference to a missing resource. */
const INVALID: ReadonlySet<number> = new Set([400, 422]);

/**
 * @param reach - the outcome that the contract requires for the request
 * @param problems - the answer's problems, found by the checker of `@concordat/runtime/testing`
 * @param refersToNothing - whether the request refers to another resource that may not exist
 * @param isRecorded - whether the contract describes the requests by samples alone, so that it may take too many
 */
export function findingOf(
  reach: Reach,
  answer: Answer,
  problems: readonly ResponseProblem[],
  refersToNothing: boolean,
  isRecorded = false,
): Finding | undefined {
  if ('failure' in answer) return { rule: 'no-answer', message: answer.failure };
  const { status, headers } = answer;
  const code = String(status);
  if (status >= 500) return { rule: 'server-error', message: `it is answered by ${code}` };
  const leak = status >= 400 ? leakIn(answer.text) : undefined;
  if (leak !== undefined) return { rule: 'leaked', message: `${code} reveals: ${leak}` };
  // Samples do not show whether `Accept` chose the media type, or a parameter.
  const [problem] = problems.filter(({ kind }) => !isRecorded || kind !== 'missing-vary');
  const isUndeclared = problem?.kind === 'undeclared-status';
  if ('refusal' in reach) {
    const { refusal } = reach;
    if (status < 400) {
      return {
        rule: 'broken-accepted',
        message: `the contract refuses it: ${refusal.sentence}; it is answered by ${code}`,
      };
    }
    if (refusal.status === 405) {
      // RFC 9110 §15.5.6
      const isSilent = status === 405 && headers['allow'] === undefined;
      return isSilent ? { rule: 'wrong-answer', message: '405 has no header Allow' } : undefined;
    }
    if (problem === undefined || isUndeclared) return undefined;
    return { rule: 'wrong-answer', message: `${code}: ${sentenceOf(problem)}` };
  }
  if (isUndeclared) {
    return { rule: 'undeclared-status', message: `it is answered by ${code}, which is not declared` };
  }
  const isOfState = OF_STATE.has(status) || (refersToNothing && INVALID.has(status));
  if (status >= 400 && !isOfState && !isRecorded) {
    return { rule: 'valid-refused', message: `the contract takes it; it is answered by ${code}` };
  }
  return problem && { rule: 'wrong-answer', message: `${code}: ${sentenceOf(problem)}` };
}
