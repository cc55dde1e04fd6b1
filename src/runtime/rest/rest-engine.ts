/** Runs a generated REST contract as an HTTP handler. */

import type { RestContract, Signatures, UntypedHandler } from '../contract/contract.js';
import type { HostType, HttpHandler, HttpRequest, HttpResponse } from '../http/message.js';
import { type Call, compileCall } from './call.js';
import { type RouteMatch, Exchange, route } from './steps/exchange.js';
import {
  announceMocks,
  type AnyHandler,
  type AnyLiteral,
  type OperationHandlers,
  type SomeOperationHandlers,
} from './operation/handler.js';
import { type Hooks, selectHooks } from './operation/hooks.js';
import { type RestOperation, compileOperation } from './operation/operation.js';
import { compileSpellings } from '../http/other-spellings.js';
import { type PathMatch, compilePaths, idsByPath } from './operation/path-matcher.js';
import type { SurplusMode } from './operation/surplus.js';
import { type RecoveryOptions, compileRecovery } from './recovery.js';
import type { SecurityHandler } from './operation/security.js';
import { targetOf } from '../http/path-choice.js';

/** The parts that a service adds to a part of its contract. */
interface PartOptions<
  Caller,
  Host = unknown,
  Id extends string = string,
  Scheme extends string = string,
  Handlers extends Signatures<Handlers> = Readonly<Record<Id, UntypedHandler>>,
  Literals = never,
> extends RecoveryOptions<NoInfer<Host>> {
  /** The `contract` of the generated `routing.ts`. */
  readonly contract: RestContract<Id, Scheme, Handlers>;
  /**
   * One handler per operation. Give handlers in another file the generated type `Operations<CallContext<Caller, Host>>`. The
   * handlers of `mockHandlers` (`@concordat/tools/mock`) may be spread first: they serve the operations without another handler.
   */
  readonly operations: SomeOperationHandlers<
    NoInfer<Handlers>,
    NoInfer<Caller>,
    NoInfer<Host>,
    NoInfer<Literals>
  >;
  /**
   * `next` leaves operations without a handler to the server's next handler, with their body unread. On a path with such an
   * operation, the engine answers only the methods of its own handlers: HEAD, OPTIONS and 405 are left to the next handler too.
   * Of a contract that was generated with `only`, these are the operations that `only` leaves out, and the others need a handler.
   */
  readonly others?: 'next' | undefined;
  /**
   * For a path that only its spelling distinguishes from one that the engine serves: another case, a slash too many, an encoded slash,
   * `;parameters`, `#` or `\\`. Many routers take it for that path, so an old route behind the engine would answer it without the
   * engine's checks. `refuse` answers 404, `redirect` 308 with the contract's spelling, and `next` leaves it to the host, as any unknown
   * path. Default: `refuse`.
   */
  readonly otherSpellings?: 'refuse' | 'redirect' | 'next';
  /** One handler per security scheme. */
  readonly security: Readonly<Record<Scheme, SecurityHandler<Caller, Host>>>;
  /**
   * The caller of a request without a credential, if the operation allows it. The compiler infers `Caller` from this and from
   * `security`, but not from inline functions with untyped parameters. With those, give the type here:
   * `undefined as User | undefined`.
   */
  readonly anonymous: Caller;
  /**
   * The request context that the handlers need: `hostType<Context>()`, with Koa's `Context`. The compiler infers `Host` from this
   * and from typed security handlers. Without either, the handlers need none, and the engine runs behind every transport.
   */
  readonly host?: HostType<Host>;
  /**
   * The maximum size of a request body in bytes, for operations without `x-body-limit`; 1 MiB when not given. It also bounds
   * each item and each text field of a streamed body.
   */
  readonly bodyLimit?: number;
  /**
   * Functions that run before and after the handlers. `before` hooks run in the order of the list, `after` hooks in reverse, so
   * that the first entry sees the responses of the others.
   */
  readonly hooks?: readonly Hooks<NoInfer<Caller>, NoInfer<Host>, NoInfer<Handlers>, NoInfer<Literals>>[];
  /**
   * The treatment of members that a closed schema does not declare, in the answers of handlers; `strip` when not given. The first omission
   * per place is passed to `report`. Text and bytes are sent unchanged.
   */
  readonly surplus?: SurplusMode;
}

