/** Sends the requests of a run with an OpenAPI document, and judges the answers. */

import type { AnswerCheckOptions, ResponseProblem } from '@concordat/runtime/testing';
import { answerChecker, sentenceOf } from '@concordat/runtime/testing';
import type { Json } from '@concordat/runtime';
import { type OperationModel, declaresSuccess } from 'concordat/contract';
import type { ExpectedOutcome, RunningContract } from '../../running/running-contract.js';
import type { GivenParameter, RequestParts, WireRequest } from '../../running/wire-request.js';
import { type Random, freshText } from '../run/known-values.js';
import type { SentCase, Run } from '../run/run.js';
import type { Answer, Server } from '../run/server.js';
import { type Finding, STATUSES_OF_STATE, leakIn } from '../run/verify-report.js';
import type { Credentials } from './credentials.js';
import { KnownResources, withFreshValues, leavesOf, propertyOf } from './known-resources.js';
import { type LinkedCall, linkedCalls } from './links.js';
import { type RequestCase, withBody, writtenOf } from './request-cases.js';
import { namesOf } from '../../running/resources.js';
import { type PathValues, pathValuesOf, resourcesIn } from './named-resources.js';

interface SessionOptions {
  readonly server: Server;
  readonly running: RunningContract;
  readonly credentials: Credentials;
  readonly random: Random;
  /** Paths of resources that, with everything below them, are only read. */
  readonly protect: readonly string[];
}

/** A request that was sent, with its answer. */
export interface Outcome extends SentCase<RequestCase> {
  readonly expected: ExpectedOutcome;
  readonly pathValues: PathValues;
  /** The path values of the resources that the answer names. */
  readonly created: readonly PathValues[];
  readonly links: readonly LinkedCall[];
}

/** What checks of a run need of it. */
type OwnRun = Run<OperationModel, RequestCase, Outcome, PathValues>;
export type Sender = Pick<OwnRun, 'send' | 'see' | 'attempt' | 'add'>;

/** Refusals that a server may decide differently (path, `Accept`, size of the request), so that such requests are not sent. */
const UNDECIDED: ReadonlySet<number> = new Set([404, 406, 413, 414, 431]);

const WRONG_CREDENTIAL = { status: 401, sentence: '401 the credential is wrong', faults: [] };

/** Refusals for another reason than the values of the request, which samples do not decide. */
const OF_CALLER_OR_METHOD: ReadonlySet<number> = new Set([401, 403, 405]);

/** An example ETag matches no resource, so the server would refuse every request; `*` matches any resource (RFC 9110 §13.1.1). */
const IF_MATCH = /^if-match$/i;

/** A server treats a request with a used key as a repetition (draft-ietf-httpapi-idempotency-key-header). */
const IDEMPOTENCY_KEY = /^idempotency-key$/i;

export class Session {
  readonly known: KnownResources;
  readonly #problemsOf: ReturnType<typeof answerChecker>;
  /** By operation, the values of bodies that are not made fresh. */
  readonly #fixed = new Map<string, Set<string>>();
  #last: { readonly text: string; readonly expected: ExpectedOutcome } | undefined;

  constructor(private readonly options: SessionOptions) {
    this.known = new KnownResources(options.running.model.operations.map(({ path }) => path));
    const { contract, responseChecks }: AnswerCheckOptions = options.running;
    this.#problemsOf = answerChecker({ contract, responseChecks });
  }

  /**
   * Sends the request of a case with values that are new to the server, to resources that it has.
   *
   * @param pathValues - the path values of a certain resource
   * @returns undefined if nothing is sent: a credential is missing, the request cannot be written, the server may decide it differently
   *   from the contract, or its resource is protected
   */
  async send(given: RequestCase, pathValues?: PathValues): Promise<Outcome | undefined> {
    const { running, credentials, server } = this.options;
    const valid = credentials.for(given.parts.operation);
    const requirement = given.credentials === undefined ? valid : given.parts.credentials;
    if (requirement === undefined) return undefined;
    const placed = this.#toKnownResource({ ...given.parts, credentials: requirement }, given, pathValues);
    const parts = await this.#withFreshValues({ ...given, parts: placed });
    const sent = { ...given, parts };
    const expected = await this.#expectedOf(sent);
    const request = writtenOf(sent, running.model, (scheme) =>
      given.credentials === 'wrong' ? credentials.wrongTextOf(scheme) : credentials.textOf(scheme),
    );
    if (expected === undefined || request === undefined || this.#isProtected(request)) return undefined;
    const refusal = await this.#refusalOfDigits(sent);
    const answer = await server.send(request);
    const isRefused = 'status' in answer && answer.status >= 400 && answer.status < 500;
    return this.#outcomeOf(sent, isRefused ? (refusal ?? expected) : expected, request, answer);
  }

  #isProtected({ method, path }: WireRequest): boolean {
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return false;
    return this.options.protect.some((each) => path === each || path.startsWith(`${each}/`));
  }

