/** The entry point `concordat/testing`: a client and checks for tests, from the contract. */

export { type AnswerCheckOptions, type CheckedAnswer, answerProblems } from './answer-problems.js';
export { type CallOptions, type TestClient, testClient } from './test-client.js';