/** The parts that a service adds to its contract. */
export interface RestEngineOptions<
  Caller,
  Host = unknown,
  Id extends string = string,
  Scheme extends string = string,
  Handlers extends Signatures<Handlers> = Readonly<Record<Id, UntypedHandler>>,
  Literals = never,
> extends PartOptions<Caller, Host, Id, Scheme, Handlers, Literals> {
  readonly operations: OperationHandlers<
    NoInfer<Handlers>,
    NoInfer<Caller>,
    NoInfer<Host>,
    NoInfer<Literals>
  >;
  readonly others?: undefined;
}

/** The options of an engine that a bridge between versions takes over; the compiler has compared their types with the contract. */
export type SharedOptions = Omit<PartOptions<unknown, never>, 'operations' | 'others' | 'host'>;

/** A running contract: a handler that never throws or rejects, because every failure becomes a response. */
export interface RestEngine<Caller, Host = unknown, Handlers = unknown> extends HttpHandler<Host> {
  /** For the compiler only: it is always absent at run time. */
  readonly handlers?: Handlers;
  /** For `versionBridge`. */
  readonly options: SharedOptions;
  /** @param match - the operation and the path's values, if the transport has already called `findPath` */
  (request: HttpRequest<Host>, match?: RouteMatch<Caller>): HttpResponse | Promise<HttpResponse>;
  /** All operations, in the contract's order. */
  readonly operations: readonly RestOperation<Caller>[];
  /** Finds the operations of a path, by method. */
  readonly findPath: (path: string) => PathMatch<RestOperation<Caller>> | undefined;
  readonly serves: (method: string, path: string) => boolean;
  /** Writes an error in the format of the contract's operations, for handlers in front of the engine or next to it. */
  readonly refuse: (error: unknown, request: HttpRequest) => HttpResponse;
}

/** Requires a handler of every operation, of any type: joined with the type of a handler that may be absent, it leaves that type alone. */
type EveryOperation<Handlers> = {
  // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- the only type that leaves the other one alone
  readonly [Id in keyof Handlers]: NonNullable<unknown>;
};

const MEBIBYTE = 1024 * 1024;

/**
 * Compiles a contract and its handlers into an engine. All work that does not depend on the request is done here.
 *
 * @throws when a handler (without `others`), security handler or encoder is missing, or a handler or security handler is not in the
 *   contract; in production, also when an operation has only a mock
 *
 * @example
 * ```ts
 * const engine = restEngine({
 *   contract,
 *   security,
 *   anonymous: undefined,
 *   operations: { getUser: ({ path }) => ({ status: 200, body: { id: path.id, name: 'Ada' } }) },
 *   report: console.error,
 * });
 * const response = await engine(memoryRequest({ path: '/users/1' }));
 * ```
 */
export function restEngine<
  Caller,
  Host,
  Id extends string,
  Scheme extends string,
  Handlers extends Signatures<Handlers> = Readonly<Record<Id, UntypedHandler>>,
  Literals extends AnyLiteral<Literals> = never,
  Others extends 'next' | undefined = undefined,
