/** Serves a handler through Koa: a REST contract as a real `@koa/router` Router, any other handler as middleware. */

import {
  type Layer,
  type MatchResult,
  Router,
  type RouterContext,
  type RouterMiddleware,
  type RouterOptions,
} from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import type { HttpHandler, HttpResponse } from '../http/message.js';
import { belowSpelling } from '../http/other-spellings.js';
import {
  type TransportOptions,
  compilePathChoice,
  requireAll,
  targetOf,
  throwRefusal,
} from '../http/path-choice.js';
import type { RestEngine, RestOperation } from '../index.js';
import { PathFinder, matchByContract, matchClaims, routerPath, compilePrefix } from './koa-layer.js';
import { KoaRequest, type SendResponse, pathOf, sendResponse } from './koa-message.js';
import { METHODS } from './node/node-request.js';

export { type SendResponse, pathOf, sendPastKoa, sendResponse } from './koa-message.js';

export interface KoaSendOptions {
  /**
   * Writes the responses. Unless given, Koa writes them after all middleware, which may change the handler's response. In an
   * application without such middleware, `sendPastKoa` takes an eighth less time for a small response.
   */
  readonly send?: SendResponse;
}

export interface KoaTransportOptions
  extends RouterOptions, Pick<TransportOptions, 'unknownPaths' | 'refusals'>, KoaSendOptions {
  /**
   * For a method that a path does not have: `answer` is the engine's OPTIONS or 405, and `next` leaves it to the next middleware,
   * such as the `allowedMethods()` of the application's own router. Default: `answer`.
   */
  readonly unknownMethods?: 'next' | 'answer';
}

/**
 * A router that serves a contract. Its layers carry the operationIds as names, so that `url()`, prefixes, nesting and
 * middleware work as in any other router; the contract's tree decides which layer a path matches.
 *
 * Paths that the contract does not have go to the next middleware, unless `unknownPaths` is `answer`. The host of handlers is
 * Koa's context. `Host` may narrow its state to the values that middleware in front sets.
 *
 * @example
 * ```ts
 * const app = new Koa();
 * app.use(koaTransport(engine).routes());
 * app.use(koaTransport(graphqlHttp(graphql, { openSession })));
 * app.listen(3000);
 * ```
 */
export function koaTransport<Caller, Host extends Context>(
  engine: RestEngine<Caller, Host>,
  options?: KoaTransportOptions,
): Router;
/** Middleware that serves any other handler. */
export function koaTransport<Host extends Context>(
  handler: HttpHandler<Host>,
  options?: TransportOptions & KoaSendOptions,
): Middleware;
export function koaTransport<Caller>(
  handler: RestEngine<Caller, Context> | HttpHandler<Context>,
  options: KoaTransportOptions | (TransportOptions & KoaSendOptions) = {},
): Router | Middleware {
  return 'operations' in handler
    ? new ContractRouter(handler, { ...options })
    : middlewareOf(handler, options);
}

function middlewareOf(handler: HttpHandler<Context>, options: TransportOptions & KoaSendOptions): Middleware {
  const choose = compilePathChoice(handler, options);
  const send = senderOf(options);
  return (context, next) => {
    const path = choose(pathOf(context), context.method);
    return path === undefined ? next() : answer(context, handler(new KoaRequest(context, path)), send);
  };
}

function senderOf({
  send = sendResponse,
  refusals,
}: {
  readonly send?: SendResponse | undefined;
  readonly refusals?: TransportOptions['refusals'] | undefined;
}): SendResponse {
  if (refusals !== 'throw') return send;
  return (context, response) => {
    throwRefusal(response, { refusals });
    send(context, response);
  };
}

/** Writes a response, at once or when it resolves; returns a promise only if the handler does. */
function answer(
  context: Context,
  response: HttpResponse | Promise<HttpResponse>,
  send: SendResponse,
): Promise<void> | undefined {
  if (!(response instanceof Promise)) {
    send(context, response);
    return undefined;
  }
  return response.then((settled) => {
    send(context, settled);
  });
}

