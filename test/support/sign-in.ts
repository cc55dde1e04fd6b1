/** Requests and answers that the suites of signed-in callers share. */
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import type { Settings } from '../../src/service/settings/settings.js';
import type { TestService } from './service.js';

export const secrets = {
  accessSecret: 'the secret of access tokens in tests',
  refreshSecret: 'the secret of refresh tokens in tests',
};

/** The admin that {@link signInSettings} create. */
export const admin = { email: 'root@example.com', password: 'correct horse battery' };

/** Settings of a service with known secrets and an admin, which trusts a proxy's headers about addresses. */
export const signInSettings: Partial<Settings> = {
  accessTokenSecret: secrets.accessSecret,
  refreshTokenSecret: secrets.refreshSecret,
  adminEmail: admin.email,
  adminPassword: admin.password,
  trustProxy: 1,
};

/** The environment of a process of the service with an outbox, known secrets and the {@link admin}. */
export const outboxVariables = {
  ACCESS_TOKEN_SECRET: 'access tokens are signed with this secret',
  REFRESH_TOKEN_SECRET: 'refresh tokens are signed with this secret',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  OUTBOX: 'on',
  WEBHOOK_ALLOW: '127.0.0.1',
};

export interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A user that {@link signUp} has created. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

let accounts = 0;

/** Creates a user with a password. */
export async function signUp(service: TestService): Promise<Account> {
  accounts += 1;
  const account = {
    email: `account${String(accounts)}@example.com`,
    password: `password ${String(accounts)}!`,
  };
  const answer = await service.post('/api/users', { name: 'Ada Lovelace', ...account });
  expect(answer.status, answer.text).to.equal(201);
  return { ...account, id: (answer.body as { id: string }).id };
}

/** Signs in, by default from a new address. */
export async function signIn(
  service: TestService,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Pair> {
  const answer = await service.post('/api/auth/login?tokens=pair', { email, password });
  expect(answer.status, answer.text).to.equal(200);
  return answer.body as Pair;
}

export async function signInAsAdmin(service: TestService): Promise<Readonly<Record<string, string>>> {
  return bearer((await signIn(service, admin)).accessToken);
}

export const bearer = (token: string): { readonly authorization: string } => ({
  authorization: `Bearer ${token}`,
});

/** The claims of a token, without checking its signature. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return jwt.decode(token, { json: true }) ?? {};
}
