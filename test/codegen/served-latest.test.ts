/** What OpenAPI 3.2 has over 3.1 is served as the specification says. */

import { expect } from 'chai';
import type { SecurityHandler } from '../../src/runtime/index.js';
import { detailOf, serveFixture } from './served-contract.js';

const anyone: SecurityHandler<string> = {
  missing: 'a key is missing',
  authenticate: () => ({ caller: 'somebody' }),
};

describe('a contract of OpenAPI 3.2', () => {
  const call = serveFixture('latest.openapi-3.2.yaml', { security: { 'key/one': anyone, device: anyone } });
  const json = { 'content-type': 'application/json' };
  const send: typeof call = (line, sent = {}) =>
    call(line, { ...sent, headers: { 'x-key': 'k', ...sent.headers } });
  const detail = async (line: string, sent?: Parameters<typeof send>[1]) =>
    detailOf((await send(line, sent)).response);

  it('routes QUERY with its body, and methods of its own', async () => {
    const pets = { status: 200, body: [{ name: 'Rex' }] };
    const query = await send('QUERY /pets', { body: '{"age":3}', headers: json, answer: pets });
    expect(query).to.deep.include({ id: 'queryPets', caller: 'somebody', failure: undefined });
    expect(query.given?.body).to.deep.equal({ age: 3 });
    expect(query.response.body).to.equal('[{"name":"Rex"}]');
    expect((await send('COPY /pets?to=ab')).given?.query).to.deep.equal({ to: 'ab' });
    expect(await detail('COPY /pets?to=a')).to.match(/^query\/to must NOT have fewer than 2 characters/);
    expect((await send('LINK /trees/7')).given?.path).to.deep.equal({ id: 7 });
    expect((await send('QUERY /shared?p=5')).given?.query).to.deep.equal({ p: 5 });
  });

  it('checks the body of a QUERY', async () => {
    expect(await detail('QUERY /pets', { body: '{"age":"x"}', headers: json })).to.equal(
      'body/age must be integer',
    );
  });

  it('names every method of a path in Allow', async () => {
    const allow = 'GET, QUERY, COPY, HEAD, OPTIONS';
    expect((await send('DELETE /pets')).response).to.deep.include({ status: 405 });
    expect((await send('DELETE /pets')).response.headers).to.include({ Allow: allow });
    expect((await send('OPTIONS /pets')).response).to.deep.include({
      status: 204,
      headers: { Allow: allow },
    });
    expect((await send('GET /trees/7')).response.headers).to.include({ Allow: 'LINK, OPTIONS' });
  });

  it('finds a security scheme by its URI', async () => {
    expect((await call('GET /shared')).response.status).to.equal(401);
    expect((await send('GET /shared')).response.status).to.equal(204);
  });

  it('reads a query as a form', async () => {
    const { given } = await send('GET /form?text=a+%2B+b&near[x]=1&near[y]=2.5');
    expect(given?.query).to.deep.equal({ search: { text: 'a + b', limit: 10, near: { x: 1, y: 2.5 } } });
    expect(await detail('GET /form?text=ab&limit=x')).to.equal('query/search/limit must be integer');
    expect(await detail('GET /form?text=a')).to.match(/^query\/search\/text must NOT have fewer/);
    expect(await detail('GET /form?text=ab&other=1')).to.match(/^query\/search must NOT have additional/);
    expect(await detail('GET /form')).to.equal('query/search is required');
  });

  it('reads a query as JSON', async () => {
    const { given } = await send('GET /json?%7B%22flag%22%3Anull%7D');
    expect(given?.query).to.deep.equal({ filter: { flag: null } });
    expect((await send('GET /json')).given?.query).to.deep.equal({});
    expect(await detail('GET /json?%7B%7D')).to.equal("query/filter must have required property 'flag'");
    expect(await detail('GET /json?x')).to.match(/^query\/filter must be JSON/);
  });

  it('reads a query as text', async () => {
    const { given } = await send('GET /path?%24.a.b%5B1%3A1%5D');
    expect(given?.query).to.deep.equal({ selector: '$.a.b[1:1]' });
    expect(await detail('GET /path?a')).to.match(/^query\/selector must match pattern/);
  });

  it('reads cookies of the style cookie as they are sent', async () => {
    const cookie =
      'raw="a%20b&c"; encoded=a%20b; greeting=Hello%2C%20world!; code=42; list=x&y; list=z; raw=later';
    const { given } = await send('GET /cookies', { headers: { cookie } });
    expect(given?.cookies).to.deep.equal({
      raw: '"a%20b&c"',
      encoded: 'a b',
      state: { greeting: 'Hello%2C%20world!', code: 42 },
      list: ['x&y', 'z'],
    });
  });

  it('reads reserved characters in a path', async () => {
    expect((await send("GET /reserved/a+b:c@d!$&'()*,;=")).given?.path).to.deep.equal({
      key: "a+b:c@d!$&'()*,;=",
    });
  });

  const bodies: readonly (readonly [path: string, body: object, refusal?: string])[] = [
    ['/shapes', { kind: 'circle', radius: 1 }],
    ['/shapes', { kind: 'circle', corners: 1 }, "body must have required property 'radius'"],
    ['/shapes', { kind: 'square', corners: 4 }],
    ['/shapes', { corners: 4 }],
    ['/shapes', {}, "body must have required property 'corners'"],
    ['/creatures', { kind: 'Fish', fins: 2 }],
    ['/creatures', { kind: 'Fish' }, "body must have required property 'fins'"],
    ['/creatures', { kind: 'Bird', note: 'flies' }],
    ['/creatures', { kind: 'Bird' }, "body must have required property 'note'"],
    ['/creatures', { note: 'none' }],
  ];
  for (const [path, body, refusal] of bodies) {
    const text = JSON.stringify(body);
    it(`${refusal === undefined ? 'takes' : 'refuses'} ${text} at ${path}`, async () => {
      if (refusal !== undefined)
        expect(await detail(`POST ${path}`, { body: text, headers: json })).to.equal(refusal);
      else
        expect((await send(`POST ${path}`, { body: text, headers: json })).given?.body).to.deep.equal(body);
    });
  }
});
