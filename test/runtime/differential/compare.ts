/** Holds two opinions of a request against each other, but for the differences that are intended. */
import type { Difference } from './intended-differences.js';
import type { Opinion } from './opinions.js';
import { compileQuestions, type Question } from './question.js';
import type { PlainRequest } from './random-requests.js';
import type { Node } from '../../contract/contract-document.js';

export interface Sides {
  readonly ours: (request: PlainRequest) => Promise<Opinion>;
  readonly theirs: (request: PlainRequest) => Opinion;
}

export interface Comparison extends Opinion {
  readonly differences: readonly string[];
}

/**
 * @returns from a request to our opinion, with the names of the differences that it takes; none where both agree
 * @throws when the opinions differ and nothing that is intended explains it
 */
export function compileComparison(
  document: Node,
  { ours, theirs }: Sides,
  differences: readonly Difference[],
): (request: PlainRequest) => Promise<Comparison> {
  const questionOf = compileQuestions(document);
  return async (request) => {
    const own = await ours(request);
    if (isSame(own, theirs(request))) return { ...own, differences: [] };
    const { expected, names } = explained(questionOf(request), theirs, differences);
    if (isSame(own, expected)) return { ...own, differences: names };
    throw new Error(
      [
        JSON.stringify(request),
        `we say ${shown(own)}; openapi-backend says ${shown(theirs(request))}`,
        `${shown(expected)} after ${names.length === 0 ? 'no difference that is intended' : names.join('; ')}`,
      ].join('\n  '),
    );
  };
}

/** What openapi-backend would say if it were of our mind in all that is intended. */
function explained(
  question: Question,
  theirs: Sides['theirs'],
  differences: readonly Difference[],
): { readonly expected: Opinion; readonly names: readonly string[] } {
  const names: string[] = [];
  let { request } = question;
  let expected = theirs(request);
  for (const { name, rewrite } of differences) {
    const rewritten = rewrite?.({ ...question, request }) ?? request;
    if (JSON.stringify(rewritten) === JSON.stringify(request)) continue;
    const next = theirs(rewritten);
    request = rewritten;
    if (!isSame(next, expected)) names.push(name);
    expected = next;
  }
  for (const { name, rule } of differences) {
    const next = { ...expected, ...rule?.({ ...question, request }, expected.isAccepted) };
    if (!isSame(next, expected)) names.push(name);
    expected = next;
  }
  return { expected, names };
}

function isSame(a: Opinion, b: Opinion): boolean {
  return a.route === b.route && a.isAccepted === b.isAccepted;
}

function shown({ route, isAccepted }: Opinion): string {
  return typeof route === 'number' ? String(route) : `${route} ${isAccepted ? 'accepts' : 'refuses'}`;
}
