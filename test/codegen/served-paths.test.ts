/** Tests the generated code for paths and parameters with requests to the fixtures. */

import { expect } from 'chai';
import { serveFixture } from './served-contract.js';

describe('a contract of many paths', () => {
  const send = serveFixture('routing.openapi-3.0.yaml');

  const table: readonly (readonly [line: string, id: string, path?: object])[] = [
    ['GET /', 'getRoot'],
    ['GET /pets', 'listPets'],
    ['GET /pets/', 'listPetsWithSlash'],
    ['GET /pets/7', 'getPet', { id: 7 }],
    ['GET /pets/mine', 'listMyPets'],
    ['GET /pets/%6Dine', 'listMyPets'],
    ['GET /pets/mine/photos/1', 'getMyPhoto', { photo: '1' }],
    ['GET /pets/7/photos/a%2Fb', 'getPhoto', { photo: 'a/b', id: 7 }],
    // The literal branch has no match, so the parameter takes its text.
    ['GET /pets/mine/toys', 'listToys', { id: 'mine' }],
    ['GET /files/readme.md', 'getReadme'],
    ['GET /files/readme', 'getFile', { name: 'readme' }],
    ['GET /files/index.js', 'getFileOfType', { name: 'index', extension: 'js' }],
    ['GET /files/index.min.js', 'getSmallFileOfType', { name: 'index', extension: 'js' }],
    ['GET /files/.js', 'getFile', { name: '.js' }],
    ['GET /compare/v1...feature%2Fx', 'compare', { base: 'v1', head: 'feature/x' }],
    ['GET /a%20b/caf%C3%A9/(c+d)*', 'getStrangeText'],
    ['GET /alerts/7', 'getAlert', { number: 7 }],
    ['GET /things/me/x', 'getAnything', { kind: 'things', 'user-id': 'me' }],
    ...['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'].map(
      (method) => [`${method} /methods`, `${method.toLowerCase()}Methods`] as const,
    ),
  ];
  for (const [line, id, path = {}] of table) {
    it(`leads ${line} to ${id}`, async () => {
      const outcome = await send(line);
      expect(outcome.id).to.equal(id);
      expect(outcome.given?.path).to.deep.equal(path);
    });
  }

  it('does not match an empty parameter, or a path with more behind it', async () => {
    for (const line of ['GET /pets/7/photos/', 'GET /compare/...', 'GET /methods/', 'GET //']) {
      expect((await send(line)).response.status, line).to.equal(404);
    }
  });

  it('has the parameters of the path for operations that do not override them', async () => {
    expect((await send('GET /pets/7?verbose=true')).given?.query).to.deep.equal({ verbose: true });
    expect((await send('GET /pets/7')).given?.query).to.deep.equal({ verbose: false });
    expect((await send('GET /pets/7?verbose=low')).response.status).to.equal(400);
    const traced = await send('GET /pets/7', { headers: { 'x-trace': 'abc' } });
    expect(traced.given?.headers).to.deep.equal({ 'X-Trace': 'abc' });
    expect((await send('GET /pets/7', { headers: { 'x-trace': 'abcdef' } })).response.status).to.equal(400);
  });

  it('takes a parameter whose schema is read-only, and checks the rest of the schema', async () => {
    expect((await send('GET /alerts/7?since=1')).given?.query).to.deep.equal({ since: 1 });
    expect((await send('GET /alerts/100')).response.status).to.equal(400);
    expect((await send('GET /alerts/7?since=0')).response.status).to.equal(400);
  });

  it('has the operation’s parameters where it overrides them', async () => {
    const lines = ['DELETE /pets/7?verbose=low', 'DELETE /pets/7'];
    expect((await send(lines[0] ?? '')).given?.query).to.deep.equal({ verbose: 'low' });
    expect((await send(lines[1] ?? '')).given?.query).to.deep.equal({});
    expect((await send('DELETE /pets/7?verbose=true')).response.status).to.equal(400);
    const traced = await send('DELETE /pets/7', { headers: { 'x-trace': '123456' } });
    expect(traced.given?.headers).to.deep.equal({ 'x-trace': 123456 });
    expect((await send('DELETE /pets/7', { headers: { 'x-trace': 'abc' } })).response.status).to.equal(400);
  });
});