class ContractRouter<Caller> extends Router {
  /** One layer per operation. The router's other layers, but for the one after these, were added later. */
  readonly layers: ReadonlyMap<RestOperation<Caller>, Layer>;
  readonly finder: PathFinder<Caller>;
  readonly unknownPaths: 'next' | 'answer';
  readonly #unknownMethods: 'next' | 'answer';
  readonly #send: SendResponse;
  /** Only a router in which this one is nested calls it: such a router copies layers, but no `not-found` handlers. */
  readonly #claims: Layer;
  #prefix: { readonly text: string; readonly split: ReturnType<typeof compilePrefix> } | undefined;

  constructor(
    private readonly engine: RestEngine<Caller, Context>,
    { unknownPaths = 'next', unknownMethods = 'answer', send, refusals, ...options }: KoaTransportOptions,
  ) {
    super(options);
    if (unknownPaths === 'answer') requireAll(engine);
    this.#send = senderOf({ send, refusals });
    this.finder = new PathFinder((path) => engine.findPath(path));
    this.unknownPaths = unknownPaths;
    this.#unknownMethods = unknownMethods;
    // If a path has a `HEAD` operation, `GET` does not answer `HEAD`.
    const ownHeads = new Set(
      engine.operations.filter(({ method }) => method === 'HEAD').map(({ path }) => path),
    );
    this.layers = new Map(
      engine.operations.map((operation) => {
        const layer = this.#addLayer(operation);
        if (ownHeads.has(operation.path) || operation.sharesPath) layer.methods = [operation.method];
        return [operation, layer];
      }),
    );
    this.#claims = this.#addClaims();
    this.on('not-found', (context, next) => this.#answerUnknown(context, next));
  }

  /** Answers a path, or a method on a path, that the contract does not have. */
  #answerUnknown(context: Context, next: Next): unknown {
    const path = this.#pathWithin(pathOf(context));
    const { prefix = '' } = this.opts;
    const claim =
      path === undefined
        ? this.#claim(context, belowSpelling(prefix, pathOf(context)), '/')
        : this.#claim(context, path);
    if ((claim ?? this.unknownPaths) === 'next') return next();
    // A path outside the prefix is never in the contract, even if it looks like one of its paths.
    return answer(context, this.engine(new KoaRequest(context, path ?? '')), this.#send);
  }

  /**
   * Whether the router answers a request that no operation serves; undefined for a path that the contract does not have.
   *
   * @param slash - added for a handler that claims other spellings, if it is the prefix that is spelled otherwise
   */
  #claim({ method }: Context, path: string | undefined, slash = ''): 'next' | 'answer' | undefined {
    if (path === undefined || !this.engine.serves(method, path + slash)) return undefined;
    return slash === '' && this.engine.findPath(path) !== undefined ? this.#unknownMethods : 'answer';
  }

