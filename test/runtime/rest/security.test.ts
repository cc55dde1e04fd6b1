/** Tests which callers satisfy the security of an operation, and how others are refused (OpenAPI, Security Requirement Object). */
import { expect } from 'chai';
import type { SecurityRequirement, SecurityScheme } from '../../../src/runtime/contract/contract.js';
import type { HttpResponse } from '../../../src/runtime/http/message.js';
import type { Authentication, SecurityHandler } from '../../../src/runtime/rest/operation/security.js';
import { bodyOf, oneOperation, problem, type RequestDraft, type Who } from './one-operation.js';

const schemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  oauth: { type: 'oauth2' },
  oidc: { type: 'openIdConnect' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  inherited: { type: 'apiKey', in: 'header', name: 'constructor' },
} as const satisfies Record<string, SecurityScheme>;

type Scheme = keyof typeof schemes;

/** Accepts `good`, and `good:scope,scope` with those scopes; refuses the rest in the scheme's name. */
function handlerOf(scheme: Scheme): SecurityHandler<Who> {
  return {
    missing: `${scheme} is missing`,
    authenticate: (credential): Authentication<Who> => {
      const [name, scopes = ''] = credential.split(':');
      if (name !== 'good') return { refused: `${scheme} is refused` };
      return { caller: `${scheme} caller`, scopes: scopes.split(',') };
    },
  };
}

const handlers = Object.fromEntries(
  Object.keys(schemes).map((scheme) => [scheme, handlerOf(scheme as Scheme)]),
);

async function ask(
  security: readonly SecurityRequirement[],
  request: RequestDraft,
  extensions: Readonly<Record<string, boolean>> = {},
): Promise<HttpResponse> {
  const engine = oneOperation({
    operation: { security, extensions },
    securitySchemes: schemes,
    security: handlers,
    handler: (_request, { caller }) => ({ status: 200, body: caller }),
  });
  return engine.send(request);
}

/** The caller that the handler saw, or the status and the sentence of the refusal. */
async function outcome(...question: Parameters<typeof ask>): Promise<string> {
  const response = await ask(...question);
  if (response.status === 200) return String(bodyOf(response));
  return `${String(response.status)} ${(bodyOf(response) as { detail: string }).detail}`;
}

const withHeaders = (headers: RequestDraft['headers'] = {}): RequestDraft => ({ headers });
const bearer = (token: string): RequestDraft => withHeaders({ authorization: `Bearer ${token}` });

