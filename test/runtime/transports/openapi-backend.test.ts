/** Tests that the engine answers the same directly and behind openapi-backend, on an OpenAPI 3.1 contract. */
import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Context, type Document, type HandlerMap, OpenAPIBackend, type Options } from 'openapi-backend';
import { contract } from '../../../generated/routing.js';
import {
  type HttpResponse,
  Problem,
  type RestContract,
  type RestEngine,
  memoryRequest,
  restEngine,
} from '../../../src/runtime/index.js';
import type { DecodedRequest } from '../../../src/runtime/rest/operation/handler.js';
import { openapiBackendHandlers } from '../../../src/runtime/transports/openapi-backend.js';
import type { Node } from '../../contract/contract-document.js';
import { type PlainRequest, randomRequests } from '../differential/random-requests.js';
import { unexpectedReport } from '../../support/unexpected-report.js';
import { runs } from '../../support/budget.js';

const document = parseYaml(await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8')) as Node;

// Without the types of its operations, which answer with what the contract does not have.
const untyped: RestContract = contract as Omit<typeof contract, 'handlers'>;

const letIn = (caller: string) => ({ missing: 'No credential', authenticate: () => ({ caller }) });

/** An engine whose operations answer with what they were given. */
const engine: RestEngine<string> = restEngine<string, unknown, string, string>({
  contract: untyped,
  operations: Object.fromEntries(
    Object.keys(contract.operations).map((id) => [
      id,
      (request: DecodedRequest, { caller }: { readonly caller: string }) => {
        throw new Problem(499, JSON.stringify({ id, caller, request }));
      },
    ]),
  ),
  security: { bearerAuth: letIn('a user'), apiKeyAuth: letIn('a service') },
  anonymous: 'nobody',
  encoders: { 'application/xml': String },
  report: unexpectedReport,
});

/** The operation and the handlers that a team has beside the engine's. */
const LEGACY = {
  get: {
    operationId: 'legacy',
    parameters: [{ name: 'size', in: 'query', required: true, schema: { type: 'integer' } }],
    responses: { '200': { description: 'The old list.' } },
  },
};
const said =
  (text: string, status = 200) =>
  () => ({ status, headers: {}, body: text });
const theirs: HandlerMap = {
  legacy: said('their operation'),
  validationFail: said('their validation'),
  notFound: said('their 404', 404),
};

const definition = document as unknown as Document;

async function started(options: Partial<Options>): Promise<OpenAPIBackend> {
  return await new OpenAPIBackend({ definition, quick: true, strict: true, ...options }).init();
}

const instances: readonly (readonly [name: string, apiRoot: string, start: () => Promise<OpenAPIBackend>])[] =
  [
    ['its own instance', '', () => started({ validate: false, handlers: openapiBackendHandlers(engine) })],
    [
      "a team's instance, which validates its own operations",
      '/v1',
      async () => {
        const paths = { ...(document['paths'] as Node), '/legacy': LEGACY };
        const handlers = openapiBackendHandlers(engine, theirs);
        const validate = ({ operation }: Context) => operation.operationId === 'legacy';
        const backend = await started({
          definition: { ...document, paths } as never,
          apiRoot: '/v1',
          validate,
        });
        backend.register(handlers);
        return backend;
      },
    ],
  ];

describe('openapiBackendHandlers', () => {
  for (const [name, apiRoot, start] of instances) {
    it(`lets the engine answer as it does directly, on ${name}`, async () => {
      const backend = await start();
      const statuses = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(randomRequests(document).filter(isDecodable), async (request) => {
          const expected = await direct(request);
          const actual = await behind(backend, apiRoot, request);
          // The team's handler answers for paths that the engine does not have.
          const isTheirs = apiRoot !== '' && engine.findPath(request.path) === undefined;
          if (isTheirs) expect(actual.status).to.equal(expected.status);
          else expect(actual).to.deep.equal(expected);
          statuses.set(expected.status, (statuses.get(expected.status) ?? 0) + 1);
        }),
        { numRuns: runs(3000), seed: 20_260_301 },
      );
      // The requests are good and bad ones, or their agreement says little.
      expect([...statuses.keys()]).to.include.members([400, 404, 405, 415, 499]);
      expect(statuses.get(499)).to.be.above(runs(900));
    });
  }

  it('cannot help where openapi-backend itself fails on the path', async () => {
    const backend = await started({ validate: false, handlers: openapiBackendHandlers(engine) });
    const request = { method: 'GET', path: '/api/orders/%', headers: {} };
    expect(await backend.handleRequest(request, request).catch(String)).to.equal('URIError: URI malformed');
  });

  it("leaves a team's own requests to its own handlers", async () => {
    const [, [, , start] = []] = instances;
    const backend = (await start?.()) ?? expect.fail();
    const bodyOf = async (path: string): Promise<unknown> =>
      (await behind(backend, '', { method: 'GET', path, query: '', headers: {}, body: undefined })).body;
    expect(await bodyOf('/v1/legacy?size=1')).to.equal('their operation');
    expect(await bodyOf('/v1/legacy?size=x')).to.equal('their validation');
    expect(await bodyOf('/v1/nothing')).to.equal('their 404');
    expect(await bodyOf('/v1/api/users/1')).to.include('getUser');
  });

  it('fails closed where the team has no handler of an event', async () => {
    const paths = { ...(document['paths'] as Node), '/legacy': LEGACY };
    const handlers = openapiBackendHandlers(engine, { legacy: said('their operation') });
    const backend = await started({ definition: { ...document, paths } as never, handlers });
    const request = { method: 'GET', path: '/legacy', headers: {} };
    const refused: unknown = await backend.handleRequest(request, request).catch(String);
    expect(refused).to.equal('Error: legacy refuses the request, and there is no handler validationFail');
  });

  it('is refused by a strict instance whose document lacks an operation', async () => {
    const paths = { ...(document['paths'] as Node), '/api/feed': {} };
    const backend = started({
      definition: { ...document, paths } as never,
      handlers: openapiBackendHandlers(engine),
    });
    expect(await backend.catch(String)).to.match(/Unknown operationId getFeed/);
  });

  const bodies: readonly (readonly [what: string, contentType: string, body: unknown, text: string])[] = [
    ['parsed JSON', 'application/json', { email: 'a@example.com', password: 'x' }, '"email":"a@example.com"'],
    ['a null', 'application/json', null, 'body must be object'],
    ['no body', '', undefined, 'body'],
  ];
  for (const [what, contentType, body, text] of bodies) {
    it(`takes ${what} of a body parser in front`, async () => {
      const backend = await started({ validate: false, handlers: openapiBackendHandlers(engine) });
      const headers: Record<string, string> = contentType === '' ? {} : { 'content-type': contentType };
      const request = { method: 'POST', path: '/api/auth/login', headers, body };
      const response = (await backend.handleRequest(request, request)) as HttpResponse;
      expect((response.body as string).replaceAll('\\', '')).to.include(text);
    });
  }

  it('reads the query as it was sent where Express has parsed it', async () => {
    const backend = await started({ validate: false, handlers: openapiBackendHandlers(engine) });
    const request = { method: 'GET', path: '/api/users', headers: {}, query: { city: 'Ulm' } };
    const parsed = (await backend.handleRequest(request, request)) as HttpResponse;
    expect(parsed.body).to.include('Ulm');
    const express = { ...request, query: {}, url: '/api/users?city=Ulm' };
    const { body } = (await backend.handleRequest(request, express)) as HttpResponse;
    expect(body).to.equal(parsed.body);
  });

  it('says how it is called', async () => {
    const backend = await started({ validate: false, handlers: openapiBackendHandlers(engine) });
    const refused: unknown = await backend
      .handleRequest({ method: 'GET', path: '/api/users', headers: {} })
      .catch(String);
    expect(refused).to.equal('Error: the request is missing: call handleRequest(request, request)');
  });
});

/** It decodes the path before it calls any handler. */
function isDecodable({ path }: PlainRequest): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

async function direct({ body, ...request }: PlainRequest): Promise<HttpResponse> {
  return await engine(memoryRequest({ ...request, body: body ?? '' }));
}

async function behind(
  backend: OpenAPIBackend,
  apiRoot: string,
  { method, path, query, headers, body }: PlainRequest,
): Promise<HttpResponse> {
  const target = `${apiRoot}${path}${query === '' ? '' : `?${query}`}`;
  const request = { method, path: target, headers: { ...headers }, body };
  return (await backend.handleRequest(request, request)) as HttpResponse;
}
