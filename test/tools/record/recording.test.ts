/** Tests what a recording makes of traffic: paths, parameters, bodies, statuses, security and errors. */

import { expect } from 'chai';
import { Recording } from '../../../src/tools/record/recording.js';
import { recordedDocument } from '../../../src/tools/record/recorded-document.js';
import { documentOf, exchange, operationOf } from './exchanges.js';

const pathsOf = (calls: readonly string[], choices = {}): string[] =>
  Object.keys(
    documentOf(
      calls.map((call) => exchange(call)),
      choices,
    ).paths,
  );

/** A number as a word. */
const inLetters = (number: number): string =>
  String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

describe('record: paths', () => {
  const same: Readonly<Record<string, readonly string[]>> = {
    '/users/{userId}': [
      '/users/7',
      '/users/8',
      '/users/123e4567-e89b-12d3-a456-426614174000',
      '/users/INV-1001',
    ],
    '/orders/{orderId}/lines/{lineId}': ['/orders/1/lines/2', '/orders/2/lines/A1'],
    '/v1/companies/{companyId}/2fa': ['/v1/companies/acme_001/2fa', '/v1/companies/x%40example.com/2fa'],
    '/{id}': ['/1', '/22'],
    '/pairs/{pairId}/{id}': ['/pairs/1/2'],
    '/days/{dayId}': ['/days/2026-01-31', '/days/2026-02-01'],
    '/files/{fileId}': ['/files/f1', '/files/f2'],
  };
  for (const [template, targets] of Object.entries(same)) {
    it(`${targets.join(' and ')} are ${template}`, () => {
      expect(pathsOf(targets.map((target) => `GET ${target}`))).to.deep.equal([template]);
      expect(pathsOf(targets.toReversed().map((target) => `GET ${target}`))).to.deep.equal([template]);
    });
  }

  it('words stay, with versions and endings', () => {
    const words = ['/', '/a.json', '/customers/', '/oauth2/token', '/s3/list', '/users/me', '/v1.2/users'];
    expect(pathsOf(words.map((word) => `GET ${word}`))).to.deep.equal(words);
  });

  it('four words with the same methods and results are values, other words are not', () => {
    const user = (name: string) => exchange(`GET /users/${name}`, { answer: { name, role: 'x', age: 1 } });
    const users = ['alice', 'bob', 'carol', 'dave'].map(user);
    const others = ['rooms', 'bookings', 'orders', 'bills'].map((word) =>
      exchange(`GET /${word}`, { answer: { [word]: [], total: 1 } }),
    );
    const { paths } = documentOf([...users, ...others]);
    expect(Object.keys(paths)).to.deep.equal(['/bills', '/bookings', '/orders', '/rooms', '/users/{userId}']);
    expect(Object.keys(documentOf(users.slice(0, 3)).paths)).to.have.length(3);
  });

  it('a hundred words are values whatever they answer', () => {
    const words = Array.from({ length: 150 }, (_, index) => inLetters(index));
    expect(pathsOf(words.map((word) => `GET /users/${word}/photo`))).to.deep.equal(['/users/{userId}/photo']);
  });

  it('named templates come first', () => {
    const calls = ['GET /users/alice', 'GET /users/bob', 'GET /users/7'];
    expect(pathsOf(calls, { templates: ['/users/{name}'] })).to.deep.equal(['/users/{name}']);
  });

  it('only accepted requests describe paths; others belong to the parameter in their place', () => {
    const { paths } = documentOf([
      exchange('GET /users/7'),
      exchange('GET /users/none', { status: 404 }),
      exchange('PUT /users/none', { status: 405 }),
      exchange('GET /users/none/secrets', { status: 404 }),
      exchange('GET /wp-login.php', { status: 404 }),
      exchange('GET /admin', { status: 401 }),
    ]);
    expect(Object.keys(paths)).to.deep.equal(['/users/{userId}']);
    expect(Object.keys(paths['/users/{userId}'] ?? {})).to.deep.equal(['get']);
    expect(Object.keys(paths['/users/{userId}']?.['get']?.responses ?? {})).to.deep.equal(['200', '404']);
  });

  it('those below another path are left out', () => {
    expect(pathsOf(['GET /v1/users', 'GET /metrics', 'GET /v1users'], { basePath: '/v1' })).to.deep.equal([
      '/users',
    ]);
  });

  it('OPTIONS and other methods are no operations, HEAD only without GET', () => {
    const calls = ['GET /a', 'HEAD /a', 'OPTIONS /a', 'PROPFIND /a', 'HEAD /b'].map((call) => exchange(call));
    const { paths } = documentOf(calls);
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).to.deep.equal([
      ['/a', ['get']],
      ['/b', ['head']],
    ]);
  });

  it('have operations with names', () => {
    const calls = [
      'GET /users',
      'POST /users',
      'GET /users/1',
      'PUT /users/1',
      'PATCH /users/1',
      'DELETE /users/1',
    ];
    const more = [
      'GET /users/1/notes',
      'POST /users/1/notes',
      'POST /users/1/block',
      'POST /login',
      'GET /stock',
      'GET /stock/1',
    ];
    const { paths } = documentOf([...calls, ...more].map((call) => exchange(call)));
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids).to.have.members([
      ...['listUsers', 'createUser', 'getUser', 'replaceUser', 'updateUser', 'deleteUser'],
      ...['listUserNotes', 'createUserNote', 'blockUser', 'login', 'getStock', 'getStockById'],
    ]);
  });
});

