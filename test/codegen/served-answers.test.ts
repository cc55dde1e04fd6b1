/** Tests the generated code for responses and security with requests to the fixtures. */

import { expect } from 'chai';
import type { SecurityHandler } from '../../src/runtime/index.js';
import { serveFixture } from './served-contract.js';

describe('a contract of many responses', () => {
  const send = serveFixture('responses.openapi-3.0.yaml');
  const headers = { 'X-Total': 3, 'X-Next': 'https://example.com/2' };
  const job = { status: 200, headers, body: { id: 'a' } };
  const message = { message: 'no' };

  it('writes typed headers in their style', async () => {
    const answer = {
      ...job,
      headers: {
        ...headers,
        'X-Tags': ['a', 'b'],
        'X-Range': { from: 1 },
        'X-Left': 1,
        'Set-Cookie': ['a=1', 'b=2'],
      },
    };
    expect((await send('GET /jobs/1', { answer })).response).to.deep.equal({
      status: 200,
      headers: {
        'X-Total': '3',
        'X-Next': 'https://example.com/2',
        'X-Tags': 'a,b',
        'X-Range': 'from=1',
        'X-Left': '1',
        'Set-Cookie': ['a=1', 'b=2'],
        'Content-Type': 'application/json',
      },
      body: '{"id":"a"}',
    });
  });

  const declared: readonly (readonly [answer: object, contentType: string | undefined])[] = [
    [{ status: 202, body: 'later' }, 'text/plain'],
    [{ status: 304 }, undefined],
    [{ status: 404, body: message }, 'application/json'],
    [{ status: 429, body: message }, 'application/json'],
    [{ status: 500, body: message }, 'application/problem+json'],
    [{ status: 302, body: message }, 'application/problem+json'],
  ];
  for (const [answer, contentType] of declared) {
    it(`answers ${JSON.stringify(answer)} in the media type of its status, range or default`, async () => {
      const { response } = await send('GET /jobs/1', { answer });
      expect(response).to.deep.include({ status: (answer as { status: number }).status });
      expect(response.headers['Content-Type']).to.equal(contentType);
    });
  }

  const refused: readonly (readonly [answer: object, reason: string])[] = [
    [{ ...job, headers: {} }, 'the header X-Total is missing'],
    [{ ...job, headers: { 'X-Total': 3 } }, 'the header X-Next is missing'],
    [{ ...job, headers: { ...headers, 'X-Total': -1 } }, 'X-Total must be >= 0'],
    [{ ...job, headers: { ...headers, 'X-Left': 10 } }, 'X-Left must be <= 9'],
    [{ ...job, headers: { ...headers, 'X-Other': 'x' } }, 'the header x-other is not declared'],
    [{ ...job, body: {} }, "body must have required property 'id'"],
    [{ status: 404, body: { id: 'a' } }, "body must have required property 'message'"],
    [{ status: 500, body: 'no' }, 'body must be object'],
    [{ status: 202, body: { id: 'a' } }, 'body must be string'],
  ];
  for (const [answer, reason] of refused) {
    it(`does not answer ${JSON.stringify(answer)}: ${reason}`, async () => {
      expect((await send('GET /jobs/1', { answer })).failure).to.include(reason);
    });
  }

  it('has no status beyond those that an operation declares', async () => {
    const { failure } = await send('DELETE /jobs/1', { answer: { status: 200 } });
    expect(failure).to.include('the status 200 is not declared');
    const range = await send('GET /reports', { answer: { status: 503 } });
    expect(range.response.status).to.equal(503);
    const { failure: other } = await send('GET /reports', { answer: { status: 400 } });
    expect(other).to.include('the status 400 is not declared');
  });

  it('answers text or bytes, as the client likes', async () => {
    const text = { status: 200, contentType: 'text/csv', body: 'a,b' };
    const bytes = { status: 200, contentType: 'application/pdf', body: Uint8Array.of(37) };
    expect((await send('GET /reports', { answer: text })).response.body).to.equal('a,b');
    expect((await send('GET /reports', { answer: bytes })).response.body).to.deep.equal(Uint8Array.of(37));
  });
});

