/** Counts the ways in which the traffic differs from its contract, each once per operation, place and kind. */

import { type ProblemFailure, Problem } from '../http/problem.js';
import { DecodeError } from '../rest/decode/mismatch.js';
import { type ResponseProblem, sentenceOf } from '../rest/responses/response-problem.js';
import { isSafeText, isSensitiveName, shownSentence, shownValue } from './safe-text.js';

/** A way in which requests or responses differ from the contract. */
export interface Deviation {
  /** All that distinguishes it, in one line: `getCustomer response 200 body/name type`. */
  readonly id: string;
  /** The operationId, or the method and the path of a route that the contract does not have: `GET /customers/{}`. */
  readonly operation: string;
  readonly side: 'request' | 'response';
  /** The status of a response. */
  readonly status?: number;
  /** The names that lead to the value, such as `body/name`. An index, or a key that a client may have chosen, is `*`. */
  readonly place: string;
  /** The keyword of the schema that the value does not fit, or another kind of problem, such as `undeclared-status`. */
  readonly kind: string;
  /** The sentence for the first occurrence, with an ellipsis for each word that could be a secret. */
  readonly detail: string;
  readonly count: number;
  /** The value of the first occurrence that has one, shortened, with `[removed]` for each text that could be a secret. */
  readonly example?: unknown;
}

/** One occurrence. */
export interface Finding {
  /** JSON Pointer. */
  readonly place: string;
  readonly kind: string;
  readonly detail: string;
}

/** The exchange of an occurrence. */
export interface FindingContext {
  readonly operation: string;
  readonly side: 'request' | 'response';
  readonly status?: number;
  /** The request or the response, with the members that places begin with. */
  readonly whole: unknown;
  readonly isSecret: (text: string) => boolean;
}

/** The maximum number of deviations; past it, only those that are known are counted. */
const MOST_DEVIATIONS = 2000;

export class DeviationTable {
  readonly #byId = new Map<string, Deviation & { count: number }>();

  /** @returns the deviation; undefined for a new one if the table is full */
  add({ place, kind, detail }: Finding, context: FindingContext): Deviation | undefined {
    const { operation, side, status } = context;
    const shown = shownPlace(place);
    const id = [operation, side, ...(status === undefined ? [] : [status]), shown, kind].join(' ');
    const known = this.#byId.get(id);
    if (known !== undefined) {
      known.count += 1;
      return known;
    }
    if (this.#byId.size >= MOST_DEVIATIONS) return undefined;
    const example = exampleAt(place, context);
    const deviation = {
      id,
      operation,
      side,
      ...(status !== undefined && { status }),
      place: shown,
      kind,
      detail: shownSentence(detail, context.isSecret),
      count: 1,
      ...(example !== undefined && { example }),
    };
    this.#byId.set(id, deviation);
    return deviation;
  }

  /** Copies, in the order of their ids. */
  list(): readonly Deviation[] {
    const sorted = [...this.#byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return sorted.map((deviation) => ({ ...deviation }));
  }
}

/** A key that a client chose may be a secret, and there may be any number of them. */
function shownPlace(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => (/^[\p{L}_$][\w$~.-]{0,63}$/u.test(step) && isSafeText(step) ? step : '*'))
    .join('/');
}

function exampleAt(pointer: string, { whole, isSecret }: FindingContext): unknown {
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (steps.some(isSensitiveName)) return undefined;
  let value = whole;
  for (const [index, step] of steps.entries()) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = steps[0] === 'headers' && index === 1 ? step.toLowerCase() : step;
    value = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return shownValue(value, isSecret);
}

/** The finding of a problem of a response. */
export function responseFinding(problem: ResponseProblem): Finding {
  const { kind, place } = problem;
  const sentence = sentenceOf(problem);
  if (problem.kind === 'unfit') return { place, kind: problem.keyword, detail: sentence };
  // The parser's message repeats a piece of the body.
  return {
    place,
    kind,
    detail: problem.kind === 'malformed-body' ? sentence.replace(/: .*/s, '') : sentence,
  };
}

export function requestFinding({ pointer, keyword, detail }: ProblemFailure): Finding {
  return { place: pointer, kind: keyword, detail };
}

/** The findings of a request that cannot be decoded. @throws every other error */
export function refusalFindings(error: unknown): readonly Finding[] {
  if (error instanceof DecodeError) return error.failures.map(requestFinding);
  if (!(error instanceof Problem)) throw error;
  const { status, message: detail, failures } = error;
  if (failures.length > 0) return failures.map(requestFinding);
  if (status === 415) return [{ place: '/headers/content-type', kind: 'undeclared-media-type', detail }];
  return [{ place: '/body', kind: status === 413 ? 'oversized-body' : 'malformed-body', detail }];
}