describe('record: requests', () => {
  it('query parameters are typed, repeated and required only where a request without was refused', () => {
    const { parameters } = operationOf([
      exchange('GET /search?q=a&page=1&on=true&tag=x&tag=y&ids[]=1'),
      exchange('GET /search?q=b&page=12&on=false&tag=x'),
      exchange('GET /search?page=0', { status: 400 }),
      exchange('GET /search?token=abc&q=%F0'),
    ]);
    expect(parameters).to.deep.equal([
      { name: 'ids[]', in: 'query', schema: { type: 'array', items: { type: 'integer' } } },
      { name: 'on', in: 'query', schema: { type: 'boolean' } },
      { name: 'page', in: 'query', schema: { type: 'integer' } },
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
    ]);
  });

  it('path parameters have the type of the values that were accepted', () => {
    const [parameter] =
      operationOf([exchange('GET /users/7'), exchange('GET /users/0x', { status: 404 })]).parameters ?? [];
    expect(parameter).to.deep.equal({
      name: 'userId',
      in: 'path',
      required: true,
      schema: { type: 'integer' },
    });
  });

  it('bodies are those of accepted requests: JSON, forms, files and bytes', () => {
    const form = 'application/x-www-form-urlencoded';
    const part = (disposition: string, content: string): string =>
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
    const file = part('name="file"; filename="a.txt"', 'x');
    const { requestBody } = operationOf([
      exchange('POST /a', { body: { id: 1 } }),
      exchange('POST /a', { body: { id: 'x' }, status: 422 }),
      exchange('POST /a', { body: 'n=1&s=a&l=1&l=2', type: form }),
      exchange('POST /a', { body: 'n=2', type: form }),
      exchange('POST /a', {
        body: `${part('name="label"', 'one')}${file}--b--`,
        type: 'multipart/form-data; boundary=b',
      }),
      exchange('POST /a', { body: `${file}${file}--b--\r\n`, type: 'multipart/form-data; boundary="b"' }),
      exchange('POST /a', { body: Buffer.from([0]), type: 'image/png' }),
      exchange('POST /a', { body: 'text', type: 'text/plain; charset=utf-8' }),
    ]);
    const bytes = { type: 'string', contentMediaType: 'application/octet-stream' };
    expect(requestBody).to.deep.equal({
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        },
        [form]: {
          schema: {
            type: 'object',
            properties: {
              l: { type: 'array', items: { type: 'integer' } },
              n: { type: 'integer' },
              s: { type: 'string' },
            },
            required: ['n'],
          },
        },
        'image/png': {},
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: { file: { type: 'array', items: bytes }, label: { type: 'string' } },
            required: ['file'],
          },
        },
        'text/plain': { schema: { type: 'string' } },
      },
    });
  });

  it('a body that was once left out is optional', () => {
    const { requestBody } = operationOf([exchange('POST /a', { body: {} }), exchange('POST /a')]);
    expect(requestBody).not.to.have.property('required');
  });
});