describe('a contract of every style', () => {
  const send = serveFixture('styles.openapi-3.1.yaml');
  const list = [1, 2];
  const object = { R: 100, G: 200, name: 'a b' };

  it('reads simple paths', async () => {
    const { given } = await send('GET /simple/7/1,2/R,100,G,200,name,a%20b/1,2/R=100,G=200,name=a%20b');
    expect(given?.path).to.deep.equal({
      scalar: 7,
      list,
      object,
      listExploded: list,
      objectExploded: object,
    });
  });

  it('reads label paths', async () => {
    const { given } = await send(
      'GET /label/.true/.1,2/.R,100,G,200,name,a%20b/.1.2/.R=100.G=200.name=a%20b',
    );
    expect(given?.path).to.deep.equal({
      scalar: true,
      list,
      object,
      listExploded: list,
      objectExploded: object,
    });
  });

  it('reads matrix paths', async () => {
    const { given } = await send(
      'GET /matrix/;scalar=1.5/;list=1,2/;object=R,100,G,200,name,a%20b/;listExploded=1;listExploded=2/;R=100;G=200;name=a%20b',
    );
    expect(given?.path).to.deep.equal({
      scalar: 1.5,
      list,
      object,
      listExploded: list,
      objectExploded: object,
    });
  });

  it('reads form queries', async () => {
    const { given } = await send(
      'GET /query?scalar=null&flag&list=1,2&object=R,100,G,200,name,a+b&listExploded=1&listExploded=2&R=100&G=200&name=a%20b',
    );
    expect(given?.query).to.deep.equal({
      scalar: null,
      flag: '',
      list,
      object,
      listExploded: list,
      objectExploded: object,
    });
  });

  it('reads delimited and deep queries', async () => {
    const { given } = await send(
      'GET /delimited?spaces=1%202&spacedObject=R%20100%20G%20200&pipes=1|2&pipedObject=R%7C100%7CG%7C200&deep[R]=100&deep[G]=200&deep%5Bname%5D=a%20b',
    );
    const color = { R: 100, G: 200 };
    expect(given?.query).to.deep.equal({
      spaces: list,
      spacedObject: color,
      pipes: list,
      pipedObject: color,
      deep: object,
    });
  });

  it('reads headers, and leaves alone those that the specification has ignored', async () => {
    const { given } = await send('GET /header', {
      headers: {
        'x-scalar': '7',
        'x-list': '1, 2',
        'x-object': 'R,100,G,200,name,a b',
        'x-list-exploded': '1,2',
        'x-object-exploded': 'R=100,G=200,name=a b',
        accept: '*/*',
        authorization: 'Bearer x',
      },
    });
    expect(given?.headers).to.deep.equal({
      'X-Scalar': 7,
      'X-List': list,
      'X-Object': object,
      'X-List-Exploded': list,
      'X-Object-Exploded': object,
    });
  });

  it('reads cookies', async () => {
    const { given } = await send('GET /cookie', {
      headers: { cookie: 'scalar=true; list=1,2; object=R,100,G,200' },
    });
    expect(given?.cookies).to.deep.equal({ scalar: true, list, object: { R: 100, G: 200 } });
  });

  it('reads JSON in every location', async () => {
    const color = encodeURIComponent(JSON.stringify({ R: 1 }));
    const { given } = await send(`GET /content/${color}?query=${color}`, {
      headers: { 'x-header': '[1, 2]', cookie: 'cookie=7' },
    });
    expect(given).to.deep.include({
      path: { path: { R: 1 } },
      query: { query: { R: 1 } },
      headers: { 'X-Header': [1, 2] },
      cookies: { cookie: 7 },
    });
    expect((await send(`GET /content/${color}?query=1`)).response.status).to.equal(400);
  });

  it('reads properties that only a schema for the rest describes', async () => {
    const { given } = await send('GET /dictionaries/a,1,b,2?two=name,7,a,1&both=a,true');
    expect(given?.path).to.deep.equal({ one: { a: 1, b: 2 } });
    expect(given?.query).to.deep.equal({ two: { name: '7', a: 1 }, both: { a: true } });
    expect((await send('GET /dictionaries/a,1?two=a,x')).response.status).to.equal(400);
  });

  it('refuses a value of the wrong type, in each location', async () => {
    const lines = [
      'GET /simple/x/1/R,1/1/R=1',
      'GET /label/.true/.x/.R,1/.1/.R=1',
      'GET /matrix/;scalar=1/;list=1/;object=R,x/;listExploded=1/;R=1',
      'GET /query?scalar=x',
      'GET /query?listExploded=x',
      'GET /delimited?deep[R]=x',
    ];
    for (const line of lines) expect((await send(line)).response.status, line).to.equal(400);
    expect((await send('GET /header', { headers: { 'x-list': 'x' } })).response.status).to.equal(400);
    expect((await send('GET /cookie', { headers: { cookie: 'scalar=x' } })).response.status).to.equal(400);
  });
});

