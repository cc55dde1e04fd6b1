/** Requests and answers that the suites of the user operations share. */
import { expect } from 'chai';
import type { ServiceAnswer, TestService } from '../support/service.js';

/** A user record, as JSON. */
export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone?: string;
  readonly city?: string;
  readonly role: string;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly links?: { readonly orders: string };
  readonly orders?: readonly { readonly id: string; readonly total: number }[];
}

let count = 0;

/** Input for a user with a new email. */
export function userInput(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  count += 1;
  return { name: 'Ada Lovelace', email: `user${String(count)}@example.com`, ...fields };
}

/** Creates a user and returns the record. */
export async function createUser(
  service: TestService,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<UserRecord> {
  const answer = await service.post('/api/users', userInput(fields));
  expect(answer.status, answer.text).to.equal(201);
  return answer.body as UserRecord;
}

/** Asserts an error with this status and exactly this sentence. */
export function expectError(answer: ServiceAnswer, status: number, sentence: string): void {
  expect({ status: answer.status, body: answer.body }).to.deep.equal({ status, body: { error: sentence } });
}

/** Asserts an error with this status whose sentence contains all of these. */
export function expectErrorAbout(answer: ServiceAnswer, status: number, ...words: readonly string[]): void {
  expect(answer.status, answer.text).to.equal(status);
  const { error } = answer.body as { error: string };
  for (const word of words) expect(error).to.include(word);
}