describe('record: responses', () => {
  it('have their statuses, media types and headers', () => {
    const { responses } = operationOf([
      exchange('GET /a', {
        answer: { id: 1 },
        answerHeaders: { 'X-Total': '3', Date: 'now', Location: '/b' },
      }),
      exchange('GET /a', { answer: 'a,b', answerType: 'text/csv', answerHeaders: { 'X-Total': '4' } }),
      exchange('GET /a', { status: 204 }),
    ]);
    expect(responses).to.deep.equal({
      200: {
        description: 'OK',
        headers: { location: { schema: { type: 'string' } }, 'x-total': { schema: { type: 'integer' } } },
        content: {
          'application/json': {
            schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          },
          'text/csv': { schema: { type: 'string' } },
        },
      },
      204: { description: 'No Content' },
    });
  });

  it('have no schema where they cannot be read', () => {
    const { responses } = operationOf([exchange('GET /a', { answer: '{"id":' })]);
    expect(responses['200']?.content).to.deep.equal({ 'application/json': {} });
  });

  it('of two kinds of files are of any kind', () => {
    const file = (answerType: string) => exchange('GET /files/1', { answer: 'x', answerType });
    const types = (...kinds: string[]): string[] =>
      Object.keys(operationOf(kinds.map(file)).responses['200']?.content ?? {});
    expect(types('image/png', 'image/jpeg')).to.deep.equal(['image/*']);
    expect(types('image/png', 'text/plain')).to.deep.equal(['*/*']);
    expect(types('text/csv', 'application/json')).to.deep.equal(['application/json', 'text/csv']);
  });

  it('of errors have the media types that were seen, also for any other error', () => {
    const error = (path: string, answerType: string) =>
      exchange(`GET ${path}`, { status: 404, answer: { title: 'x' }, answerType });
    const fine = ['/a', '/b'].map((path) => exchange(`GET ${path}`));
    const typesOf = (...types: readonly string[]) => {
      const { paths } = documentOf([
        ...fine,
        ...types.map((type, index) => error(`/${'ab'.charAt(index)}`, type)),
      ]);
      const responses = paths['/a']?.['get']?.responses ?? {};
      return ['404', 'default'].map((status) => Object.keys(responses[status]?.content ?? {}));
    };
    const problem = 'application/problem+json';
    expect(typesOf(problem, `${problem}; charset=utf-8`)).to.deep.equal([[problem], [problem]]);
    expect(typesOf(problem, 'application/json')).to.deep.equal([[problem], ['application/json', problem]]);
  });

  it('that are errors with a common member share a schema, and become the default', () => {
    const error = (path: string, status: number, answer: unknown) =>
      exchange(`GET ${path}`, { status, answer });
    const fine = ['/a', '/b'].map((path) => exchange(`GET ${path}`));
    const alike = [error('/a', 404, { code: 'x' }), error('/b', 400, { code: 'y', details: [] })];
    const { paths, components } = documentOf([...fine, ...alike]);
    expect(components.schemas['Error']).to.deep.include({ required: ['code'] });
    expect(Object.keys(paths['/b']?.['get']?.responses ?? {})).to.deep.equal(['200', '400', 'default']);
    const different = documentOf([...fine, ...alike, error('/b', 409, ['x'])]);
    expect(different.components.schemas).to.deep.equal({});
    expect(Object.keys(different.paths['/b']?.['get']?.responses ?? {})).to.deep.equal(['200', '400', '409']);
  });
});

