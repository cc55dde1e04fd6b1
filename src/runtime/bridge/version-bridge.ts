/** Serves version 1 of a contract from the engine of version 2: version 1 at the edge, version 2's handlers behind it. */

import type { RestContract, Signatures, UntypedHandler } from '../contract/contract.js';
import { hostProblem, Problem } from '../http/problem.js';
import type { Answer, AnyHandler, DecodedRequest } from '../rest/operation/handler.js';
import { type AfterHook, type AnyHooks, selectHooks } from '../rest/operation/hooks.js';
import { chooseRepresentation } from '../rest/operation/response.js';
import type { SecurityHandler } from '../rest/operation/security.js';
import {
  type RestEngine,
  type RestEngineOptions,
  type SharedOptions,
  restEngine,
} from '../rest/rest-engine.js';
import { Exchange } from '../rest/steps/exchange.js';
import type { Conversions, Verdict } from './conversions.js';
import { innerCall } from './inner-call.js';

/** The parts of a bridge. Those that both versions have are taken from the engine of version 2 unless given. */
export interface VersionBridgeOptions<V1 extends Signatures<V1>, V2, Caller, Host, Convert> extends Partial<
  Pick<
    RestEngineOptions<NoInfer<Caller>, NoInfer<Host>, string, string, NoInfer<V1>>,
    'encoders' | 'problems' | 'explain' | 'report' | 'bodyLimit' | 'surplus' | 'hooks' | 'checkResponses'
  >
> {
  /** The `contract` of version 1. */
  readonly from: RestContract<string, string, V1>;
  /** The engine of version 2, or a bridge to a later version. The type `RestEngine<Caller>` would leave out its operations. */
  readonly to: RestEngine<Caller, Host, V2>;
  /** The conversions by the operationId of version 1: those that the types require, and others with `because`. */
  readonly convert: Convert;
  /** Security handlers, for schemes that version 2 does not have, or whose credentials are others. */
  readonly security?: Readonly<Record<string, SecurityHandler<NoInfer<Caller>, NoInfer<Host>>>>;
}

interface RequestCounts {
  /** The number of requests since the start, by operation. */
  readonly requests: Readonly<Record<string, number>>;
}

interface AnyConversion {
  readonly to?: string;
  readonly request?: (request: DecodedRequest) => DecodedRequest;
  readonly response?: (answer: Answer, request: DecodedRequest) => Answer;
  readonly handler?: AnyHandler<unknown>;
}

type AnyHandlers = Readonly<Record<string, UntypedHandler>>;
type AnyConversions = Readonly<Record<string, AnyConversion>>;

