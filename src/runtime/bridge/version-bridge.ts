/** Serves version 1 of a contract from the engine of version 2: version 1 at the edge, version 2's handlers behind it. */

import type { OperationContract, RestContract, Signatures } from '../contract/contract.js';
import { type HttpRequest, type HttpResponse, isThenable } from '../http/message.js';
import { matchOf } from '../http/path-choice.js';
import { Problem } from '../http/problem.js';
import type { Answer, AnyHandler, DecodedRequest } from '../rest/operation/handler.js';
import type { AnyHooks, Outcome } from '../rest/operation/hooks.js';
import type { RestOperation } from '../rest/operation/operation.js';
import type { AnySecurityHandler, SecurityHandler } from '../rest/operation/security.js';
import { type RestEngine, type RestEngineOptions, restEngine } from '../rest/rest-engine.js';
import type { Exchange, RouteMatch } from '../rest/steps/exchange.js';
import type { Conversions, Verdict } from './conversions.js';
import { deprecationHeaders, deprecationOf } from './deprecation.js';
import { type InnerCall, compileInnerCall } from './inner-call.js';

/** The parts that the versions do not share: by default, a bridge has those of the engine of version 2. */
type OwnParts<Caller, Host, Id extends string, Handlers extends Signatures<Handlers>> = Partial<
  Pick<
    RestEngineOptions<Caller, Host, Id, string, Handlers>,
    'encoders' | 'problems' | 'explain' | 'report' | 'bodyLimit' | 'surplus' | 'hooks' | 'checkResponses'
  >
>;

export interface VersionBridgeOptions<
  V1 extends Signatures<V1>,
  V2,
  Caller,
  Host,
  Id extends string,
  Scheme extends string,
  Convert,
> extends OwnParts<NoInfer<Caller>, NoInfer<Host>, Id, NoInfer<V1>> {
  /** The `contract` of version 1. */
  readonly from: RestContract<Id, Scheme, V1>;
  /** The engine of version 2, or a bridge to a later version. */
  readonly to: RestEngine<Caller, Host, V2>;
  /** The conversions, by the operationId of version 1: those that the types require, and no others. */
  readonly convert: Convert;
  /** The handlers of security schemes that version 2 does not have, or describes in another way. */
  readonly security?: Readonly<Partial<Record<Scheme, SecurityHandler<NoInfer<Caller>, NoInfer<Host>>>>>;
  /** Called with each request of an operation, for your metrics: `({ id }) => requests.inc({ version: 1, operation: id })`. */
  readonly onRequest?: (operation: Pick<RestOperation<never>, 'id' | 'tags' | 'method' | 'path'>) => void;
}

/** An engine of version 1. */
export interface VersionBridge<Caller, Host = unknown, Handlers = unknown> extends RestEngine<
  Caller,
  Host,
  Handlers
> {
  /** The number of requests since the start, by operation. */
  readonly requests: Readonly<Record<string, number>>;
}

/**
 * Makes an engine of an old version of a contract that answers from the engine of a new version. A request passes the routing, the checks
 * and the security of version 1, the conversion, the security, the checks, the hooks and the handler of version 2, the conversion back,
 * and the check of version 1's responses.
 *
 * @param this - for the compiler only: a sentence if a conversion is missing, wrong or superfluous
 * @throws when version 2 does not serve an operation that has no handler, and when a security handler is missing
 *
 * @example
 * ```ts
 * const engineV1 = versionBridge({
 *   from: contractV1,
 *   to: engine,
 *   convert: {
 *     getUser: { response: (answer) => answer.status === 200 ? { status: 200, body: { name: answer.body.fullName } } : answer },
 *   },
 * });
 * ```
 */
export function versionBridge<
  V1 extends Signatures<V1>,
  V2,
  Caller,
  Host,
  Id extends string,
  Scheme extends string,
  // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- it is empty for any contract
  Convert extends Conversions<V1, V2, Caller, Host>,
>(
  this: Verdict<V1, V2, Convert>,
  options: VersionBridgeOptions<V1, V2, Caller, Host, Id, Scheme, Convert>,
): VersionBridge<Caller, Host, V1> {
  return countingBridge(options as unknown as AnyOptions) as unknown as VersionBridge<Caller, Host, V1>;
}

/** The options without their types, which the compiler has compared. */
interface AnyOptions {
  readonly from: Pick<RestContract, 'operations' | 'securitySchemes' | 'extensions'>;
  readonly to: RestEngine<unknown, never>;
  readonly convert: Readonly<Record<string, Conversion>>;
  readonly security?: Readonly<Record<string, AnySecurityHandler<unknown>>>;
  readonly onRequest?: (operation: RestOperation<unknown>) => void;
  readonly hooks?: readonly AnyHooks[];
}

interface Conversion {
  readonly to?: string;
  readonly request?: (request: DecodedRequest) => DecodedRequest;
  readonly response?: (answer: Answer, request: DecodedRequest) => Answer;
  readonly handler?: AnyHandler<unknown>;
}

