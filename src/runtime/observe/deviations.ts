/** Counts the ways in which the traffic differs from its contract, each once per operation, place and kind. */

import { type ProblemFailure, Problem } from '../http/problem.js';
import { DecodeError } from '../rest/decode/mismatch.js';
import { type ResponseProblem, sentenceOf } from '../rest/responses/response-problem.js';
import { isSensitiveName, shownSentence, shownValue } from './harmless.js';

/** A way in which requests or responses differ from the contract. */
export interface Deviation {
  /** All that distinguishes it, in one line: `getCustomer response 200 body/name type`. */
  readonly id: string;
  /** The operationId, or the method and the path of a route that the contract does not have: `GET /customers/{}`. */
  readonly operation: string;
  readonly side: 'request' | 'response';
  /** The status of a response. */
  readonly status?: number;
  /**
   * The names that lead to the value, such as `body/name`. An index, or a key that a client may have chosen, is `*`; a member that
   * the contract does not allow is `<undeclared member>`.
   */
  readonly place: string;
  /** The keyword of the schema that the value does not fit, or another kind of problem, such as `undeclared-status`. */
  readonly kind: string;
  /** The sentence for the first occurrence, with an ellipsis for each word that could be a secret. */
  readonly detail: string;
  readonly count: number;
  /** The value of the first occurrence, shortened, with made-up texts and numbers of the same shape for those that may be secrets. */
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
export interface FindingContext extends Pick<Deviation, 'operation' | 'side' | 'status'> {
  /** The request or the response, with the members that places begin with. */
  readonly whole: unknown;
  /** Whether a text is a word of the operation's contract, which no client chose. */
  readonly isKnown: (text: string) => boolean;
  readonly isSecret: (text: string) => boolean;
}

/** The maximum number of deviations. */
const MOST_DEVIATIONS = 2000;

type Row = Deviation & { count: number };

export class DeviationTable {
  /** By their kinds, and in each in the order of their last occurrences. */
  readonly #groups = new Map<string, Map<string, Row>>();
  #size = 0;
  /** How many deviations were dropped for others. */
  dropped = 0;

  add(finding: Finding, context: FindingContext): Deviation {
    const { kind } = finding;
    const { operation, side, status } = context;
    const place = shownPlace(finding, context.isKnown);
    const id = [operation, side, ...(status === undefined ? [] : [status]), place, kind].join(' ');
    // The paths of routes that are not declared are the clients' choice.
    const name = kind === 'undeclared-route' ? kind : `${operation} ${side} ${kind}`;
    const group = this.#groups.get(name) ?? new Map<string, Row>();
    this.#groups.set(name, group);
    const known = group.get(id);
    if (known !== undefined) {
      known.count += 1;
      group.delete(id);
      group.set(id, known);
      return known;
    }
    if (this.#size >= MOST_DEVIATIONS) this.#drop();
    const example = exampleAt(finding.place, context);
    const deviation = {
      id,
      operation,
      side,
      ...(status !== undefined && { status }),
      place,
      kind,
      detail: shownDetail(finding, place, context),
      count: 1,
      ...(example !== undefined && { example }),
    };
    group.set(id, deviation);
    this.#size += 1;
    return deviation;
  }

  /** From the largest kind, evicts the least frequent deviation, the oldest first, so that a flood of one kind evicts no other. */
  #drop(): void {
    let largest = new Map<string, Row>();
    for (const group of this.#groups.values()) if (group.size > largest.size) largest = group;
    let rarest: Row | undefined;
    for (const row of largest.values()) if (rarest === undefined || row.count < rarest.count) rarest = row;
    largest.delete(rarest?.id ?? '');
    this.#size -= 1;
    this.dropped += 1;
  }

  /** Copies, in the order of their ids. */
  list(): readonly Deviation[] {
    const rows = [...this.#groups.values()].flatMap((group) => [...group.values()]);
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map((deviation) => ({ ...deviation }));
  }
}

/** Failures of an object for a member that a client chose, which their places end with. */
const UNDECLARED: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
]);

const stepsOf = (pointer: string): readonly string[] =>
  pointer.slice(1).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')); // prettier-ignore

/** A name that a client chose may be a secret, and there may be any number of them. */
function shownPlace({ place, kind }: Finding, isKnown: FindingContext['isKnown']): string {
  const steps = stepsOf(place);
  return steps
    .map((step, index) => {
      if (UNDECLARED.has(kind) && index === steps.length - 1 && index > 0) return '<undeclared member>';
      return index === 0 || (isKnown(step) && !/^\d+$/.test(step)) ? step : '*';
    })
    .join('/');
}

/** The sentence, without the names that clients chose. */
function shownDetail({ place, detail }: Finding, shown: string, { isSecret }: FindingContext): string {
  const named = detail.replaceAll(
    /(must NOT have (?:additional|unevaluated) properties): .*?(?= or |$)/gs,
    '$1',
  );
  const path = stepsOf(place);
  // The sentence names the place, or the object that the place is in.
  const text = [path, path.slice(0, -1)]
    .map((steps) => [steps.join('/'), shown.split('/').slice(0, steps.length).join('/')] as const)
    .find(([given]) => given !== '' && (named === given || named.startsWith(`${given} `)));
  return shownSentence(text === undefined ? named : text[1] + named.slice(text[0].length), isSecret);
}

function exampleAt(pointer: string, { whole, isKnown }: FindingContext): unknown {
  const steps = stepsOf(pointer);
  let value = whole;
  for (const [index, step] of steps.entries()) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = steps[0] === 'headers' && index === 1 ? step.toLowerCase() : step;
    value = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return shownValue(value, isKnown, steps.some(isSensitiveName));
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