/**
 * Makes an engine of an old version of a contract that answers from the engine of a new version. A request passes the routing, the checks
 * and the security of version 1, the conversion, the security, the checks, the hooks and the handler of version 2, the conversion back,
 * and the check of version 1's responses.
 *
 * @param this - for the compiler only: a sentence if a conversion is missing, wrong or superfluous
 * @throws when version 2 does not serve an operation that has no handler, when a security handler is missing, and when version 2 has
 *   an `after` hook of an operation, and the bridge has none
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
  // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- it is empty for any contract
  Convert extends Conversions<V1, V2, Caller, Host>,
>(
  this: Verdict<V1, V2, Convert>,
  options: VersionBridgeOptions<V1, V2, Caller, Host, Convert>,
): RestEngine<Caller, Host, V1> & RequestCounts;
export function versionBridge({
  from,
  to,
  convert,
  hooks: ownHooks = [],
  ...own
}: VersionBridgeOptions<AnyHandlers, unknown, unknown, never, AnyConversions>): object {
  const { hooks: laterHooks = [], ...shared } = to.options;
  const operations = Object.entries(from.operations);
  const conversions = new Map(Object.entries(convert));
  for (const [id, conversion] of conversions) {
    if (!Object.hasOwn(from.operations, id)) throw new Error(`convert.${id} names no operation of version 1`);
    for (const [part, value] of Object.entries(conversion))
      if (!PARTS.split(', ').includes(`${part}: ${typeof value}`))
        throw new Error(`convert.${id}.${part} is none of the parts ${PARTS}`);
  }
  const names = Object.keys(from.securitySchemes).filter((name) => Object.hasOwn(shared.security, name));
  const inherited = names.map((name) => [name, shared.security[name]] as const);
  const security = { ...Object.fromEntries(inherited), ...own.security };
  /** The parts of an operation on which its caller depends. A security handler may decide by the operationId. */
  const securityOf = (
    { operations: all, securitySchemes }: SharedOptions['contract'],
    id: string,
  ): string => {
    const { security: required = [], extensions } = all[id] ?? {};
    const schemes = required.flatMap(Object.keys).map((name) => securitySchemes[name]);
    return JSON.stringify([id, required, schemes, extensions?.['x-ignore-invalid-credentials']]);
  };
  const hooksOf = selectHooks(laterHooks as readonly AnyHooks[], to.operations);
  const laterAfter = selectHooks(afterByOperation(laterHooks as readonly AnyHooks[]), to.operations);
  const needAfter = new Set<string>();

  function handlerOf(id: string): AnyHandler<unknown> {
    const { handler, to: target = id, ...functions } = conversions.get(id) ?? {};
    if (handler !== undefined) return handler;
    const operation = to.operations.find((each) => each.id === target);
    const contract = shared.contract.operations[target];
    if (operation === undefined || contract === undefined)
      throw new Error(`convert.${id} needs \`to\` or \`handler\`: version 2 serves no operation ${target}`);
    const { before } = hooksOf(operation);
    if (laterAfter(operation).after.length > 0) needAfter.add(id);
    // Then a credential is not checked twice.
    const knowsCaller =
      securityOf(from, id) === securityOf(shared.contract, target) &&
      contract.security.flatMap(Object.keys).every((name) => security[name] === shared.security[name]);
    const { request: convertRequest = asIs, response: convertAnswer = asIs } = functions;
    const bridged = async (given: DecodedRequest, context: object): Promise<Answer> => {
      const outer = context as Exchange<unknown>;
      const request = convertRequest(given);
      const caller = knowsCaller ? outer.caller : shared.anonymous;
      const exchange = new Exchange(outer.request, operation, [], caller);
      let answer: Answer;
      try {
        answer = await innerCall(exchange, contract, before, request, knowsCaller);
      } catch (error) {
        const problem = shared.explain?.(error, outer.request) ?? hostProblem(error) ?? error;
        if (problem instanceof Problem) requireDeclared(outer, problem.status, error);
        throw problem;
      }
      if (answer.status >= 400) requireDeclared(outer, answer.status, answer);
      return declaredPart(convertAnswer(answer, given), outer);
    };
    return Object.assign(bridged, operation.handler.isMock === true && { isMock: true });
  }

  const requests = Object.fromEntries(operations.map(([id]) => [id, 0]));
  const announced = operations.map(([id, { extensions }]) => {
    const [ofDocument, ofOperation] = [from.extensions, extensions].map((each) => each?.['x-deprecation']);
    return [id, deprecationHeaders(Object.assign({}, ofDocument, ofOperation) as Deprecation)] as const;
  });
  const headersOf = new Map(announced);
  /** Counts a request, and adds the headers of `x-deprecation` to its response, also to a refusal. */
  const announce: AfterHook<unknown> = ({ response }, { operationId }) => {
    requests[operationId] = (requests[operationId] ?? 0) + 1;
    const own = headersOf.get(operationId);
    const { Link } = response.headers;
    const links = Link && own?.Link && { Link: [Link, own.Link].flat().join(', ') };
    return { ...response, headers: { ...own, ...response.headers, ...(links || undefined) } };
  };
  // Those of version 2 for all operations see the responses of version 1.
  const afterAll = laterHooks.flatMap(({ after }) => (typeof after === 'function' ? [{ after }] : []));
  const hooks = [...ownHooks, ...afterAll];
  const engine = restEngine({
    ...shared,
    checkResponses: undefined,
    others: undefined,
    ...own,
    contract: from,
    operations: Object.fromEntries(operations.map(([id]) => [id, handlerOf(id)])),
    security,
    hooks: [{ after: announce }, ...hooks],
  } as never) as RestEngine<unknown, never>;
  const ownAfter = selectHooks(afterByOperation(ownHooks as readonly AnyHooks[]), engine.operations);
  const lost = engine.operations.filter(
    (each) => needAfter.has(each.id) && ownAfter(each).after.length === 0,
  );
  if (lost.length > 0) {
    const ids = lost.map(({ id }) => id).join(', ');
    throw new Error(
      `version 2 has \`after\` hooks of these operations, which get its responses: ${ids}. Give the bridge \`after\` hooks of the same operations, for the responses of version 1`,
    );
  }
  // A bridge to this one has its own counts and headers.
  return Object.assign(engine, { requests, options: { ...engine.options, hooks } });
}

