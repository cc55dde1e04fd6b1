/** Makes the answers of a contract: its examples if they fit their schemas, else values that its checks accept. */

import {
  type Answer,
  type CallContext,
  type Check,
  type HttpRequest,
  type Json,
  Problem,
  type ResponseContract,
  findByStatus,
  problemDetails,
} from '@concordat/runtime';
import { isObject } from '@concordat/runtime/parts';
import { type ResponseModel, byStatus } from 'concordat/contract';
import type { Entity } from '../running/resources.js';
import { mediaTypeWithin, statusWithin } from '../running/wire-request.js';
import type { RunningContract } from '../running/running-contract.js';
import type { Conditions } from './mock-conditions.js';
import { type BodyWish, mockBody, mockHeader } from './mock-values.js';

/** The choice of an answer. */
interface Wish extends BodyWish {
  /** The status of the answer. */
  readonly code?: string;
  /** The declared response, in place of a status. */
  readonly response?: ResponseModel;
  /** The client's preferred media type among those of the successes. */
  readonly mediaType?: string | undefined;
}

/** The parts of a call that its answer depends on. */
export type AnsweredCall = Pick<CallContext<unknown>, 'operationId' | 'request' | 'mediaType'>;

export class MockAnswers {
  constructor(
    private readonly running: RunningContract,
    private readonly conditions: Conditions,
  ) {}

  /**
   * The answer to a request: the preferred one, else a failure if this call fails, else a success.
   *
   * @param remembered - the answer of a sandbox, which comes before the examples
   */
  answerTo(
    { operationId, request, mediaType }: AnsweredCall,
    remembered: () => Answer | undefined = () => undefined,
  ): Answer | undefined {
    const preference = preferenceOf(request);
    const isPreferred = Object.keys(preference).length > 0;
    const found = isPreferred ? undefined : (this.#failure(operationId) ?? remembered());
    return found ?? this.answer(operationId, { ...preference, mediaType });
  }

  /** One of the declared error responses, unless this call succeeds or none can be made. */
  #failure(operationId: string): Answer | undefined {
    const failures = this.#responsesOf(operationId).filter(({ status }) => /^[45d]/.test(status));
    for (const response of this.conditions.failures(failures)) {
      try {
        return this.answer(operationId, { response });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    }
    return undefined;
  }

  #responsesOf(operationId: string): readonly ResponseModel[] {
    return this.running.model.operations.find(({ id }) => id === operationId)?.responses ?? [];
  }

  /**
   * The answer of an operation: a success unless a status is given.
   *
   * @returns undefined if the contract has no such answer
   * @throws Problem with 501 when the contract declares no response, or no example fits and no value can be made
   */
  answer(operationId: string, wish: Wish): Answer | undefined {
    const { contract, document } = this.running;
    const responses = this.#responsesOf(operationId);
    const declaredBy = byStatus(responses);
    const {
      response = wish.code === undefined
        ? usualResponse(responses, wish.mediaType)
        : findByStatus(declaredBy, /^\d{3}$/.test(wish.code) ? Number(wish.code) : NaN),
    } = wish;
    if (response === undefined && responses.length === 0) throw new Problem(501, NO_RESPONSE);
    if (response === undefined) return undefined;
    const describes = (each: number): boolean => findByStatus(declaredBy, each) === response;
    const status = Number(
      wish.code ?? statusWithin(response.status, describes, wish.response ? 5 : 2) ?? 500,
    );
    const declared = contract.operations[operationId]?.responses[response.status] ?? {};
    const headers = this.#headers(response, declared);
    const { content } = response;
    const media =
      content.find(({ mediaType }) => mediaType === wish.mediaType) ??
      content.find(({ kind }) => kind === 'json') ??
      content[0];
    if (media === undefined) return { status, headers };
    const check = this.#check(declared.content?.[media.mediaType]?.check);
    const isProblem = /^application\/problem\+(?:json|xml)\b/i.test(media.mediaType);
    const body = mockBody(document, media, check, {
      ...(isProblem && { adaptations: asProblemOf(status) }),
      ...wish,
    });
    if (body !== undefined) return { status, headers, contentType: mediaTypeWithin(media.mediaType), body };
    if (wish.example !== undefined) return undefined;
    throw unmade(`a body of ${media.mediaType} for the status ${response.status}`);
  }

  /** The declared answer with a status, whose body explains a problem as far as it has a place for that. */
  refusal(operationId: string, status: number, problem?: Entity, mediaType?: string): Answer | undefined {
    const adaptations = (made: Json): readonly Json[] => (problem ? explaining(made, problem) : []);
    return this.answer(operationId, { code: String(status), adaptations, mediaType });
  }

  /** The required headers, and those for which the contract has an example. */
  #headers({ headers }: ResponseModel, declared: ResponseContract): Readonly<Record<string, Json>> {
    const values = headers.map((header) => {
      const check = this.#check(declared.headers?.[header.name]?.check);
      const value = mockHeader(this.running.document, header, check);
      if (value === undefined && header.required) throw unmade(`the header ${header.name}`);
      return [header.name, value] as const;
    });
    return Object.fromEntries(values.filter((entry): entry is [string, Json] => entry[1] !== undefined));
  }

  #check(name: string | undefined): Check {
    return (name === undefined ? undefined : this.running.responseChecks[name]) ?? (() => true);
  }
}

const NO_RESPONSE = 'The contract declares no response of this operation';

/** Problem details have the status of their response (RFC 9457 §3.1.2); a title becomes the phrase of that status. */
function asProblemOf(status: number): (made: Json) => readonly Json[] {
  const { title } = problemDetails.body(new Problem(status, '')) as { readonly title: string };
  return (made) => {
    if (typeof made !== 'object' || made === null || !('status' in made) || made['status'] === status)
      return [];
    const changed = { ...made, status };
    return 'title' in made ? [{ ...changed, title }, changed] : [changed];
  };
}

function unmade(what: string): Problem {
  return new Problem(501, `No example of the contract fits ${what}, and none could be made`);
}

/** Variants of a declared body that explain why a request is refused. @param problem - the problem details */
function explaining(made: Json, problem: Entity): readonly Json[] {
  const { detail = '' } = problem;
  if (typeof made === 'string') return [detail];
  if (!isObject(made)) return [problem];
  const named = ['detail', 'message', 'error'].find((name) => typeof made[name] === 'string');
  return [problem, ...(named === undefined ? [] : [{ ...(made as Entity), [named]: detail }])];
}

/** A success that the client accepts, else the first success, else the response for 200, else the first response. */
function usualResponse(
  responses: readonly ResponseModel[],
  mediaType: string | undefined,
): ResponseModel | undefined {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  return (
    successes.find(({ content }) => content.some((media) => media.mediaType === mediaType)) ??
    successes[0] ??
    findByStatus(byStatus(responses), 200) ??
    responses[0]
  );
}

/** The choice of a request, as `Prefer: code=404, example=empty` (RFC 7240 §2). */
function preferenceOf({ headers: { prefer = '' } }: HttpRequest): Pick<Wish, 'code' | 'example'> {
  const header = typeof prefer === 'string' ? prefer : prefer.join(', ');
  const found = header.matchAll(/(?:^|[,;\s])(code|example)\s*=\s*(?:"([^"]*)"|([^\s,;"]+))/gi);
  return Object.fromEntries(
    [...found].map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain]),
  );
}
