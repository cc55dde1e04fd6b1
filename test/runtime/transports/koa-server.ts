/** A small contract behind Koa, over real HTTP: its handlers answer with what reached them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { OperationContract, PathNode, RestContract } from '../../../src/runtime/contract/contract.js';
import { type RestEngine, restEngine } from '../../../src/runtime/rest/rest-engine.js';
import type { Answer, DecodedRequest } from '../../../src/runtime/rest/operation/handler.js';
import { type HttpAnswer, type HttpRequest, send } from '../../support/send.js';

const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'] as const;

/** `GET /users/{id}` and what serves it. */
function operation(route: string): OperationContract {
  const [verb = '', path = ''] = route.split(' ');
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const method = methods.find((each) => each === verb) ?? 'GET';
  return {
    method,
    path,
    parameters: names.map((name, index) => {
      return { in: 'path', name, index, required: true, style: 'simple', value: { type: 'string' } };
    }),
    ...(['PUT', 'POST'].includes(method) && { requestBody: { content: { 'text/plain': { kind: 'text' } } } }),
    security: [],
    responses: { '200': { content: { 'application/json': { kind: 'json' } } } },
  };
}

const ROUTES = {
  root: 'GET /',
  listUsers: 'GET /users',
  createUser: 'POST /users',
  getMe: 'GET /users/me',
  getUser: 'GET /users/{id}',
  replaceUser: 'PUT /users/{id}',
  getPost: 'GET /users/{id}/posts/{post-id}',
  getIndex: 'GET /files/index.json',
  getJson: 'GET /files/{name}.json',
  getRange: 'GET /files/{from}-{to}',
  getFile: 'GET /files/{name}',
  probe: 'HEAD /probe',
  getProbe: 'GET /probe',
  getOdd: 'GET /odd(*)/a+b:c/x!',
};

/** The routes' tree, as the generator writes it. */
const paths: PathNode = {
  literals: {
    '': { operations: { GET: 'root' } },
    users: {
      operations: { GET: 'listUsers', POST: 'createUser' },
      literals: { me: { operations: { GET: 'getMe' } } },
      parameter: {
        operations: { GET: 'getUser', PUT: 'replaceUser' },
        literals: { posts: { parameter: { operations: { GET: 'getPost' } } } },
      },
    },
    files: {
      literals: { 'index.json': { operations: { GET: 'getIndex' } } },
      patterns: [
        { pattern: /^([^/]+?)\.json$/, node: { operations: { GET: 'getJson' } } },
        { pattern: /^([^/]+?)-([^/]+?)$/, node: { operations: { GET: 'getRange' } } },
      ],
      parameter: { operations: { GET: 'getFile' } },
    },
    probe: { operations: { HEAD: 'probe', GET: 'getProbe' } },
    'odd(*)': { literals: { 'a+b:c': { literals: { 'x!': { operations: { GET: 'getOdd' } } } } } },
  },
};

export type OperationName = keyof typeof ROUTES;

/** What a handler answers with when a test does not say otherwise. */
export interface Echo {
  readonly id: string;
  readonly path: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface ContractEngineOptions {
  /** By operation, the answer of its handler in place of the echo. */
  readonly answers?: Readonly<Partial<Record<OperationName, (request: DecodedRequest) => Answer>>>;
  /** By operation, what its contract says of responses in place of one of JSON. */
  readonly responses?: Readonly<Partial<Record<OperationName, OperationContract['responses']>>>;
  readonly bodyLimit?: number;
}

/** An engine for the small contract, and the errors that it masked. */
export function contractEngine({ answers = {}, responses = {}, bodyLimit }: ContractEngineOptions = {}): {
  readonly engine: RestEngine<undefined>;
  readonly reported: readonly unknown[];
} {
  const ids = Object.keys(ROUTES) as OperationName[];
  const reported: unknown[] = [];
  const echo = (id: OperationName) => (request: DecodedRequest) =>
    answers[id]?.(request) ?? { status: 200, body: { id, path: request.path, body: request.body } };
  const contract: RestContract<OperationName> = {
    operations: Object.fromEntries(
      ids.map((id) => [id, { ...operation(ROUTES[id]), ...(responses[id] && { responses: responses[id] }) }]),
    ) as Record<OperationName, OperationContract>,
    paths,
    securitySchemes: {},
    xmlNames: {},
  };
  const engine = restEngine({
    contract,
    operations: Object.fromEntries(ids.map((id) => [id, echo(id)])) as Record<OperationName, () => Answer>,
    security: {},
    anonymous: undefined,
    report: (error: unknown) => void reported.push(error),
    ...(bodyLimit !== undefined && { bodyLimit }),
  });
  return { engine, reported };
}

/** A Koa server, for the test that started it. */
export class KoaServer {
  /** What Koa itself had to report: nothing, if all that goes wrong is the engine's. */
  readonly errors: unknown[] = [];
  readonly #server: Server;

  private constructor(setUp: (app: Koa) => unknown) {
    const app = new Koa();
    setUp(app);
    app.on('error', (error) => this.errors.push(error));
    const answer = app.callback();
    this.#server = createServer((request, response) => void answer(request, response));
  }

  static async start(setUp: (app: Koa) => unknown): Promise<KoaServer> {
    const server = new KoaServer(setUp);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  send(request: HttpRequest): Promise<HttpAnswer> {
    return send(this.url, request);
  }

  get(path: string): Promise<HttpAnswer> {
    return this.send({ method: 'GET', path });
  }

  /** What the handler of a path was handed; the text of any other answer. */
  async echo(path: string, method = 'GET'): Promise<Echo | string> {
    const { status, text } = await this.send({ method, path });
    return status === 200 ? (JSON.parse(text) as Echo) : `${String(status)} ${text}`;
  }

  stop(): Promise<unknown> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Runs a test against a server, and always stops it. */
export async function withServer(
  setUp: (app: Koa) => unknown,
  test: (server: KoaServer) => Promise<void>,
): Promise<void> {
  const server = await KoaServer.start(setUp);
  try {
    await test(server);
  } finally {
    await server.stop();
  }
}