/** Takes any credential that is not `bad`, and grants what follows its colon. */
const anyone: SecurityHandler<string> = {
  missing: 'No credential',
  authenticate: (credential) => {
    const [name = '', scopes = ''] = credential.split('/');
    return name === 'bad' ? { refused: 'Bad credential' } : { caller: name, scopes: scopes.split('+') };
  },
};

describe('a contract of every credential', () => {
  const schemes = ['bearer', 'basic', 'headerKey', 'queryKey', 'cookieKey', 'oauth', 'openId'];
  const send = serveFixture('security.openapi-3.1.yaml', {
    security: Object.fromEntries(schemes.map((name) => [name, anyone])),
  });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  const admitted: readonly (readonly [line: string, headers: Record<string, string>, caller: string])[] = [
    ['GET /default', bearer('ann'), 'ann'],
    ['GET /default', { authorization: 'bEARER ann' }, 'ann'],
    ['GET /public', {}, 'nobody'],
    ['GET /public', bearer('bad'), 'nobody'],
    ['GET /optional', {}, 'nobody'],
    ['GET /optional', bearer('ann'), 'ann'],
    ['GET /header-key', { 'x-key': 'k' }, 'k'],
    ['GET /query-key?key=k', {}, 'k'],
    ['GET /cookie-key', { cookie: 'a=1; session=k' }, 'k'],
    ['GET /basic', { authorization: 'Basic abc' }, 'abc'],
    ['GET /oauth', bearer('ann/read:pets+write:pets'), 'ann'],
    ['GET /openid', bearer('ann/profile'), 'ann'],
    ['GET /either', { 'x-key': 'k' }, 'k'],
    ['GET /either', { authorization: 'Basic abc' }, 'abc'],
    ['GET /both', { 'x-key': 'k', ...bearer('ann/read:pets') }, 'ann'],
  ];
  for (const [line, headers, caller] of admitted) {
    it(`lets ${caller} through ${line} with ${JSON.stringify(headers)}`, async () => {
      const outcome = await send(line, { headers });
      expect(outcome.response.status).to.equal(204);
      expect(outcome.caller).to.equal(caller);
    });
  }

  const refused: readonly (readonly [line: string, headers: Record<string, string>, status: number])[] = [
    ['GET /default', {}, 401],
    ['GET /default', { authorization: 'Basic abc' }, 401],
    ['GET /default', bearer('bad'), 401],
    ['GET /optional', bearer('bad'), 401],
    ['GET /header-key', bearer('ann'), 401],
    ['GET /header-key?X-Key=k', {}, 401],
    ['GET /query-key', { key: 'k' }, 401],
    ['GET /cookie-key', { session: 'k' }, 401],
    ['GET /basic', bearer('abc'), 401],
    ['GET /oauth', bearer('ann/read:pets'), 403],
    ['GET /openid', bearer('ann'), 403],
    ['GET /both', { 'x-key': 'k' }, 401],
    ['GET /both', bearer('ann/read:pets'), 401],
  ];
  for (const [line, headers, status] of refused) {
    it(`answers ${String(status)} to ${line} with ${JSON.stringify(headers)}`, async () => {
      const outcome = await send(line, { headers });
      expect(outcome.id).to.equal(undefined);
      expect(outcome.response.status).to.equal(status);
    });
  }
});

describe('a contract of client certificates, accepted as an unsupported feature', () => {
  const send = serveFixture('certificates.openapi-3.1.yaml', {
    security: { certificate: anyone, key: anyone },
  });
  const headers = { 'x-key': 'k', authorization: 'Bearer ann', 'client-cert': 'x' };

  it('never accepts a client certificate', async () => {
    expect((await send('GET /only', { headers })).response.status).to.equal(401);
    expect((await send('GET /both', { headers })).response.status).to.equal(401);
    expect((await send('GET /either')).response.status).to.equal(401);
    expect((await send('GET /either', { headers })).caller).to.equal('k');
  });
});