  #outcomeOf(sent: RequestCase, expected: ExpectedOutcome, request: WireRequest, answer: Answer): Outcome {
    const { known } = this;
    const { model, document } = this.options.running;
    const { parts } = sent;
    const { operation } = parts;
    const pathValues = pathValuesOf(parts);
    const status = 'status' in answer ? answer.status : 0;
    const isSuccess = status >= 200 && status < 300;
    const isGone = [404, 410].includes(status);
    const problems = 'failure' in answer ? [] : this.#problemsOf(request, answer);
    // An operation that declares no success is served if it answers as declared.
    const isDeclared = status > 0 && problems.length === 0;
    const isServed = declaresSuccess(operation.responses) ? status >= 200 && status < 400 : isDeclared;
    const exchange = isSuccess && 'status' in answer ? { parts, answer } : undefined;
    const removes = (sent.tamper?.(request).method ?? operation.method) === 'DELETE';
    const created = exchange && !removes ? resourcesIn(model.operations, exchange) : [];
    for (const { template, values, entity } of created) known.add(template, values, entity);
    // A 404 for a varied path does not mean that a known resource is gone; a successful DELETE does.
    if ((isSuccess && removes) || (isGone && sent.parameter?.in !== 'path'))
      known.forget(pathValues, operation.path);
    const finding = findingOf(expected, answer, problems, this.#refersToNothing(sent), isRecorded(operation));
    return {
      case: sent,
      expected,
      request,
      answer,
      ...(finding && { finding }),
      isTaken: isServed && 'operation' in expected,
      isSuccess,
      isGone,
      pathValues,
      created: created.map(({ values }) => values),
      links: exchange ? linkedCalls(document, model, exchange) : [],
    };
  }

  /** Whether a body refers to an unknown resource, or its reference is the place under test. */
  #refersToNothing({ parts: { body }, bodyPath = [] }: RequestCase): boolean {
    if (body === undefined) return false;
    if (this.known.isReference(propertyOf(bodyPath))) return true;
    return [...leavesOf(body.value)].some(({ path, value }) => this.known.isUnknown(propertyOf(path), value));
  }

  /** The refusal of an integer beyond 2^53, which the contract allows, by a server whose numbers cannot hold it. */
  async #refusalOfDigits(given: RequestCase): Promise<ExpectedOutcome | undefined> {
    const { running } = this.options;
    const request = writtenOf(given, running.model);
    if (request === undefined || !/\d{16}/.test(JSON.stringify(request))) return undefined;
    const expected = await running.expectedOutcomeOf(request);
    return 'refusal' in expected ? expected : undefined;
  }

  /** The request with the path of a known resource. DELETE gets the newest one, so that older ones remain. */
  #toKnownResource(parts: RequestParts, given: RequestCase, pathValues?: PathValues): RequestParts {
    const { path, method } = parts.operation;
    if (given.parameter?.in === 'path') return parts;
    const choose = method === 'DELETE' ? (length: number) => length - 1 : this.options.random.below;
    const values = pathValues ?? this.known.valuesFor(path, choose);
    const byName = new Map(namesOf(path).map((name, index) => [name, values[index]]));
    const parameters = parts.parameters.map((each) => {
      const value = each.parameter.in === 'path' ? byName.get(each.parameter.name) : undefined;
      return value === undefined ? each : { ...each, value };
    });
    return { ...parts, parameters };
  }

  /** The request with values that are new to the server, if the contract treats them in the same way. */
  async #withFreshValues(given: RequestCase): Promise<RequestParts> {
    let { parts } = given;
    const before = JSON.stringify(await this.#expectedOf(given));
    const isSame = async (changed: RequestParts): Promise<boolean> =>
      JSON.stringify(await this.#expectedOf({ ...given, parts: changed })) === before;
    const { random } = this.options;
    const changedValue = ({ parameter, value }: GivenParameter): Json | undefined => {
      if (IF_MATCH.test(parameter.name)) return parameter === given.parameter ? undefined : '*';
      const isKey = IDEMPOTENCY_KEY.test(parameter.name) && (value === null || typeof value !== 'object');
      return isKey ? freshText(String(value), random) : undefined;
    };
    for (const each of parts.parameters) {
      const value = changedValue(each);
      if (value === undefined) continue;
      const parameters = parts.parameters.map((other) => (other === each ? { ...each, value } : other));
      if (await isSame({ ...parts, parameters })) parts = { ...parts, parameters };
    }
    if (parts.body === undefined || given.isExact === true) return parts;
    const own = this.known.entityOf(parts.operation.path, pathValuesOf(parts));
    const { id } = parts.operation;
    const fixed = this.#fixed.get(id) ?? new Set();
    this.#fixed.set(id, fixed);
    const { known } = this;
    const isSameBody = (value: Json): Promise<boolean> => isSame(withBody(parts, value));
    const manner = { known, random, fixed };
    return withBody(parts, await withFreshValues(parts.body.value, given.bodyPath, own, manner, isSameBody));
  }

  /** The contract's decision. A request is often decided again with nothing changed. */
  async #decided(request: WireRequest): Promise<ExpectedOutcome> {
    const text = JSON.stringify(request);
    if (this.#last?.text !== text)
      this.#last = { text, expected: await this.options.running.exactOutcomeOf(request) };
    return this.#last.expected;
  }

  /** The outcome that the contract requires for a request; undefined if it is not sent. */
  async #expectedOf(given: RequestCase): Promise<ExpectedOutcome | undefined> {
    const request = writtenOf(given, this.options.running.model);
    if (request === undefined) return undefined;
    const expected = await this.#decided(request);
    if ('operation' in expected) {
      if (expected.operation !== given.parts.operation.id) return undefined;
      return given.credentials === 'wrong' ? { refusal: WRONG_CREDENTIAL } : expected;
    }
    const { status } = expected.refusal;
    const isUndecided = isRecorded(given.parts.operation) && !OF_CALLER_OR_METHOD.has(status);
    return isUndecided || UNDECIDED.has(status) ? undefined : expected;
  }
}

