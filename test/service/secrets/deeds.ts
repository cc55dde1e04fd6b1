/** Requests that use secrets, correctly and wrongly. */
import { expect } from 'chai';
import type { OidcServer } from '../../support/oidc-server.js';
import type { HttpRequest } from '../../support/send.js';
import { bearer, hashOf, type Visitor } from './visitor.js';

/** The settings of the service. */
export const PUBLIC_URL = 'http://service.example';

/** All requests with passwords and tokens. */
export async function signInAndOut(visitor: Visitor): Promise<void> {
  const { leaks } = visitor;
  const ada = { email: 'ada@example.com', password: 'the first password of Ada' };
  const next = 'the second password of Ada';
  const wrong = 'no password of anybody';
  leaks.keep('the first password', ada.password);
  leaks.keep('the second password', next);
  leaks.keep('the wrong password', wrong);
  // As short as the excerpt that JSON.parse quotes in its error.
  const unquoted = '{"password": Xq7-kLm9}';
  leaks.keep('the short password', 'Xq7-kLm9');
  const idempotencyKey = 'the key of the first sign-up';
  leaks.keep('the idempotency key', idempotencyKey);
  const signUp = await visitor.ask('sign-up', 'POST /api/users', {
    body: { name: 'Ada', ...ada },
    headers: { 'idempotency-key': idempotencyKey },
  });
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
    'a body whose parser repeats what is wrong': unquoted,
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
  await visitor.ask('GraphQL whose parser repeats what is wrong', 'POST /graphql', post({}, unquoted));
  await visitor.subscribe('a WebSocket', { authorization: accessToken }, query);
  await visitor.subscribe('a WebSocket with a bad token', { authorization: `${accessToken}x` }, query);
}

const pairBody = ({ refreshToken }: Record<string, string>) => ({ refreshToken });

/** @returns the key */
export async function makeKey(
  visitor: Visitor,
  admin: { readonly email: string; readonly password: string },
): Promise<string> {
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

/** Sign-ins with an identity provider, where a user is signed in. */
export async function signInElsewhere(visitor: Visitor, provider: OidcServer): Promise<void> {
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
