/** The entry point `@concordat/runtime/testing`: a client and checks for tests, from the contract. */

export { type GivenBody, type GivenResponse, ResponseChecker } from '../rest/responses/response-checker.js';
export { type ResponseProblem, sentenceOf } from '../rest/responses/response-problem.js';
export {
  type AnswerCheckOptions,
  type CheckedAnswer,
  answerChecker,
  answerProblems,
} from './answer-problems.js';
export { newDeviations, writeDeviations } from './known-deviations.js';
export { type CallOptions, type TestClient, testClient } from './test-client.js';
