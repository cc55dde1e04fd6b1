/** The protocol graphql-transport-ws on raw sockets: every close code, and what keeps a connection open. */
import { expect } from 'chai';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { quickenTimers } from '../support/quick-timers.js';
import { RawSocket } from '../support/raw-socket.js';
import { useService } from '../support/service.js';
import { exchange, readAnswer, requestText } from '../support/wire.js';

const postAdded = 'subscription { postAdded { id title author { name } } }';

describe('graphql-transport-ws', () => {
  const service = useService();
  let authorId = '';
  before(async () => {
    const author = await service.post('/api/users', { name: 'Ada', email: 'ada@example.com' });
    authorId = (author.body as { id: string }).id;
  });
  const writePost = (title: string) =>
    service.services.posts.create({ kind: 'anonymous' }, { title, content: 'They weave.', authorId });
  const open = (options = {}) => RawSocket.open(service.url, options);
  const connect = (payload?: unknown, options = {}) => RawSocket.connect(service.url, payload, options);

  const malformed: Readonly<Record<string, unknown>> = {
    'no JSON': 'graphql',
    'no object': '[]',
    'no type': {},
    'a type that is no text': { type: 1 },
    'an unknown type': { type: 'start' },
    'an init with a payload that is not an object': { type: 'connection_init', payload: 'token' },
    'a ping with a payload that is not an object': { type: 'ping', payload: [1] },
    'a pong with a payload that is not an object': { type: 'pong', payload: 'x' },
    'a subscribe without an id': { type: 'subscribe', payload: { query: '{ me { id } }' } },
    'a subscribe with an empty id': { type: 'subscribe', id: '', payload: { query: '{ me { id } }' } },
    'a subscribe with an id that is no text': {
      type: 'subscribe',
      id: 1,
      payload: { query: '{ me { id } }' },
    },
    'a subscribe without a payload': { type: 'subscribe', id: '1' },
    'a subscribe without a query': { type: 'subscribe', id: '1', payload: {} },
    'a subscribe with a query that is no text': { type: 'subscribe', id: '1', payload: { query: 1 } },
    'variables that are not an object': {
      type: 'subscribe',
      id: '1',
      payload: { query: '', variables: 'x' },
    },
    'an operationName that is no text': {
      type: 'subscribe',
      id: '1',
      payload: { query: '', operationName: 1 },
    },
    'extensions that are not an object': {
      type: 'subscribe',
      id: '1',
      payload: { query: '', extensions: 1 },
    },
    'a complete without an id': { type: 'complete' },
    'what only servers say: connection_ack': { type: 'connection_ack' },
    'what only servers say: next': { type: 'next', id: '1', payload: {} },
    'what only servers say: error': { type: 'error', id: '1', payload: [{ message: 'no' }] },
  };
  for (const [what, message] of Object.entries(malformed)) {
    it(`closes with 4400 on ${what}`, async () => {
      const socket = await connect();
      socket.say(message);
      expect(await socket.closed).to.deep.equal([4400, 'Invalid message received']);
    });
  }

  it('closes with 4400 on a binary message', async () => {
    const socket = await connect();
    socket.socket.send(Buffer.from(JSON.stringify({ type: 'ping' })), { binary: true });
    expect(await socket.closed).to.deep.equal([4400, 'Invalid message received']);
  });

  it('closes with 1009 on a message over 1 MiB', async () => {
    const socket = await connect();
    socket.subscribe('1', ' '.repeat(1024 * 1024));
    expect((await socket.closed)[0]).to.equal(1009);
  });

  it('closes with 4401 when a subscribe comes before the init', async () => {
    const socket = await open();
    socket.subscribe('1', '{ users { id } }');
    expect(await socket.closed).to.deep.equal([4401, 'Unauthorized']);
  });

  it('closes with 4406 for another subprotocol, and for none', async () => {
    const other = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, ['graphql-ws']);
    const [error] = (await once(other, 'error')) as [Error];
    expect(error.message).to.equal('Server sent no subprotocol'); // a client takes no other answer
    const none = await open({ protocols: [] });
    expect(await none.closed).to.deep.equal([4406, 'Subprotocol not acceptable']);
  });

  it('closes with 4408 when the init does not come', async () => {
    const undo = quickenTimers(3000, '/graphql-ws/');
    const socket = await open();
    undo();
    expect(await socket.closed).to.deep.equal([4408, 'Connection initialisation timeout']);
  });

  it('closes with 4409 when an id is in use, and lets it be used again when it is not', async () => {
    const socket = await connect();
    for (let round = 0; round < 2; round++) {
      socket.subscribe('1', '{ users { name } }');
      expect((await socket.hear()).type).to.equal('next');
      expect(await socket.hear()).to.deep.equal({ type: 'complete', id: '1' });
    }
    socket.subscribe('1', postAdded);
    socket.subscribe('1', postAdded);
    expect(await socket.closed).to.deep.equal([4409, 'Subscriber for 1 already exists']);
  });

  it('closes with 4429 on a second init', async () => {
    const socket = await connect();
    socket.say({ type: 'connection_init' });
    expect(await socket.closed).to.deep.equal([4429, 'Too many initialisation requests']);
  });

  it('answers pings, before the init and after, and takes pongs unasked', async () => {
    const socket = await open();
    socket.say({ type: 'ping', payload: { at: 1 } });
    expect(await socket.hear()).to.deep.equal({ type: 'pong', payload: { at: 1 } });
    socket.say({ type: 'pong' });
    socket.say({ type: 'connection_init' });
    expect(await socket.hear()).to.deep.equal({ type: 'connection_ack' });
    socket.say({ type: 'ping' });
    expect(await socket.hear()).to.deep.equal({ type: 'pong' });
    await socket.close();
  });

  it('answers a syntax error, an unknown field and too deep a query with an error message, and stays open', async () => {
    const socket = await connect();
    const depth = 20;
    const deep =
      '{ users { posts { author '.repeat(depth).replaceAll('} {', '{') + '{ id }' + ' } } }'.repeat(depth);
    const errors = {
      '{': 'GRAPHQL_PARSE_FAILED',
      '{ nothing }': 'GRAPHQL_VALIDATION_FAILED',
      [deep]: undefined,
    };
    for (const [query, code] of Object.entries(errors)) {
      socket.subscribe('1', query);
      const { type, payload } = await socket.hear();
      expect(type).to.equal('error');
      const [first] = payload as { extensions: { code: string } }[];
      if (code !== undefined) expect(first?.extensions.code).to.equal(code);
    }
    socket.subscribe('1', '{ users { name } }');
    expect(await socket.hear()).to.deep.include({
      type: 'next',
      payload: { data: { users: [{ name: 'Ada' }] } },
    });
    await socket.close();
  });

  it('says that me needs a caller, and who it is with a token from the init or the upgrade, with and without Bearer', async () => {
    const anonymous = await connect();
    anonymous.subscribe('1', '{ me { name } }');
    const { payload } = await anonymous.hear();
    const { data, errors } = payload as { data: unknown; errors: { message: string; extensions: unknown }[] };
    expect(data).to.deep.equal({ me: null });
    expect(errors[0]).to.deep.include({
      message: 'Not authenticated',
      extensions: { code: 'UNAUTHENTICATED' },
    });
    await anonymous.close();

    await service.services.users.create(
      { kind: 'user', id: '0', role: 'admin' },
      { name: 'Eve', email: 'eve@example.com', password: 'correct horse' },
    );
    const login = await service.post('/api/auth/login', {
      email: 'eve@example.com',
      password: 'correct horse',
    });
    const { accessToken } = login.body as { accessToken: string };
    for (const authorization of [accessToken, `Bearer ${accessToken}`]) {
      const inInit = await connect({ authorization });
      const inUpgrade = await connect(undefined, { headers: { authorization } });
      for (const socket of [inInit, inUpgrade]) {
        socket.subscribe('1', '{ me { name } }');
        expect(await socket.hear()).to.deep.include({ payload: { data: { me: { name: 'Eve' } } } });
        await socket.close();
      }
    }
  });

  it('closes with 4403 once the user behind the connection is gone', async () => {
    const admin = { kind: 'user', id: '0', role: 'admin' } as const;
    const { services } = service;
    const user = await services.users.create(admin, {
      name: 'Mallory',
      email: 'mallory@example.com',
      password: 'correct horse',
    });
    const login = await service.post('/api/auth/login', { email: user.email, password: 'correct horse' });
    const socket = await connect({ authorization: (login.body as { accessToken: string }).accessToken });
    socket.subscribe('1', postAdded);
    socket.subscribe('2', '{ users { id } }');
    expect((await socket.hear()).id).to.equal('2');
    await services.users.delete(admin, user.id);
    await writePost('For others');
    expect(await socket.closed).to.deep.equal([4403, 'Invalid token']);
  });

  it('delivers posts to 50 operations of one connection, and refuses one more until another ends', async () => {
    const socket = await connect();
    for (let id = 1; id <= 50; id++) socket.subscribe(String(id), postAdded);
    socket.subscribe('51', postAdded);
    const refusal = await socket.hear();
    expect(refusal).to.deep.include({ type: 'error', id: '51' });
    expect((refusal.payload as { extensions: unknown }[])[0]?.extensions).to.deep.equal({
      code: 'LIMIT_EXCEEDED',
    });
    const { id, title } = await writePost('To fifty');
    const heard = new Set<string | undefined>();
    for (let count = 0; count < 50; count++) {
      const message = await socket.hear();
      expect(message.payload).to.deep.equal({ data: { postAdded: { id, title, author: { name: 'Ada' } } } });
      heard.add(message.id);
    }
    expect(heard.size).to.equal(50);
    socket.say({ type: 'complete', id: '1' });
    socket.subscribe('51', '{ users { name } }');
    expect(await socket.hear()).to.deep.include({ type: 'next', id: '51' });
    await socket.close();
  });

  it('sends nothing more of an operation that the client has completed', async () => {
    const socket = await connect();
    socket.subscribe('1', postAdded);
    socket.subscribe('2', postAdded);
    socket.say({ type: 'complete', id: '1' });
    socket.subscribe('3', '{ users { id } }');
    while ((await socket.hear()).type !== 'complete');
    await writePost('For the second');
    expect((await socket.hear()).id).to.equal('2');
    socket.say({ type: 'ping' });
    expect((await socket.hear()).type).to.equal('pong');
    await socket.close();
  });

  it('serves the client of graphql-ws, queries, mutations and subscriptions', async () => {
    const client = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
    });
    const posts = client.iterate({ query: postAdded });
    const first = posts.next();
    const mutation = `mutation { createPost(title: "By socket", content: "x", authorId: "${authorId}") { title } }`;
    // The subscription was sent first, and takes a moment to stand.
    for await (const { data } of client.iterate({ query: '{ users { name } }' }))
      expect(data).to.have.key('users');
    for await (const { data } of client.iterate({ query: mutation })) {
      expect(data).to.deep.equal({ createPost: { title: 'By socket' } });
    }
    const { value } = (await first) as { value: { data: { postAdded: { title: string } } } };
    expect(value.data.postAdded.title).to.equal('By socket');
    await client.dispose();
  });

  it('answers upgrades that lead to no WebSocket with a status', async () => {
    const statusOf = async (path: string, headers = {}) => {
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket', ...headers };
      const [answer] = (await once(request(service.url + path, { headers: upgrade }).end(), 'response')) as [
        IncomingMessage,
      ];
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusOf('/elsewhere')).to.equal(404);
    expect(await statusOf('/graphql')).to.equal(400); // without a key
  });
});