/** Whether `concordat record` wrote the operation, and it was not reviewed yet. */
export const isRecorded = ({ extensions }: OperationModel): boolean => extensions['x-recorded'] === true;

/** Statuses with which a server may refuse a reference to a missing resource. */
const INVALID: ReadonlySet<number> = new Set([400, 422]);

/**
 * @param expected - the outcome that the contract requires for the request
 * @param problems - the answer's problems, found by the checker of `@concordat/runtime/testing`
 * @param refersToNothing - whether the request refers to another resource that may not exist
 * @param isRecorded - whether the contract describes the requests by samples alone, so that it may take too many
 */
function findingOf(
  expected: ExpectedOutcome,
  answer: Answer,
  problems: readonly ResponseProblem[],
  refersToNothing: boolean,
  isRecorded = false,
): Finding | undefined {
  if ('failure' in answer) return { rule: 'no-answer', message: answer.failure };
  const { status, headers } = answer;
  const code = String(status);
  if (status >= 500) return { rule: 'server-error', message: `it is answered by ${code}` };
  const leak = status >= 400 ? leakIn(answer.text) : undefined;
  if (leak !== undefined) return { rule: 'leaked', message: `${code} reveals: ${leak}` };
  // Samples do not show whether `Accept` chose the media type, or a parameter.
  const [problem] = problems.filter(({ kind }) => !isRecorded || kind !== 'missing-vary');
  const isUndeclared = problem?.kind === 'undeclared-status';
  if ('refusal' in expected) {
    const { refusal } = expected;
    const accepted = `the contract refuses it: ${refusal.sentence}; it is answered by ${code}`;
    if (status < 400) return { rule: 'broken-accepted', message: accepted };
    if (refusal.status === 405) {
      // RFC 9110 §15.5.6
      const isSilent = status === 405 && headers['allow'] === undefined;
      return isSilent ? { rule: 'wrong-answer', message: '405 has no header Allow' } : undefined;
    }
    if (problem === undefined || isUndeclared) return undefined;
    return { rule: 'wrong-answer', message: `${code}: ${sentenceOf(problem)}` };
  }
  // The sandbox of a mock says so of a record that it does not have, also where the contract has no answer for that.
  if (isUndeclared && status === 404 && headers['x-mock'] === 'state') return undefined;
  if (isUndeclared)
    return { rule: 'undeclared-status', message: `it is answered by ${code}, which is not declared` };
  const isOfState = STATUSES_OF_STATE.has(status) || (refersToNothing && INVALID.has(status));
  if (status >= 400 && !isOfState && !isRecorded)
    return { rule: 'valid-refused', message: `the contract takes it; it is answered by ${code}` };
  return problem && { rule: 'wrong-answer', message: `${code}: ${sentenceOf(problem)}` };
}

export const statusOf = ({ answer }: Outcome): string =>
  'status' in answer ? String(answer.status) : answer.failure;