/** Counts the requests of each operation, and adds the headers of `x-deprecation` to its responses, also to refusals. */
function countingBridge(options: AnyOptions): VersionBridge<unknown, never> {
  const { from, onRequest } = options;
  const engine = bridgingEngine(options);
  const requests = Object.fromEntries(Object.keys(from.operations).map((id) => [id, 0]));
  const added = mapped(from.operations, ({ extensions }) =>
    deprecationHeaders(deprecationOf(from.extensions, extensions)),
  );
  const answer = (
    request: HttpRequest<never>,
    match: RouteMatch<unknown> | undefined = matchOf(engine.findPath, request),
  ): HttpResponse | Promise<HttpResponse> => {
    if (match === undefined) return engine(request);
    const { id } = match.operation;
    requests[id] = (requests[id] ?? 0) + 1;
    onRequest?.(match.operation);
    const { Link, ...dates } = added[id] ?? {};
    const withHeaders = ({ headers, ...response }: HttpResponse): HttpResponse => {
      const links = [headers['Link'] ?? [], Link ?? []].flat().join(', ');
      return { ...response, headers: { ...dates, ...headers, ...(links !== '' && { Link: links }) } };
    };
    const response = engine(request, match);
    return isThenable(response) ? response.then(withHeaders) : withHeaders(response);
  };
  return Object.assign(answer, engine, { requests });
}

function bridgingEngine(options: AnyOptions): RestEngine<unknown, never> {
  const { from, to, convert, hooks = [], ...own } = options;
  const { hooks: laterHooks = [], ...shared } = to.options;
  const unknown = Object.keys(convert).find((id) => !Object.hasOwn(from.operations, id));
  if (unknown !== undefined) throw new Error(`convert.${unknown} names no operation of version 1`);
  const calls = new WeakMap<object, InnerCall>();
  const security: Record<string, AnySecurityHandler<unknown>> = {};
  for (const [name, scheme] of Object.entries(from.securitySchemes)) {
    const same = isSame(scheme, shared.contract.securitySchemes[name]) ? shared.security[name] : undefined;
    const handler = own.security?.[name] ?? same;
    if (handler !== undefined) security[name] = handler;
  }

  /** Whether version 2 would find the same caller: then its credential is not checked twice. */
  function sharesCaller(one: OperationContract, other: OperationContract): boolean {
    const ignored = 'x-ignore-invalid-credentials';
    return (
      isSame([one.security, one.extensions?.[ignored]], [other.security, other.extensions?.[ignored]]) &&
      one.security.flatMap(Object.keys).every((name) => security[name] === shared.security[name])
    );
  }

  function handlerOf(operation: OperationContract, id: string): AnyHandler<unknown> {
    const { handler, to: target = id, request: convertRequest, response: convertAnswer } = convert[id] ?? {};
    if (handler !== undefined) return handler;
    const later = to.operations.find((each) => each.id === target);
    const contract = shared.contract.operations[target];
    if (later === undefined || contract === undefined)
      throw new Error(`convert.${id} needs \`to\` or \`handler\`: version 2 serves no operation ${target}`);
    for (const [part, given] of Object.entries({ request: convertRequest, response: convertAnswer }))
      if (given !== undefined && typeof given !== 'function')
        throw new Error(`convert.${id}.${part} must be a function`);
    const call = compileInnerCall(to, later, contract, id === target && sharesCaller(operation, contract));
    const bridged = async (request: DecodedRequest, context: object): Promise<Answer> => {
      const outer = context as Exchange<unknown>;
      const called = call(outer);
      calls.set(outer, called);
      let answer: Answer;
      try {
        answer = await called.answer(convertRequest?.(request) ?? request);
      } catch (error) {
        const problem = shared.explain?.(error, outer.request) ?? error;
        if (problem instanceof Problem) requireDeclared(outer, problem.status, error);
        throw problem;
      }
      if (answer.status >= 400) requireDeclared(outer, answer.status, answer);
      return withDeclaredHeaders(convertAnswer?.(answer, request) ?? answer, outer);
    };
    return Object.assign(bridged, later.handler.isMock === true && { isMock: true });
  }

  /** Runs the `after` hooks of version 2: with its own request and answer, and with the response that is sent. */
  async function runLaterHooks(outcome: Outcome, context: object): Promise<HttpResponse> {
    const call = calls.get(context);
    let { response } = outcome;
    if (call === undefined) return response;
    for (const hook of call.after) {
      const { decoded, isAccepted, answer } = call.exchange;
      const request = isAccepted ? decoded : undefined;
      const given = await hook({ ...outcome, request, answer: answer as Answer, response }, call.exchange);
      response = (given as HttpResponse | undefined) ?? response;
    }
    return response;
  }

  return restEngine({
    ...shared,
    checkResponses: undefined,
    others: undefined,
    ...own,
    contract: from,
    operations: mapped(from.operations, handlerOf),
    security,
    // The first entry sees the responses of the others.
    hooks: laterHooks.some(({ after }) => after !== undefined) ? [...hooks, { after: runLaterHooks }] : hooks,
  } as never);
}

/** @throws an error, which is masked and reported, for a status of version 2 that version 1 does not declare */
function requireDeclared({ operation }: Exchange<unknown>, status: number, cause: unknown): void {
  if (operation.responses.find(status) !== undefined) return;
  const message = `${operation.id}: version 2 answered ${String(status)}, which version 1 does not declare`;
  throw new Error(message, { cause });
}

/** Leaves out the headers that version 1 does not declare. */
function withDeclaredHeaders(answer: Answer, { operation }: Exchange<unknown>): Answer {
  const { headers = {} } = operation.responses.find(answer.status)?.contract ?? {};
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const given = Object.entries(answer.headers ?? {}).filter(([name]) => names.includes(name.toLowerCase()));
  return { ...answer, headers: Object.fromEntries(given) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function mapped<From, To>(
  entries: Readonly<Record<string, From>>,
  convert: (entry: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, convert(entry, key)]));
}
