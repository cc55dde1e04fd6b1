/** No password, token, key or hash of one leaves a service process, in its log or in any answer but those that give it. */
import { rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import pg from 'pg';
import type { DatabaseSetting } from '../../src/cli/settings/data.js';
import { compileService } from '../crash/compiled-service.js';
import { Leaks } from '../support/leaks.js';
import { OidcServer } from '../support/oidc-server.js';
import { RawSocket } from '../support/raw-socket.js';
import { send, type HttpAnswer, type HttpRequest } from '../support/send.js';
import { startProcess, type StartedProcess } from '../support/started-process.js';
import { onEveryDatabase } from '../support/stores.js';
import { until } from '../support/until.js';

const PUBLIC_URL = 'http://service.example';
const CALLBACK = '/api/auth/idp/callback';

const given = {
  ADMIN_PASSWORD: 'the admin has this one',
  ACCESS_TOKEN_SECRET: 'access tokens are signed with this secret',
  REFRESH_TOKEN_SECRET: 'refresh tokens are signed with this secret',
  IDP_CLIENT_SECRET: OidcServer.clientSecret,
};
const admin = { email: 'root@example.com', password: given.ADMIN_PASSWORD };

const provider = new OidcServer();

/** What is stored of a token, or of what is secret of a key. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** A client that remembers all that it is told. */
class Visitor {
  readonly leaks = new Leaks();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @param name of the answer, and what it is asked for */
  async ask(
    name: string,
    request: string,
    { body, headers }: { body?: unknown; headers?: HttpRequest['headers'] } = {},
  ): Promise<HttpAnswer> {
    const [method = '', path = ''] = request.split(' ');
    const answer = await send(this.#url, {
      method,
      path,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    this.leaks.hearAnswer(name, answer);
    return answer;
  }

  /** Keeps a token that an answer has given: as a whole, its signature, and what is stored of it. */
  keepToken(name: string, token: string, within: string): string {
    this.leaks.keep(name, token, within);
    this.leaks.keep(`the signature of ${name}`, token.split('.')[2] ?? '', within);
    this.leaks.keep(`the hash of ${name}`, hashOf(token));
    return token;
  }

  async signIn(name: string, credentials: object, form: 'pair' | 'single'): Promise<Record<string, string>> {
    const answer = await this.ask(name, `POST /api/auth/login?tokens=${form}`, { body: credentials });
    expect(answer.status, answer.text).to.equal(200);
    const tokens = JSON.parse(answer.text) as Record<string, string>;
    for (const kind of ['token', 'accessToken', 'refreshToken']) {
      const token = tokens[kind];
      if (token !== undefined) this.keepToken(`the ${kind} of ${name}`, token, name);
    }
    return tokens;
  }

  /** Runs a query on a WebSocket of its own. */
  async subscribe(name: string, payload: object, query: string): Promise<void> {
    const socket = await RawSocket.connect(this.#url, payload);
    socket.subscribe('1', query);
    this.leaks.hear(name, JSON.stringify(await socket.hear()));
    await socket.close();
  }
}

const bearer = (token: string | undefined) => ({ headers: { authorization: `Bearer ${String(token)}` } });

/** Everything that people do with passwords, and what they do wrong. */
async function signInAndOut(visitor: Visitor): Promise<void> {
  const { leaks } = visitor;
  const ada = { email: 'ada@example.com', password: 'the first password of Ada' };
  const next = 'the second password of Ada';
  const wrong = 'no password of anybody';
  leaks.keep('the first password', ada.password);
  leaks.keep('the second password', next);
  leaks.keep('the wrong password', wrong);
  const signUp = await visitor.ask('sign-up', 'POST /api/users', { body: { name: 'Ada', ...ada } });
  const { id } = JSON.parse(signUp.text) as { id: string };
  await visitor.ask('sign-up again', 'POST /api/users', { body: { name: 'Ada', ...ada } });
  await visitor.ask('sign-up with an unknown field', 'POST /api/users', { body: { ...ada, [wrong]: wrong } });
  await visitor.ask('sign-up with a bad email', 'POST /api/users', { body: { ...ada, email: wrong } });

  const single = await visitor.signIn('the single sign-in', ada, 'single');
  const pair = await visitor.signIn('the sign-in', ada, 'pair');
  for (const [what, body] of Object.entries({
    'a wrong password': { ...ada, password: wrong },
    'an unknown email': { ...ada, email: 'nobody@example.com' },
    'a password for an email': { email: ada.password, password: ada.email },
    'a password in a list': { ...ada, password: [ada.password] },
    'a body that is no JSON': `{"email": "${ada.email}", "password": "${ada.password}`,
    'a form': `email=${ada.email}&password=${ada.password}`,
  })) {
    expect((await visitor.ask(what, 'POST /api/auth/login', { body })).status, what).to.be.within(400, 401);
  }

  const own = bearer(pair['accessToken']);
  await visitor.ask('the profile', 'GET /api/profile', bearer(single['token']));
  await visitor.ask('a token that is cut', 'GET /api/profile', bearer(pair['accessToken']?.slice(0, -1)));
  await visitor.ask('a refresh token as an access token', 'GET /api/profile', bearer(pair['refreshToken']));
  const refreshed = await visitor.ask('a refresh', 'POST /api/auth/refresh', { body: pairBody(pair) });
  const { accessToken = '' } = JSON.parse(refreshed.text) as Record<string, string>;
  visitor.keepToken('the next access token', accessToken, 'a refresh');
  await visitor.ask('a refresh with an access token', 'POST /api/auth/refresh', {
    body: { refreshToken: accessToken },
  });
  await visitor.ask('a sign-out', 'POST /api/auth/logout', { body: pairBody(pair) });
  await visitor.ask('a refresh after that', 'POST /api/auth/refresh', { body: pairBody(pair) });
  const change = { name: 'Ada', email: ada.email, password: next };
  const changed = await visitor.ask('a new password', `PUT /api/users/${id}`, { body: change, ...own });
  expect(changed.status, changed.text).to.equal(200);
  await visitor.ask('a password that is too long', `PUT /api/users/${id}`, {
    body: { ...change, password: next.repeat(9) },
    ...own,
  });
  await visitor.signIn('the sign-in with the new password', { ...ada, password: next }, 'pair');

  const query = '{ me { id email } users { id email } }';
  const post = (headers: HttpRequest['headers'], body: unknown) => ({ headers: headers ?? {}, body });
  await visitor.ask('GraphQL', 'POST /graphql', post(own.headers, { query }));
  await visitor.ask(
    'GraphQL with no Bearer',
    'POST /graphql',
    post({ authorization: accessToken }, { query }),
  );
  await visitor.ask('GraphQL with a bad token', 'POST /graphql', post(bearer(wrong).headers, { query }));
  const variables = { token: pair['refreshToken'], name: ada.password };
  const createUser = 'mutation ($name: Int!) { createUser(name: $name, email: "x") { id } }';
  await visitor.ask(
    'GraphQL with bad variables',
    'POST /graphql',
    post({}, { query: createUser, variables: { token: variables.token } }),
  );
  await visitor.ask('GraphQL that is no JSON', 'POST /graphql', post({}, `{"query": "${accessToken}`));
  const inQuery = encodeURIComponent(JSON.stringify(variables));
  await visitor.ask('GraphQL in the address', `GET /graphql?query=%7Bme%7Bid%7D%7D&variables=${inQuery}`);
  await visitor.subscribe('a WebSocket', { authorization: accessToken }, query);
  await visitor.subscribe('a WebSocket with a bad token', { authorization: `${accessToken}x` }, query);
}

const pairBody = ({ refreshToken }: Record<string, string>) => ({ refreshToken });

/** @returns the key */
async function makeKey(visitor: Visitor): Promise<string> {
  const asAdmin = bearer((await visitor.signIn('the sign-in of the admin', admin, 'pair'))['accessToken']);
  const made = await visitor.ask('a key', 'POST /api/keys', { body: { name: 'Warehouse' }, ...asAdmin });
  const { id, key } = JSON.parse(made.text) as { id: string; key: string };
  const secret = key.slice(`ck_${id}_`.length);
  visitor.leaks.keep('the secret of the key', secret, 'a key');
  visitor.leaks.keep('the hash of the key', hashOf(secret));
  await visitor.ask('the keys', 'GET /api/keys', asAdmin);
  await visitor.ask('the record of the key', 'GET /api/keys/current', { headers: { 'x-api-key': key } });
  await visitor.ask('users by key', 'GET /api/users', { headers: { 'x-api-key': key } });
  await visitor.ask('users by a key that is cut', 'GET /api/users', {
    headers: { 'x-api-key': key.slice(1) },
  });
  return key;
}

async function signInElsewhere(visitor: Visitor): Promise<void> {
  const start = await visitor.ask('the start of an external sign-in', 'GET /api/auth/idp');
  const cookie = start.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  visitor.leaks.keep('the ticket', cookie.split('=', 2)[1] ?? '', 'the start of an external sign-in');
  const back = await provider.walkThrough(start.headers.location ?? '', PUBLIC_URL);
  const code = new URL(back, PUBLIC_URL).searchParams.get('code') ?? '';
  visitor.leaks.keep('the code', code);
  const answer = await visitor.ask('the callback', `GET ${back}`, { headers: { cookie } });
  expect(answer.status, answer.text).to.equal(302);
  const success = new URL(answer.headers.location ?? '', PUBLIC_URL);
  const token = success.searchParams.get('token') ?? '';
  visitor.keepToken('the token of the external sign-in', token, 'the callback');
  await visitor.ask('the callback again', `GET ${back}`, { headers: { cookie } });
  const page = await visitor.ask('the page of success', `GET ${success.pathname}${success.search}`);
  expect(page.status).to.equal(200);
  await visitor.ask('the page of success, its head', `HEAD ${success.pathname}${success.search}`);
  await visitor.ask('a page beside it', `GET ${success.pathname}/${success.search}`);
  await visitor.ask('the page of success, posted to', `POST ${success.pathname}${success.search}`);
  await visitor.ask('the profile of the external user', 'GET /api/profile', bearer(token));
}

/** What the store keeps; the memory of another process cannot be looked into. */
async function query(database: DatabaseSetting, sql: string): Promise<readonly Record<string, unknown>[]> {
  if (database.kind === 'memory') return [];
  if (database.kind === 'sqlite') {
    const connection = new Database(database.path);
    try {
      const statement = connection.prepare<[], Record<string, unknown>>(sql);
      return statement.reader ? statement.all() : (statement.run(), []);
    } finally {
      connection.close();
    }
  }
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the store fail in ways that nobody foresaw, with secrets at hand. */
async function breakStore(visitor: Visitor, database: DatabaseSetting, key: string): Promise<void> {
  const other = { name: 'Eve', email: 'eve@example.com', password: 'the password of Eve' };
  visitor.leaks.keep('the password of Eve', other.password);
  const { accessToken } = await visitor.signIn('the last sign-in', admin, 'pair');
  const fail = async (name: string, request: string, options: Parameters<Visitor['ask']>[2]) => {
    expect((await visitor.ask(name, request, options)).status, name).to.equal(500);
  };
  if (database.kind === 'postgres') {
    await query(database, "alter table users add constraint no_eve check (name <> 'Eve')");
    await fail('a sign-up that the database refuses', 'POST /api/users', { body: other });
  }
  for (const table of ['refresh_tokens', 'api_keys']) {
    await query(database, `alter table ${table} rename to away`);
    if (table === 'refresh_tokens') {
      await fail('a sign-in without a table', 'POST /api/auth/login?tokens=pair', { body: admin });
    } else {
      await fail('a key without a table', 'GET /api/users', { headers: { 'x-api-key': key } });
      await fail('a new key without a table', 'POST /api/keys', {
        body: { name: 'Late' },
        ...bearer(accessToken),
      });
    }
    await query(database, `alter table away rename to ${table}`);
  }
}

describe('secrets', function () {
  this.timeout(60_000);
  let directory = '';
  before(async () => {
    directory = await compileService();
    await provider.start(PUBLIC_URL + CALLBACK);
    provider.accounts.set('grace', { name: 'Grace Hopper', email: 'grace@example.com' });
    provider.visitor = 'grace';
  });
  after(async () => {
    await provider.stop();
    await rm(directory, { recursive: true });
  });

  onEveryDatabase('of a service process', (make) => {
    let started: StartedProcess | undefined;
    afterEach(() => started?.child.kill('SIGKILL'));

    it('stay where they belong, whatever is done and goes wrong', async () => {
      const database = await make();
      const url = database.kind === 'postgres' ? database.url : undefined;
      started = await startProcess(directory, {
        DATABASE_URL: url ?? (database.kind === 'sqlite' ? `sqlite:${database.path}` : 'memory:'),
        LOG_LEVEL: 'trace',
        ADMIN_EMAIL: admin.email,
        IDP_ISSUER: provider.issuer,
        IDP_CLIENT_ID: OidcServer.clientId,
        PUBLIC_URL,
        ...given,
      });
      const visitor = new Visitor(started.url);
      const { leaks } = visitor;
      for (const [name, secret] of Object.entries(given)) leaks.keep(name, secret);
      if (url !== undefined) leaks.keep('the password of the database', new URL(url).password);
      leaks.keep('a hash of a password', '$argon2id$');

      await signInAndOut(visitor);
      const key = await makeKey(visitor);
      await signInElsewhere(visitor);
      for (const path of ['/', '/docs', '/metrics', '/readyz', '/openapi.yaml']) {
        await visitor.ask(path, `GET ${path}`);
      }
      const stored = await query(database, 'select hash from refresh_tokens union select hash from api_keys');
      expect(leaks.secrets).to.include.members(stored.map(({ hash }) => hash));
      if (database.kind !== 'memory') {
        expect(stored).to.have.lengthOf.at.least(2);
        await breakStore(visitor, database, key);
      }

      started.child.kill('SIGTERM');
      expect(await started.exit).to.equal(0);
      const log = started.output();
      leaks.hear('the log', log);
      expect(log).to.include('"path":"/auth/success"').and.include('"operation":"login"');
      if (database.kind !== 'memory') expect(log).to.include('"msg":"a request failed"');
      expect(leaks.find()).to.deep.equal([]);
      await until('nothing else is written', () => started?.output() === log);
    });
  });
});