  /** For nesting: a layer of all methods that answers OPTIONS, other methods, and other spellings of paths. */
  #addClaims(): Layer {
    const handler: RouterMiddleware = (context, next) => {
      const layers: readonly Layer[] = context.matched ?? [];
      context.matched = layers.filter(({ stack }) => stack.at(-1) !== handler);
      const isOthers = context.matched.some(({ methods }: Layer) => methods.includes(context.method));
      const [within = '', path = ''] = (context.captures as string[]).slice(-2);
      if (isOthers || (this.#claim(context, within) ?? 'next') === 'next') return next();
      return answer(context, this.engine(new KoaRequest(context, path)), this.#send);
    };
    this.register('/', [...METHODS], handler, { sensitive: true, strict: true });
    const layer = this.stack.at(-1);
    if (layer === undefined) throw new Error('the router keeps no layers');
    const methods = new Set(this.engine.operations.map(({ method }) => method));
    matchClaims(layer, (path) => {
      const found = this.finder.find(path);
      if (found === undefined) return [...methods].some((method) => this.engine.serves(method, path));
      return this.#unknownMethods === 'answer' && [...found.targets.values()][0]?.sharesPath === false;
    });
    return layer;
  }

  #addLayer(operation: RestOperation<Caller>): Layer {
    const handler: RouterMiddleware = (context) => {
      // The values of the contract's own parameters come after those of a prefix.
      const captures: readonly string[] = context.captures ?? [];
      const values = captures.slice(captures.length - operation.parameterCount);
      const request = new KoaRequest(context, pathOf(context));
      return answer(context, this.engine(request, { operation, values }), this.#send);
    };
    const layerOptions = { name: operation.id, sensitive: true, strict: true };
    this.register(routerPath(operation.path), [operation.method], handler, layerOptions);
    const layer = this.stack.at(-1);
    if (layer === undefined) throw new Error('the router keeps no layers');
    matchByContract(layer, operation, this.finder);
    return layer;
  }

  /** The path without the router's prefix, which may be set at any time. */
  #pathWithin(path: string): string | undefined {
    const { prefix } = this.opts;
    if (!prefix) return path;
    if (this.#prefix?.text !== prefix) this.#prefix = { text: prefix, split: compilePrefix(prefix) };
    return this.#prefix.split(path)?.within;
  }

  /**
   * A router with only the contract's layers, and no prefix, need not compose middleware for each request: this dispatcher does the
   * same work as the inherited one, for the only matching layer. With the inherited one, a short response takes 9 % more CPU time on Node 20, and
   * 8 % more on Node 24.
   */
  override middleware(): ReturnType<Router['middleware']> {
    const inherited = super.middleware();
    const dispatch: typeof inherited = (context, next): unknown => {
      const path = pathOf(context);
      // The inherited dispatcher would read Koa's path, which throws if the target is not a URL.
      if (path === '') return this.host === undefined ? this.#answerUnknown(context, next) : next();
      if (this.stack.length !== this.layers.size + 1 || this.host !== undefined || this.opts.prefix)
        return inherited(context, next);
      const found = this.engine.findPath(path);
      // The inherited dispatcher finds the operation that answers HEAD.
      const operation = found?.targets.get(context.method);
      const layer = operation && this.layers.get(operation);
      // A layer with more handlers has those of `router.param`.
      if (found === undefined || operation === undefined || layer?.stack.length !== 1) {
        return inherited(context, next);
      }
      context.routeMatched = true;
      context.matched = [layer];
      context._matchedRoute = layer.path;
      context.routerPath = String(layer.path);
      if (layer.name !== undefined) context._matchedRouteName = context.routerName = layer.name;
      const { values } = found;
      const captures = [...values];
      context.captures = captures;
      context.params = layer.params(path, captures, context.params);
      // Koa's types lack the properties that a router adds: the router, and the parameters on the request.
      const routerContext = context as unknown as RouterContext;
      routerContext.router = this;
      routerContext.request.params = context.params;
      return answer(context, this.engine(new KoaRequest(context, path), { operation, values }), this.#send);
    };
    return Object.assign(dispatch, { router: this });
  }

  override match(path: string, method: string): MatchResult {
    const within = this.#pathWithin(path);
    const found = within === undefined ? undefined : this.finder.find(within);
    const operation = found && targetOf(found.targets, method);
    const own = operation && this.layers.get(operation);
    if (this.stack.length === this.layers.size + 1) {
      if (own !== undefined) return { path: [own], pathAndMethod: [own], route: true };
      // `allowedMethods()` names the methods of these layers. On a shared path, it names those of the host's own routes.
      const path = [...(found?.targets.values() ?? [])].flatMap((each) =>
        each.sharesPath ? [] : (this.layers.get(each) ?? []),
      );
      return { path, pathAndMethod: [], route: false };
    }
    // Middleware and routes that were added to the router later run in the order of registration.
    const contractLayers = new Set([...this.layers.values(), this.#claims]);
    const matching = this.stack.filter((layer) =>
      contractLayers.has(layer) ? layer === own : layer.match(path),
    );
    const pathAndMethod = matching.filter(({ methods }) => methods.length === 0 || methods.includes(method));
    return { path: matching, pathAndMethod, route: pathAndMethod.some(({ methods }) => methods.length > 0) };
  }
}
