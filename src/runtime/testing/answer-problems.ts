/** Checks answers of any server, received by any client, against a contract. */

import type { OperationContract, ResponseChecks, RestContract } from '../contract/contract.js';
import type { HttpRequest } from '../http/message.js';
import { bodyCodecs } from '../rest/operation/forms-and-streams.js';
import { type PathMatch, compilePaths } from '../rest/operation/path-matcher.js';
import { ResponseChecker } from '../rest/responses/response-checker.js';
import { type ResponseProblem, sentenceOf } from '../rest/responses/response-problem.js';

/** An answer with its body. */
export interface CheckedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** Whether the client stopped reading a stream before its end. */
  readonly isCut?: boolean;
}

export interface AnswerCheckOptions<Id extends string = string> {
  /** The `contract` of the generated `routing.ts`. */
  readonly contract: Pick<RestContract<Id>, 'operations' | 'paths'>;
  /** The exports of the generated `response-validators.js`. */
  readonly responseChecks: ResponseChecks;
  /**
   * Further headers that any answer may have, in lower case, such as those of a proxy. When given, any other header is a
   * problem, unless the contract declares it or it is part of HTTP itself.
   */
  readonly otherHeaders?: readonly string[];
}

/** Headers of the message, its connection and content negotiation. */
const HTTP_HEADERS = 'connection content-length content-type date keep-alive transfer-encoding vary'.split(
  ' ',
);

/** An operation that `only` left out when the contract was generated: another handler answers it. */
const OUTSIDE = 'outside';

/** A request, as far as it decides which answers are declared. The path may have a query. */
type AnsweredRequest = Pick<HttpRequest, 'method' | 'path'>;

/**
 * Makes a function that lists the problems of an answer to a request, one sentence each; an answer that fits has none. It
 * checks the status, the media type, `Vary`, `Allow`, the headers, JSON and text bodies, and the items of streams, including the
 * parts of multipart bodies. The request's path may have a query. A path that the contract does not have must be answered 404,
 * and such a method 405. Operations outside the part that the contract was generated for (`only`) are not judged.
 *
 * @example
 * ```ts
 * const problemsOf = answerProblems({ contract, responseChecks: await import('./generated/response-validators.js') });
 * const response = await fetch(`${url}/users/1`);
 * const answer = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
 * assert.deepEqual(problemsOf({ method: 'GET', path: '/users/1' }, answer), []);
 * ```
 */
export function answerProblems<Id extends string>(
  options: AnswerCheckOptions<Id>,
): (request: AnsweredRequest, answer: CheckedAnswer) => readonly string[] {
  const problemsOf = answerChecker(options);
  return (request, answer) => problemsOf(request, answer).map((problem) => sentenceOf(problem));
}

/** Like `answerProblems`, with each problem as data: its kind, its place and its details. `sentenceOf` makes the sentence. */
export function answerChecker<Id extends string>({
  contract,
  responseChecks,
  otherHeaders,
}: AnswerCheckOptions<Id>): (request: AnsweredRequest, answer: CheckedAnswer) => readonly ResponseProblem[] {
  const checkers = new Map(
    Object.entries<OperationContract>(contract.operations).map(([id, { responses }]) => [
      id,
      new ResponseChecker(responses, responseChecks, bodyCodecs),
    ]),
  );
  const find = compilePaths(contract.paths, (id) => checkers.get(id) ?? OUTSIDE);
  return ({ method, path }, answer) => {
    const { status, headers, text, isCut = false } = answer;
    const match = find(path.replace(/^https?:\/\/[^/]*/i, '').replace(/\?.*/s, ''));
    if (match === undefined) return status === 404 ? [] : [{ kind: 'unknown-path', place: '/status' }];
    const checker = match.targets.get(method) ?? (method === 'HEAD' ? match.targets.get('GET') : undefined);
    const isShared = [...match.targets.values()].includes(OUTSIDE);
    if (checker === OUTSIDE || (checker === undefined && isShared)) return [];
    if (checker === undefined) return routeProblems(match, method, answer);
    const isHead = method === 'HEAD';
    const contentType = [headers['content-type'] ?? []].flat().join(', ');
    const problems = checker.problemsOf({
      status,
      headers,
      hasTextHeaders: true,
      ...(otherHeaders && {
        // RFC 9110 §15.5.16: a 415 for a content coding lists the accepted ones.
        otherHeaders: new Set([
          ...HTTP_HEADERS,
          ...otherHeaders,
          ...(status === 415 ? ['accept-encoding'] : []),
        ]),
      }),
      needsVary: true,
      contentType: contentType === '' ? undefined : contentType,
      body: isHead ? 'unread' : { text, isCut },
    });
    return isHead && text !== '' ? [...problems, { kind: 'body-of-head', place: '/body' }] : problems;
  };
}

function routeProblems(
  { targets }: PathMatch<unknown>,
  method: string,
  { status, headers }: CheckedAnswer,
): readonly ResponseProblem[] {
  const expectedStatus = method === 'OPTIONS' ? 204 : 405;
  if (status !== expectedStatus)
    return [{ kind: 'undeclared-method', place: '/status', method, expected: expectedStatus }];
  const methods = [...targets.keys(), ...(targets.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const expected = [...new Set(methods)].sort().join(', ');
  const texts = [headers['allow'] ?? ''].flat().join(',');
  const given = texts
    .split(/\s*,\s*/)
    .sort()
    .join(', ');
  return given === expected ? [] : [{ kind: 'wrong-allow', place: '/headers/allow', expected, given }];
}