/** The `after` hooks of single operations, and of those that selectors choose. */
function afterByOperation(hooks: readonly AnyHooks[]): readonly AnyHooks[] {
  return hooks.flatMap(({ after }) => (typeof after === 'object' ? [{ after }] : []));
}

const PARTS = 'to: string, because: string, request: function, response: function, handler: function';

function asIs<Value>(value: Value): Value {
  return value;
}

/** @throws an error, which is masked and reported, for a status of version 2 that version 1 does not declare */
function requireDeclared({ operation }: Exchange<unknown>, status: number, cause: unknown): void {
  if (operation.responses.find(status) !== undefined) return;
  const message = `${operation.id}: version 2 answered ${String(status)}, which version 1 does not declare`;
  throw new Error(message, { cause });
}

/** What version 1 declares of an answer: that of version 2 may have more headers, and more members than a closed schema has. */
function declaredPart(answer: Answer, { operation, mediaType, request }: Exchange<unknown>): Answer {
  const response = operation.responses.find(answer.status);
  let declared = answer;
  if (answer.headers !== undefined) {
    const names = new Set(Object.keys(response?.contract.headers ?? {}).map((name) => name.toLowerCase()));
    const given = Object.entries(answer.headers).filter(([name]) => names.has(name.toLowerCase()));
    declared = { ...answer, headers: Object.fromEntries(given) };
  }
  // Without a check of responses, the engine omits members as it writes them.
  if (!operation.checker || !response?.representations.length) return declared;
  const { strip = asIs, hasItems } = chooseRepresentation(response, answer.contentType, mediaType);
  return hasItems ? declared : { ...declared, body: strip(answer.body, answer.status, request) };
}

/** The value of `x-deprecation`, which the generator has checked. */
export interface Deprecation {
  /** The day from which the operation is deprecated, such as `2026-01-31`. */
  readonly date?: string;
  /** The day after which it may be gone. */
  readonly sunset?: string;
  /** The address of its successor. */
  readonly successor?: string;
}

type DeprecationHeaders = Readonly<Partial<Record<'Deprecation' | 'Sunset' | 'Link', string>>>;

/** `Deprecation` (RFC 9745 §2.1: a structured date), `Sunset` (RFC 8594 §3: an HTTP date) and `Link` (RFC 5829 §3.5). */
export function deprecationHeaders({ date, sunset, successor }: Deprecation): DeprecationHeaders {
  const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
  return {
    ...(date !== undefined && { Deprecation: `@${String(startOf(date).getTime() / 1000)}` }),
    ...(sunset !== undefined && { Sunset: startOf(sunset).toUTCString() }),
    ...(successor !== undefined && { Link: `<${successor}>; rel="successor-version"` }),
  };
}