describe('record: security', () => {
  const bearer = { Authorization: 'Bearer abcdef' };
  const key = { 'X-API-Key': 'abcdef' };

  it('is the sets of credentials with which requests were accepted', () => {
    const both = { ...bearer, ...key };
    const names = ['open', 'closed', 'either', 'both', 'optional', 'page', 'basic', 'feed'];
    const templates = names.map((name) => `/${name}`);
    const exchanges = [
      exchange('GET /open'),
      exchange('GET /closed', { headers: bearer }),
      exchange('GET /closed', { headers: both }),
      exchange('GET /closed', { status: 401 }),
      exchange('GET /either', { headers: bearer }),
      exchange('GET /either', { headers: key }),
      exchange('GET /both', { headers: both }),
      exchange('GET /optional', { headers: bearer }),
      exchange('GET /optional'),
      exchange('GET /page', { headers: { Cookie: 'theme=dark; connect.sid=abcdef; connect.sid.sig=x' } }),
      exchange('GET /basic', { headers: { authorization: 'Basic YTpi' } }),
      exchange('GET /feed?api_key=abcdef'),
    ];
    const { paths, components } = documentOf(exchanges, { templates });
    const security = Object.entries(paths).map(([path, item]) => [path, item['get']?.security]);
    expect(Object.fromEntries(security)).to.deep.equal({
      '/basic': [{ basicAuth: [] }],
      '/both': [{ xApiKey: [], bearerAuth: [] }],
      '/closed': [{ bearerAuth: [] }],
      '/either': [{ xApiKey: [] }, { bearerAuth: [] }],
      '/feed': [{ apiKey: [] }],
      '/open': [],
      '/optional': [{}, { bearerAuth: [] }],
      '/page': [{ connectSidCookie: [] }],
    });
    expect(components.securitySchemes).to.deep.equal({
      apiKey: { type: 'apiKey', in: 'query', name: 'api_key' },
      basicAuth: { type: 'http', scheme: 'basic' },
      bearerAuth: { type: 'http', scheme: 'bearer' },
      connectSidCookie: { type: 'apiKey', in: 'cookie', name: 'connect.sid' },
      xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
    expect(paths['/feed']?.['get']).not.to.have.property('parameters');
  });
});

describe('record: memory', () => {
  it('has no body that was too large, which is counted', () => {
    const recording = new Recording();
    for (const answerType of ['application/json', 'text/plain', 'image/png']) {
      recording.add({ ...exchange('GET /a', { answer: {}, answerType }), responseBody: undefined });
    }
    recording.add(exchange('GET /a', { answer: {} }));
    expect(recording.unread).to.equal(3);
    const { paths } = recordedDocument(recording, {
      title: 'x',
      basePath: '',
      enums: false,
      examples: false,
    });
    expect(JSON.stringify(paths)).to.contain('"content":{"application/json":{},"*/*":{}}');
  });

  it('is bounded for any number of paths, parameters, properties and types', () => {
    const recording = new Recording({ mostPaths: 200, mostPlaces: 2000 });
    for (let index = 0; index < 20_000; index += 1) {
      const name = inLetters(index);
      recording.add(
        exchange(`GET /${name}/${name}`, {
          status: index % 3 === 0 ? 200 : 404,
          answer: { [name]: { a: 1 } },
        }),
      );
      recording.add(
        exchange(`GET /a?${name}=1`, { answer: { [name]: 1 }, answerType: `application/${name}` }),
      );
      recording.add(
        exchange('POST /a', { body: { [name]: [name] }, headers: { Cookie: `sid=${name}${name}` } }),
      );
    }
    const document = recordedDocument(recording, { title: 'x', basePath: '', enums: true, examples: true });
    expect(recording.exchanges).to.equal(60_000);
    expect(Object.keys(document.paths).length).to.be.below(201);
    expect(JSON.stringify(document).length).to.be.below(600_000);
  });

  it('that is used up by a scan for files is given to paths that there are', () => {
    const recording = new Recording({ mostPaths: 50 });
    for (let index = 0; index < 500; index += 1) {
      const letters = inLetters(index);
      recording.add(exchange(`GET /scan-${letters}.php`, { status: 404 }));
    }
    recording.add(exchange('GET /users/me'));
    const { paths } = recordedDocument(recording, {
      title: 'x',
      basePath: '',
      enums: false,
      examples: false,
    });
    expect(Object.keys(paths)).to.deep.equal(['/users/me']);
  });
});
