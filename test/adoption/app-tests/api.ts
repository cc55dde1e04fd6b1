/** The client of the black-box tests: it sends to the instance that was started for the test. */

import { expect } from 'chai';
import { type HttpAnswer, type HttpRequest, send } from '../../support/send.js';

export type Api = (request: HttpRequest) => Promise<HttpAnswer>;

/** @param url - where the instance of the running test is */
export const apiOf =
  (url: () => string): Api =>
  (request) =>
    send(url(), request);

/** The body of a JSON answer with this status. */
export function read(answer: HttpAnswer, status: number): unknown {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
  return JSON.parse(answer.text);
}

/** The same, where it is an object. */
export const readObject = (answer: HttpAnswer, status: number): Record<string, unknown> =>
  read(answer, status) as Record<string, unknown>;

/** The answer is an error of the application's format. */
export function expectError(answer: HttpAnswer, status: number, code: string): Record<string, unknown> {
  const body = readObject(answer, status);
  expect(body['code']).to.equal(code);
  expect(body['message']).to.be.a('string').and.not.equal('');
  expect(Object.keys(body)).to.satisfy((keys: string[]) =>
    keys.every((key) => ['code', 'message', 'details'].includes(key)),
  );
  return body;
}

/** The members that the details of a validation error name. */
export const fieldsOf = (error: Record<string, unknown>): unknown[] =>
  (error['details'] as { field: string }[]).map(({ field }) => field);

/** The answer has no body. */
export function expectEmpty(answer: HttpAnswer, status: number): void {
  expect(answer.status, answer.text).to.equal(status);
  expect(answer.text).to.equal('');
  expect(answer.headers).not.to.have.property('content-type');
}
