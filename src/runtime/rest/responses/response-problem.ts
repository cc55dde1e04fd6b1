/** The ways in which a response differs from its contract, as data, and the sentence for each. */

import type { ProblemFailure } from '../../http/problem.js';

/** Each kind of problem, with its details. */
interface Kinds {
  'unknown-path': object;
  /** A method that the path does not have; `expected` is the status that it must get. */
  'undeclared-method': { readonly method: string; readonly expected: number };
  'wrong-allow': { readonly expected: string; readonly given: string };
  'undeclared-status': { readonly status: number };
  'undeclared-header': { readonly name: string };
  'missing-header': { readonly name: string };
  'missing-vary': object;
  'undeclared-media-type': { readonly mediaType: string };
  /** A Content-Type without a body. */
  'unexpected-media-type': { readonly contentType: string };
  'missing-body': object;
  'unexpected-body': object;
  'body-of-head': object;
  'oversized-body': { readonly limit: number };
  /** A body that cannot be decoded. */
  'malformed-body': { readonly reason: string };
  /** A value that its schema does not accept; so are the faults of a request that does not fit. */
  unfit: { readonly keyword: string; readonly detail: string };
}

type ProblemOf<Kind extends keyof Kinds> = {
  readonly [Each in Kind]: {
    readonly kind: Each;
    /** JSON Pointer into the response, whose members are `status`, `headers` and `body`: `/body/email`. */
    readonly place: string;
  } & Kinds[Each];
}[Kind];

/** A difference between a response and its contract. */
export type ResponseProblem = ProblemOf<keyof Kinds>;

export const SENTENCES: { readonly [Kind in keyof Kinds]: (problem: Kinds[Kind]) => string } = {
  'unknown-path': () => 'an unknown path must be 404',
  'undeclared-method': ({ method, expected }) => `${method} must be ${String(expected)} here`,
  'wrong-allow': ({ expected, given }) => `Allow must list ${expected}, not ${given}`,
  'undeclared-status': ({ status }) => `the status ${String(status)} is not declared`,
  'undeclared-header': ({ name }) => `the header ${name} is not declared`,
  'missing-header': ({ name }) => `the header ${name} is missing`,
  'missing-vary': () => 'Vary does not name Accept',
  'undeclared-media-type': ({ mediaType }) =>
    mediaType === '' ? 'the Content-Type is missing' : `the media type ${mediaType} is not declared`,
  'unexpected-media-type': ({ contentType }) => `without a body there is no Content-Type ${contentType}`,
  'missing-body': () => 'the body is missing',
  'unexpected-body': () => 'this status has no body',
  'body-of-head': () => 'HEAD has no body',
  'oversized-body': ({ limit }) => `the body is larger than ${String(limit)} bytes`,
  'malformed-body': ({ reason }) => reason,
  unfit: ({ detail }) => detail,
};

/** One sentence about a problem, without a full stop. */
export function sentenceOf<Kind extends keyof Kinds>(problem: ProblemOf<Kind>): string {
  return SENTENCES[problem.kind](problem);
}

/** The problem of a value that does not fit; requests have the same failures. */
export function unfit({ pointer, keyword, detail }: ProblemFailure): ProblemOf<'unfit'> {
  return { kind: 'unfit', place: pointer, keyword, detail };
}