describe('security', () => {
  describe('finds a credential', () => {
    const found: readonly (readonly [scheme: Scheme, request: RequestDraft])[] = [
      ['bearer', bearer('good')],
      ['bearer', withHeaders({ authorization: 'bEaReR   good ' })],
      ['basic', withHeaders({ authorization: 'Basic good' })],
      ['oauth', bearer('good')],
      ['oidc', bearer('good')],
      ['header', withHeaders({ 'x-key': 'good' })],
      ['header', withHeaders({ 'x-key': ['good'] })],
      ['inherited', withHeaders({ constructor: ['good'] })],
      ['query', { query: 'a=1&key=good&b=2' }],
      ['query', { query: 'key=%67ood' }],
      ['cookie', withHeaders({ cookie: 'a=1; session=good; b=2' })],
      ['cookie', withHeaders({ cookie: 'session=good' })],
    ];
    for (const [scheme, request] of found) {
      it(`of ${scheme} in ${JSON.stringify(request)}`, async () => {
        expect(await outcome([{ [scheme]: [] }], request)).to.equal(`${scheme} caller`);
      });
    }

    const missing: readonly (readonly [scheme: Scheme, request: RequestDraft])[] = [
      ['bearer', {}],
      ['bearer', withHeaders({ authorization: '' })],
      ['bearer', withHeaders({ authorization: 'good' })],
      ['bearer', withHeaders({ authorization: 'Bearer' })],
      ['bearer', withHeaders({ authorization: 'Bearergood' })],
      ['bearer', withHeaders({ authorization: 'Basic good' })],
      ['basic', bearer('good')],
      ['header', withHeaders({ 'x-key': '' })],
      ['header', { query: 'X-Key=good' }],
      ['inherited', withHeaders({})],
      ['query', { query: 'Key=good' }],
      ['query', withHeaders({ key: 'good' })],
      ['cookie', withHeaders({ cookie: 'xsession=good' })],
      ['cookie', withHeaders({ cookie: 'a=session=good' })],
      ['cookie', withHeaders({ session: 'good' })],
    ];
    for (const [scheme, request] of missing) {
      it(`of ${scheme} nowhere in ${JSON.stringify(request)}`, async () => {
        expect(await outcome([{ [scheme]: [] }], request)).to.equal(`401 ${scheme} is missing`);
      });
    }
  });

  describe('tells the handler the requirements of the operation', () => {
    it('the operation, the scopes and the request', async () => {
      const demands: unknown[] = [];
      const engine = oneOperation({
        operation: { security: [{ bearer: ['read', 'write'] }] },
        securitySchemes: { bearer: schemes.bearer },
        security: {
          bearer: {
            missing: '',
            authenticate: (credential, { operationId, scopes, request }) => {
              demands.push([credential, operationId, scopes, request.path]);
              return { caller: 'somebody', scopes };
            },
          },
        },
      });
      await engine.send(bearer('a b'));
      expect(demands).to.deep.equal([['a b', 'doIt', ['read', 'write'], '/thing']]);
    });
  });

  describe('of one requirement', () => {
    it('refuses a credential that its handler refuses', async () => {
      expect(await outcome([{ bearer: [] }], bearer('bad'))).to.equal('401 bearer is refused');
    });

    it('needs all of its schemes', async () => {
      const both = [{ bearer: [], header: [] }];
      const request = (authorization: string, key: string): RequestDraft =>
        withHeaders({ ...(authorization && { authorization }), ...(key && { 'x-key': key }) });
      expect(await outcome(both, request('Bearer good', 'good'))).to.equal('header caller');
      expect(await outcome(both, request('Bearer good', ''))).to.equal('401 header is missing');
      expect(await outcome(both, request('', 'good'))).to.equal('401 bearer is missing');
      expect(await outcome(both, request('', ''))).to.equal('401 bearer is missing');
      expect(await outcome(both, request('Bearer bad', 'good'))).to.equal('401 bearer is refused');
      expect(await outcome(both, request('Bearer good', 'bad'))).to.equal('401 header is refused');
    });

    it('needs all of its scopes', async () => {
      const scoped = [{ oauth: ['read', 'write'] }];
      expect(await outcome(scoped, bearer('good:write,read,more'))).to.equal('oauth caller');
      expect(await outcome(scoped, bearer('good:read'))).to.match(/^403 .*scope write/);
      expect(await outcome(scoped, bearer('good'))).to.match(/^403 .*read, write/);
      expect(await outcome(scoped, bearer('bad:read,write'))).to.equal('401 oauth is refused');
    });

    it('needs the scopes of a handler that says nothing of scopes', async () => {
      const engine = oneOperation({
        operation: { security: [{ bearer: ['read'] }] },
        securitySchemes: { bearer: schemes.bearer },
        security: { bearer: { missing: '', authenticate: () => ({ caller: 'somebody' }) } },
      });
      expect((await engine.send(bearer('x'))).status).to.equal(403);
    });
  });

  describe('of several requirements', () => {
    const either = [{ bearer: [] }, { header: [] }];
    const request = (authorization?: string, key?: string): RequestDraft =>
      withHeaders({ authorization, 'x-key': key });

    it('needs one', async () => {
      expect(await outcome(either, request('Bearer good'))).to.equal('bearer caller');
      expect(await outcome(either, request(undefined, 'good'))).to.equal('header caller');
      expect(await outcome(either, request())).to.equal('401 bearer is missing');
    });

    it('takes the first that is satisfied', async () => {
      expect(await outcome(either, request('Bearer good', 'good'))).to.equal('bearer caller');
      const pairFirst = [{ bearer: [], header: [] }, { bearer: [] }];
      expect(await outcome(pairFirst, request('Bearer good'))).to.equal('bearer caller');
      expect(await outcome(pairFirst, request('Bearer good', 'good'))).to.equal('header caller');
    });

    it('refuses an invalid credential, even if another one is valid', async () => {
      expect(await outcome(either, request('Bearer bad', 'good'))).to.equal('401 bearer is refused');
      expect(await outcome(either, request(undefined, 'bad'))).to.equal('401 header is refused');
    });

    it('tries the next alternative when a valid credential lacks a scope', async () => {
      const readOrWrite = [{ oauth: ['read'] }, { oauth: ['write'] }];
      expect(await outcome(readOrWrite, bearer('good:write'))).to.equal('oauth caller');
      expect(await outcome(readOrWrite, bearer('good:read'))).to.equal('oauth caller');
      expect(await outcome(readOrWrite, bearer('good:other'))).to.match(/^403 .*scope read/);
      const scopeOrKey = [{ oauth: ['admin'] }, { header: [] }];
      expect(await outcome(scopeOrKey, request('Bearer good', 'good'))).to.equal('header caller');
      expect(await outcome(scopeOrKey, request('Bearer good'))).to.match(/^403 .*scope admin/);
    });
  });

  describe('that is optional', () => {
    const optional = [{}, { bearer: [] }];

    it('lets anybody in without a credential', async () => {
      expect(await outcome(optional, {})).to.equal('nobody');
      expect(await outcome([{ bearer: [] }, {}], {})).to.equal('nobody');
      expect(await outcome([{}], bearer('bad'))).to.equal('nobody');
    });

    it('knows a caller who gives one', async () => {
      expect(await outcome(optional, bearer('good'))).to.equal('bearer caller');
    });

    it('refuses one that is not valid', async () => {
      expect(await outcome(optional, bearer('bad'))).to.equal('401 bearer is refused');
    });

    it('refuses a credential that lacks a scope, instead of treating its caller as anonymous', async () => {
      expect(await outcome([{}, { oauth: ['read'] }], bearer('good'))).to.match(/^403 /);
    });
  });

  it('that is empty looks at nothing', async () => {
    expect(await outcome([], bearer('bad'))).to.equal('nobody');
  });

  describe('that ignores invalid credentials', () => {
    const ignoring = { 'x-ignore-invalid-credentials': true };

    it('takes them for none', async () => {
      expect(await outcome([{}, { bearer: [] }], bearer('bad'), ignoring)).to.equal('nobody');
      expect(await outcome([{}, { bearer: [] }], bearer('good'), ignoring)).to.equal('bearer caller');
    });

    it('says so where one is needed', async () => {
      const response = await ask([{ bearer: [] }], bearer('bad'), ignoring);
      expect([response.status, response.headers['WWW-Authenticate']]).to.deep.equal([401, 'Bearer']);
      expect(bodyOf(response)).to.include({ detail: 'bearer is missing' });
    });

    it('tries the next requirement', async () => {
      const request = withHeaders({ authorization: 'Bearer bad', 'x-key': 'good' });
      expect(await outcome([{ bearer: [] }, { header: [] }], request, ignoring)).to.equal('header caller');
    });
  });

  describe('says how to authenticate (RFC 9110 §11.6.1)', () => {
    const challenges: readonly (readonly [scheme: Scheme, challenge: string | undefined])[] = [
      ['bearer', 'Bearer'],
      ['oauth', 'Bearer'],
      ['oidc', 'Bearer'],
      ['basic', 'Basic realm="api", charset="UTF-8"'],
      ['digest', 'Digest'],
      ['header', undefined],
      ['cookie', undefined],
    ];
    for (const [scheme, challenge] of challenges) {
      it(`with ${scheme}: ${String(challenge)}`, async () => {
        const missing = await ask([{ [scheme]: [] }], {});
        expect([missing.status, missing.headers['WWW-Authenticate']]).to.deep.equal([401, challenge]);
      });
    }

    it('also where a credential is refused', async () => {
      expect((await ask([{ bearer: [] }], bearer('bad'))).headers['WWW-Authenticate']).to.equal('Bearer');
    });

    it('also where a cookie or a key is refused, or missing, that has another scheme beside it', async () => {
      const cookie = await ask([{ cookie: [] }, { bearer: [] }], withHeaders({ cookie: 'sid=bad' }));
      expect([cookie.status, cookie.headers['WWW-Authenticate']]).to.deep.equal([401, 'Bearer']);
      const key = await ask([{ bearer: [] }, { header: [] }], withHeaders({ 'x-key': 'bad' }));
      expect([key.status, key.headers['WWW-Authenticate']]).to.deep.equal([401, 'Bearer']);
      const missing = await ask([{ header: [] }, { oauth: [] }, { bearer: [] }, { digest: [] }], {});
      expect([missing.status, missing.headers['WWW-Authenticate']]).to.deep.equal([401, 'Bearer, Digest']);
    });
  });

  describe('fails closed', () => {
    const failing = async (
      authenticate: () => never,
    ): Promise<readonly [number, unknown, readonly unknown[]]> => {
      let isHandled = false;
      const engine = oneOperation({
        operation: { security: [{}, { bearer: [] }], extensions: { 'x-ignore-invalid-credentials': true } },
        securitySchemes: { bearer: schemes.bearer },
        security: { bearer: { missing: '', authenticate } },
        handler: () => (isHandled = true),
      });
      const response = await engine.send(bearer('x'));
      expect(isHandled).to.equal(false);
      return [response.status, bodyOf(response), engine.reported];
    };

    it('when its handler throws', async () => {
      const error = new Error('the key store is down');
      const [status, body, reported] = await failing(() => {
        throw error;
      });
      expect([status, body]).to.deep.equal([
        500,
        problem(500, 'Internal Server Error', 'Internal server error'),
      ]);
      expect(reported).to.deep.equal([error]);
    });

    it('when its handler rejects', async () => {
      const [status] = await failing((() => Promise.reject(new Error('down'))) as () => never);
      expect(status).to.equal(500);
    });

    it('when its handler answers without a caller', async () => {
      const [status, , reported] = await failing((() => ({})) as () => never);
      expect(status).to.equal(500);
      expect(reported.map(String)).to.deep.equal([
        'Error: the security handler bearer answered without a caller',
      ]);
    });

    it('when its handler answers nothing', async () => {
      const [status] = await failing((() => undefined) as () => never);
      expect(status).to.equal(500);
    });
  });

  it('waits for a handler that takes its time', async () => {
    const engine = oneOperation({
      operation: { security: [{ bearer: [] }] },
      securitySchemes: { bearer: schemes.bearer },
      security: {
        bearer: {
          missing: '',
          authenticate: async () => {
            await new Promise((resolve) => setImmediate(resolve));
            return { caller: 'late' };
          },
        },
      },
      handler: (_request, { caller }) => ({ status: 200, body: caller }),
    });
    expect(bodyOf(await engine.send(bearer('x')))).to.equal('late');
  });

  it('comes before the request is decoded, so that strangers learn nothing of it', async () => {
    const engine = oneOperation({
      operation: {
        security: [{ bearer: [] }],
        requestBody: { required: true, content: { 'application/json': { kind: 'json' } } },
      },
      securitySchemes: { bearer: schemes.bearer },
      security: { bearer: handlerOf('bearer') },
    });
    expect(
      (await engine.send({ body: '{', headers: { 'content-type': 'application/json' } })).status,
    ).to.equal(401);
  });

  it('does not start without a scheme that a requirement names', () => {
    const start = (): unknown => oneOperation({ operation: { security: [{ other: [] }] } });
    expect(start).to.throw('operation doIt: the contract has no security scheme other');
  });
});