>(
  options: PartOptions<Caller, Host, Id, Scheme, Handlers, Literals> & { readonly others?: Others } &
    // Not in the type of `operations`: the compiler gives untyped handlers no types from a condition. It requires the handlers alone,
    // because from two types of a handler the compiler infers no literals in what an async function returns.
    (Others extends 'next' ? unknown : { readonly operations: EveryOperation<NoInfer<Handlers>> }),
): RestEngine<Caller, Host, Handlers> {
  const operations = compileOperations(options);
  announceMocks(operations);
  const byId = new Map(operations.map((each) => [each.id, each]));
  const find = compilePaths(options.contract.paths, (id) => byId.get(id));
  const { otherSpellings = 'refuse' } = options;
  const spell = compileSpellings(options.contract.paths, (id) => byId.get(id)?.path);
  const recover = compileRecovery(options);
  const hooksOf = selectHooks(options.hooks ?? [], operations);
  const callOf = (operation: RestOperation<Caller>): Call<Caller> =>
    compileCall(operation, hooksOf(operation), recover);
  const calls = new Map(operations.map((each) => [each, callOf(each)]));

  const answer = (
    request: HttpRequest<Host>,
    match?: RouteMatch<Caller>,
  ): HttpResponse | Promise<HttpResponse> => {
    try {
      const found = match ?? route(request, find, otherSpellings === 'redirect' ? spell : undefined);
      if ('status' in found) return found;
      const { operation, values } = found;
      const exchange = new Exchange(request as HttpRequest<never>, operation, values, options.anonymous);
      return (calls.get(operation) ?? callOf(operation))(exchange);
    } catch (error) {
      return recover(error, request as HttpRequest<never>);
    }
  };
  function serves(method: string, path: string): boolean {
    let targets = find(path)?.targets;
    if (targets === undefined && otherSpellings !== 'next') {
      const spelled = spell(path);
      targets = spelled === undefined ? undefined : find(spelled)?.targets;
    }
    if (targets === undefined) return false;
    if (targetOf(targets, method) !== undefined) return true;
    const [any] = targets.values();
    return any?.sharesPath === false;
  }
  return Object.assign(answer, {
    options: options as unknown as SharedOptions,
    serves,
    others: options.others,
    operations,
    findPath: find,
    refuse: (error: unknown, request: HttpRequest) => recover(error, request as HttpRequest<never>),
  });
}

function compileOperations<Caller, Id extends string, Scheme extends string>(
  options: Omit<
    RestEngineOptions<Caller, never, Id, Scheme>,
    'operations' | 'contract' | 'host' | 'hooks' | 'others'
  > & {
    readonly contract: Pick<
      RestContract<Id, Scheme>,
      'operations' | 'paths' | 'securitySchemes' | 'extensions' | 'surplus' | 'bodyCodecs'
    >;
    readonly operations: object;
    readonly others?: 'next' | undefined;
  },
): readonly RestOperation<Caller>[] {
  const { contract, security, encoders = {}, bodyLimit = MEBIBYTE, checkResponses } = options;
  // The generated signatures are narrower than the engine's types; both come from the same contract.
  const operations = options.operations as Readonly<Record<Id, AnyHandler<Caller>>>;
  const all = Object.keys(contract.operations) as Id[];
  const { others } = options;
  const paths = others === undefined ? [] : idsByPath(contract.paths);
  // A contract that was generated with `only` has the operations of the engine alone: `concordat check` relies on it.
  const isPart = paths.flat().some((id) => !Object.hasOwn(contract.operations, id));
  const ids = others === undefined || isPart ? all : all.filter((id) => Object.hasOwn(operations, id));
  requireExactly('handlers', ids, Object.keys(operations));
  requireExactly('security handlers', Object.keys(contract.securitySchemes), Object.keys(security));
  const { securitySchemes, extensions = {} } = contract;
  const surplus = {
    mode: options.surplus ?? 'strip',
    functions: contract.surplus ?? {},
    report: options.report,
  };
  const served = new Set<string>(ids);
  const shared = new Set(paths.filter((path) => path.some((id) => !served.has(id))).flat());
  const environment = {
    securitySchemes,
    security,
    encoders,
    extensions,
    bodyLimit,
    surplus,
    bodyCodecs: contract.bodyCodecs,
    checkResponses,
    shared,
  };
  return ids.map((id) => compileOperation(id, contract.operations[id], operations[id], environment));
}

/**
 * Compares names.
 *
 * @param what - the compared parts in the message, in the plural: `handlers`
 * @throws an error that lists every missing name and every name that the contract does not have
 */
function requireExactly(what: string, needed: readonly string[], given: readonly string[]): void {
  const missing = needed.filter((name) => !given.includes(name));
  const orphans = given.filter((name) => !needed.includes(name));
  const faults = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(orphans.length > 0 ? [`not in the contract: ${orphans.join(', ')}`] : []),
  ];
  if (faults.length > 0) throw new Error(`the ${what} do not fit the contract; ${faults.join('; ')}`);
}
