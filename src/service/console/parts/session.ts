/** Calls the service as the signed-in user, by the generated client. The tokens are in the memory of this module, and nowhere else. */

import { contract } from '@concordat/core/contract';
import type { components } from '@concordat/core/contract';
import { restClient } from '@concordat/runtime/client';

export type Schemas = components['schemas'];

interface Tokens {
  readonly access: string;
  /** Absent for a token of another page, which lasts until it expires. */
  readonly refresh?: string | undefined;
}

let tokens: Tokens | undefined;
let renewal: Promise<boolean> | undefined;

/** The signed-in user; undefined while nobody is signed in. */
export let user: Schemas['User'] | undefined;

export const isAdmin = (): boolean => user?.role === 'admin';

const base = new URL('.', location.href);

export const client = restClient({
  contract,
  baseUrl: base,
  retries: 1,
  credentials: { bearerAuth: () => tokens?.access, apiKeyAuth: () => undefined },
  async fetch(url, init) {
    const answer = await globalThis.fetch(url, init);
    const isSignIn = String(url).includes('/api/auth/');
    if (answer.status !== 401 || isSignIn || !(await (renewal ??= renew()))) return answer;
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${tokens?.access ?? ''}`);
    return await globalThis.fetch(url, { ...init, headers });
  },
});

/** An access token lasts 15 minutes. All requests that find it expired wait for one new one. */
async function renew(): Promise<boolean> {
  try {
    const refreshToken = tokens?.refresh;
    if (refreshToken === undefined) return false;
    const { status, body } = await client.refreshToken({ body: { refreshToken } });
    if (status !== 200 || tokens?.refresh !== refreshToken) return false;
    tokens = { access: body.accessToken, refresh: body.refreshToken ?? refreshToken };
    return true;
  } catch {
    return false;
  } finally {
    renewal = undefined;
  }
}

/** A status that the caller did not ask for, with the sentence of the answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    body: unknown,
  ) {
    const { error } = Object(body) as { readonly error?: string };
    super(error ?? `The service answered ${String(status)}`);
  }
}

/** @throws Refusal for any other status */
export function expecting<
  Answer extends { readonly status: number; readonly body?: unknown },
  Status extends number,
>(answer: Answer, status: Status): Extract<Answer, { readonly status: Status }> {
  if (answer.status === status) return answer as Extract<Answer, { readonly status: Status }>;
  throw new Refusal(answer.status, answer.body);
}

/** @throws Refusal for wrong credentials, and after too many attempts */
export async function signIn(email: string, password: string): Promise<void> {
  const answer = await client.login({ body: { email, password }, query: { tokens: 'pair' } });
  const { body } = expecting(answer, 200);
  if (!('accessToken' in body)) throw new Error('The service gave no token for a session.');
  await begin({ access: body.accessToken, refresh: body.refreshToken });
}

/** Begins with a token that another page of the service hands over. */
export async function takeOver(access: string): Promise<void> {
  await begin({ access });
}

async function begin(given: Tokens): Promise<void> {
  tokens = given;
  try {
    user = expecting(await client.getProfile(), 200).body;
  } catch (error) {
    forget();
    throw error;
  }
}

export function forget(): void {
  [tokens, user] = [undefined, undefined];
}

/** Forgets the tokens, and revokes the refresh token. */
export async function signOut(): Promise<void> {
  const refreshToken = tokens?.refresh;
  forget();
  if (refreshToken !== undefined) await client.logout({ body: { refreshToken } });
}

/** The parameters that have a value. */
export function given<Query extends Readonly<Record<string, string | undefined>>>(query: Query) {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries) as { readonly [Name in keyof Query]?: NonNullable<Query[Name]> };
}
