/** Sends the requests of a run to a server, and remembers the resources in its answers. */

import { type AnswerCheckOptions, answerChecker } from '@concordat/runtime/testing';
import {
  type CredentialText,
  type RequestParts,
  wireRequest,
  type WireRequest,
} from '../../running/wire-request.js';
import type { OperationModel } from 'concordat/contract';
import type { Reach, RunningContract } from '../../running/running-contract.js';
import { type LinkedCall, learn, linkedCalls, pathValuesOf } from './answered-resources.js';
import type { Credentials } from './credentials.js';
import { freshened, leavesOf, propertyOf } from './fresh-values.js';
import { KnownResources, type PathValues, namesOf } from './known-resources.js';
import { type RequestCase, withBody } from './request-cases.js';
import { type Random, freshText } from '../run/random.js';
import type { Finding } from '../run/verify-report.js';
import type { Answer } from '../run/server.js';
import type { Server } from '../run/server.js';
import { findingOf } from './verdict.js';

export interface SessionOptions {
  readonly server: Server;
  readonly running: RunningContract;
  readonly credentials: Credentials;
  readonly random: Random;
  /** Paths of resources that, with everything below them, are only read. */
  readonly protect: readonly string[];
}

/** A request that was sent, with its answer. */
export interface Outcome {
  readonly case: RequestCase;
  readonly reach: Reach;
  readonly request: WireRequest;
  readonly answer: Answer;
  readonly finding: Finding | undefined;
  readonly pathValues: PathValues;
  /** The path values of the resources that the answer names. */
  readonly created: readonly PathValues[];
  readonly links: readonly LinkedCall[];
}

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
  /** The numbers of requests and of successes, by operationId. */
  readonly counts = new Map<string, { requests: number; successes: number }>();
  readonly random: Random;
  readonly #options: SessionOptions;
  readonly #problemsOf: ReturnType<typeof answerChecker>;
  #last: { readonly text: string; readonly reach: Reach } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.known = new KnownResources(options.running.model.operations.map(({ path }) => path));
    this.random = options.random;
    const { contract, responseChecks }: AnswerCheckOptions = options.running;
    this.#problemsOf = answerChecker({ contract, responseChecks });
  }

  /**
   * Sends the request of a case with values that are new to the server, to resources that it has.
   *
   * @param pathValues - the path values of a certain resource
   * @returns undefined if nothing is sent: a credential is missing, the budget is spent, the request cannot be written, the
   *   server may decide it differently from the contract, or its resource is protected
   */
  async send(given: RequestCase, pathValues?: PathValues): Promise<Outcome | undefined> {
    const { running, credentials, server } = this.#options;
    const requirement =
      given.credentials === undefined ? credentials.for(given.parts.operation) : given.parts.credentials;
    if (requirement === undefined || server.isOver) return undefined;
    const placed = this.#placed({ ...given.parts, credentials: requirement }, given, pathValues);
    const parts = await this.#prepared({ ...given, parts: placed });
    const sent = { ...given, parts };
    const reach = await this.#reachOf(sent);
    const request = writtenOf(sent, running, (scheme) =>
      given.credentials === 'wrong' ? credentials.wrongTextOf(scheme) : credentials.textOf(scheme),
    );
    if (reach === undefined || request === undefined || this.#isProtected(request)) return undefined;
    const refusal = await this.#refusalOfDigits(sent);
    const answer = await server.send(request);
    const isRefused = 'status' in answer && answer.status >= 400 && answer.status < 500;
    return this.#judged(sent, isRefused ? (refusal ?? reach) : reach, request, answer);
  }

  #isProtected({ method, path }: WireRequest): boolean {
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return false;
    return this.#options.protect.some((each) => path === each || path.startsWith(`${each}/`));
  }

  #judged(sent: RequestCase, reach: Reach, request: WireRequest, answer: Answer): Outcome {
    const { known, counts } = this;
    const { parts } = sent;
    const { operation } = parts;
    const problems = 'failure' in answer ? [] : this.#problemsOf(request, answer);
    const pathValues = pathValuesOf(parts);
    const count = counts.get(operation.id) ?? { requests: 0, successes: 0 };
    counts.set(operation.id, count);
    count.requests += 1;
    let links: readonly LinkedCall[] = [];
    let created: readonly PathValues[] = [];
    if ('status' in answer) {
      const { model, document } = this.#options.running;
      const isSuccess = answer.status >= 200 && answer.status < 300;
      if (answer.status >= 200 && answer.status < 400 && 'operation' in reach) count.successes += 1;
      const method = sent.tamper?.(request).method ?? operation.method;
      const isGone = isSuccess ? method === 'DELETE' : [404, 410].includes(answer.status);
      // A 404 for a varied path does not mean that a known resource is gone; a successful DELETE does.
      if (isGone && (isSuccess || sent.parameter?.in !== 'path')) known.forget(pathValues, operation.path);
      else if (isSuccess) created = learn(known, model, { parts, answer });
      if (isSuccess) links = linkedCalls(document, model, { parts, answer });
    }
    return {
      case: sent,
      reach,
      request,
      answer,
      finding: findingOf(reach, answer, problems, this.#refersToNothing(sent), isRecorded(operation)),
      pathValues,
      created,
      links,
    };
  }

  /** Whether a body refers to an unknown resource, or its reference is the place under test. */
  #refersToNothing({ parts: { body }, bodyPath = [] }: RequestCase): boolean {
    if (body === undefined) return false;
    if (this.known.isReference(propertyOf(bodyPath))) return true;
    return [...leavesOf(body.value)].some(({ path, value }) => this.known.isUnknown(propertyOf(path), value));
  }

  /** The refusal of an integer beyond 2^53, which the contract allows, by a server whose numbers cannot hold it. */
  async #refusalOfDigits(given: RequestCase): Promise<Reach | undefined> {
    const { running } = this.#options;
    const request = writtenOf(given, running);
    if (request === undefined || !/\d{16}/.test(JSON.stringify(request))) return undefined;
    const reach = await running.reachOf(request);
    return 'refusal' in reach ? reach : undefined;
  }

  /** The request with the path of a known resource. DELETE gets the newest one, so that older ones remain. */
  #placed(parts: RequestParts, given: RequestCase, pathValues?: PathValues): RequestParts {
    const { path, method } = parts.operation;
    if (given.parameter?.in === 'path') return parts;
    const last = (length: number): number => length - 1;
    const values = pathValues ?? this.known.valuesFor(path, method === 'DELETE' ? last : this.random.below);
    const byName = new Map(namesOf(path).map((name, index) => [name, values[index]]));
    const parameters = parts.parameters.map((each) => {
      const value = each.parameter.in === 'path' ? byName.get(each.parameter.name) : undefined;
      return value === undefined ? each : { ...each, value };
    });
    return { ...parts, parameters };
  }

  /** The request with values that are new to the server, if the contract treats them in the same way. */
  async #prepared(given: RequestCase): Promise<RequestParts> {
    let { parts } = given;
    const before = JSON.stringify(await this.#reachOf(given));
    const isSame = async (changed: RequestParts): Promise<boolean> =>
      JSON.stringify(await this.#reachOf({ ...given, parts: changed })) === before;
    const { random } = this.#options;
    const [condition, ...others] = parts.parameters.filter(({ parameter }) => IF_MATCH.test(parameter.name));
    if (condition !== undefined && others.length === 0 && condition.parameter !== given.parameter) {
      const rest = parts.parameters.filter((each) => each !== condition);
      const changed = { ...parts, parameters: [...rest, { ...condition, value: '*' }] };
      if (await isSame(changed)) parts = changed;
    }
    const key = parts.parameters.find(({ parameter }) => IDEMPOTENCY_KEY.test(parameter.name));
    if (key !== undefined && (key.value === null || typeof key.value !== 'object')) {
      const others = parts.parameters.filter((each) => each !== key);
      const changed = {
        ...parts,
        parameters: [...others, { ...key, value: freshText(String(key.value), random) }],
      };
      if (await isSame(changed)) parts = changed;
    }
    if (parts.body === undefined || given.isExact === true) return parts;
    const own = this.known.entityOf(parts.operation.path, pathValuesOf(parts));
    const body = await freshened(
      parts.body.value,
      given.bodyPath,
      own,
      { known: this.known, random },
      (value) => isSame(withBody(parts, value)),
    );
    return withBody(parts, body);
  }

  /** The contract's decision. A request is often decided again with nothing changed. */
  async #decided(request: WireRequest): Promise<Reach> {
    const text = JSON.stringify(request);
    if (this.#last?.text !== text)
      this.#last = { text, reach: await this.#options.running.exactReachOf(request) };
    return this.#last.reach;
  }

  /** The outcome that the contract requires for a request; undefined if it is not sent. */
  async #reachOf(given: RequestCase): Promise<Reach | undefined> {
    const request = writtenOf(given, this.#options.running);
    if (request === undefined) return undefined;
    const reach = await this.#decided(request);
    if ('operation' in reach) {
      if (reach.operation !== given.parts.operation.id) return undefined;
      return given.credentials === 'wrong' ? { refusal: WRONG_CREDENTIAL } : reach;
    }
    const { status } = reach.refusal;
    const isUndecided = isRecorded(given.parts.operation) && !OF_CALLER_OR_METHOD.has(status);
    return isUndecided || UNDECIDED.has(status) ? undefined : reach;
  }
}

/** Whether `concordat record` wrote the operation, and it was not reviewed yet. */
export const isRecorded = ({ extensions }: OperationModel): boolean => extensions['x-recorded'] === true;

/** RFC 9110 §5.5: no control characters, and no white space at the ends. */
const FIELD_VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;

/** The HTTP request of a case; undefined if HTTP cannot carry its values. */
function writtenOf(
  { parts, tamper }: RequestCase,
  { model }: RunningContract,
  credential?: CredentialText,
): WireRequest | undefined {
  const request = wireRequest(parts, model.securitySchemes, credential);
  if (request === undefined) return undefined;
  if (!Object.values(request.headers).every((value) => FIELD_VALUE.test(value))) return undefined;
  if (!/^[\x21-\x7e]*$/.test(request.path)) return undefined;
  return tamper === undefined ? request : tamper(request);
}