describe('a WebSocket handshake that is refused', () => {
  const service = useService();
  const good = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
    'Sec-WebSocket-Version': '13',
  };

  for (const [what, status, change, header] of [
    ['another method', 405, { method: 'PUT' }, 'Allow: GET'],
    ['no key', 400, { headers: { 'Sec-WebSocket-Key': '' } }, ''],
    [
      'a version that nobody speaks',
      400,
      { headers: { 'Sec-WebSocket-Version': '7' } },
      'Sec-WebSocket-Version: 13, 8',
    ],
    ['a malformed list of protocols', 400, { headers: { 'Sec-WebSocket-Protocol': 'a,,b' } }, ''],
    ['another path', 404, { target: '/elsewhere' }, ''],
  ] as const) {
    it(`for ${what} is ${String(status)} with the body of every error`, async () => {
      const {
        method = 'GET',
        target = '/graphql',
        headers = {},
      } = { ...change } as {
        readonly method?: string;
        readonly target?: string;
        readonly headers?: Readonly<Record<string, string>>;
      };
      const lines = Object.entries({ ...good, ...headers }).map(([name, value]) => `${name}: ${value}`);
      const answer = readAnswer(await exchange(service.url, requestText(target, { method, headers: lines })));
      expect(answer.status).to.equal(status);
      expect(answer.headers).to.include('Content-Type: application/json').and.include(header);
      expect(answer.body).to.have.all.keys('error');
      expect((answer.body as { error: string }).error).to.match(/^[A-Z]/);
    });
  }
});

describe('graphql-transport-ws, where CORS names origins', () => {
  const service = useService({ corsOrigins: new Set(['https://app.example.com']) });

  it('lets in pages of these origins, its own, and what is no browser', async () => {
    for (const origin of ['https://app.example.com', service.url, undefined]) {
      const socket = await RawSocket.connect(service.url, undefined, origin === undefined ? {} : { origin });
      await socket.close();
    }
  });

  it('refuses pages of others with 403', async () => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      origin: 'https://evil.example.com',
    });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).to.include('403');
  });
});

describe('graphql-transport-ws, when the service stops', () => {
  const service = useService();

  it('closes with 1001', async () => {
    const socket = await RawSocket.connect(service.url);
    socket.subscribe('1', postAdded);
    await service.stop();
    expect(await socket.closed).to.deep.equal([1001, 'Going away']);
  });
});