describe('a contract of awkward names', () => {
  const send = serveFixture('names.openapi-3.0.json');

  it('calls handlers with any name', async () => {
    const table = {
      'GET /': 'get',
      'GET /repos/x/get': 'repos/get',
      'PUT /repos/x/get': 'repos-get',
      'GET /get-pets': 'get-pets',
      'POST /get-pets': 'constructor',
      'PUT /get-pets': '__proto__',
      'DELETE /get-pets': 'delete',
      'PATCH /get-pets': 'get pets',
      'GET /constructor/__proto__': '123',
      'PUT /constructor/__proto__': 'ünïcødé ½ 🙂',
      'POST /constructor/__proto__': '`${quoted}` \\ "twice"',
      'GET /users/7/posts': 'getUsersByIdPosts',
      'GET /users-by-id/posts': 'getUsersByIdPosts2',
      'GET /a': 'getB',
      'GET /b': 'getB2',
    };
    for (const [line, id] of Object.entries(table)) {
      const answer = id === 'repos/get' ? { status: 410 } : undefined;
      expect((await send(line, { answer })).id, line).to.equal(id);
    }
  });

  it('does not know what objects have of their own', async () => {
    for (const line of ['GET /toString', 'GET /constructor', 'GET /__proto__', 'CONSTRUCTOR /get-pets']) {
      expect((await send(line)).id, line).to.equal(undefined);
    }
  });

  it('reads parameters with any name', async () => {
    const { given } = await send(
      'GET /repos/a-b/get?filter[name]=x&class=true&constructor=5&__proto__=6&toString=7',
      { headers: { tostring: '8', cookie: '1st=9' }, answer: { status: 410 } },
    );
    expect(given?.path).to.deep.equal({ 'repo-name': 'a-b' });
    expect(Object.entries(given?.query ?? {})).to.have.deep.members([
      ['filter[name]', 'x'],
      ['class', true],
      ['constructor', 5],
      ['__proto__', 6],
    ]);
    expect(Object.entries(given?.headers ?? {})).to.deep.equal([['toString', 8]]);
    expect(Object.entries(given?.cookies ?? {})).to.deep.equal([['1st', 9]]);
  });

  it('checks parameters with any name', async () => {
    const answer = { status: 410 };
    expect((await send('GET /repos/x/get?constructor=x', { answer })).response.status).to.equal(400);
  });

  it('checks bodies with any name', async () => {
    const put = (body: string) =>
      send('PUT /repos/x/get', { body, headers: { 'content-type': 'application/json' } });
    expect((await put('{"constructor": 1}')).given?.body).to.deep.equal({ constructor: 1 });
    expect((await put('{"constructor": "x"}')).response.status).to.equal(400);
    expect((await put('{"__proto__": 1}')).response.status).to.equal(400);
  });
});
