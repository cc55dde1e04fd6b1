/** The operations of credentials: signing in with a password or with a provider, and API keys. */
import type { components } from '../../../generated/openapi.js';
import type { ApiKey } from '../model/credentials.js';
import { allRead, readElsewhere, complete } from '../model/fields.js';
import type { Services } from '../services/services.js';
import { callerFrom } from '../services/rights/caller.js';
import { type SomeOperations, collection, conditional, contentTag, replayed } from './answers.js';

/** A response that carries a token or a ticket must not be cached (RFC 6750 §5.3). */
export const notToBeStored = { 'Cache-Control': 'no-store' } as const;

export function authOperations({ sessions }: Services) {
  return {
    async login({ query: { tokens, ...query }, body: { email, password, ...body }, ...others }, { request }) {
      allRead(query, body, others);
      const answer = await sessions.signIn({ email, password }, request.address, tokens);
      // Encoders such as XML name the root element after the schema, so the answer names which of the two it is.
      return 'token' in answer
        ? { status: 200, schema: 'SingleToken', headers: notToBeStored, body: answer }
        : { status: 200, schema: 'TokenPair', headers: notToBeStored, body: answer };
    },

    async refreshToken({ body: { refreshToken, ...body } = {}, ...others }) {
      allRead(body, others);
      const answer = await sessions.refresh(refreshToken);
      return { status: 200, headers: notToBeStored, body: answer };
    },

    async logout({ body: { refreshToken, ...body }, ...others }) {
      allRead(body, others);
      await sessions.signOut(refreshToken);
      return { status: 204 };
    },
  } satisfies SomeOperations;
}

const COOKIE = 'external_sign_in';
const START = '/api/auth/idp';
const SUCCESS = '/auth/success';

export function externalSignInOperations({ externalSignIn }: Services) {
  return {
    async startExternalSignIn(others) {
      allRead(others);
      const { location, ticket, seconds } = await externalSignIn.start();
      const headers = { Location: location, 'Set-Cookie': cookie(ticket, seconds), ...notToBeStored };
      return { status: 302, headers };
    },

    async completeExternalSignIn(
      { query, cookies: { [COOKIE]: ticket, ...cookies }, ...others },
      { request },
    ) {
      // The provider's client parses the raw query itself.
      readElsewhere(query);
      allRead(cookies, others);
      const outcome = await externalSignIn.complete(request.query, ticket, request.address);
      // A ticket is for one callback, so the cookie is cleared even when the sign-in fails.
      const clear = { 'Set-Cookie': cookie('', 0) };
      if (outcome === 'email-taken') {
        return { status: 409, headers: clear, body: { error: 'Email already in use' } };
      }
      if (outcome === 'refused') {
        const headers = { ...clear, 'WWW-Authenticate': 'Bearer' };
        return { status: 401, headers, body: { error: 'External sign-in failed' } };
      }
      const Location = `${prefix()}${SUCCESS}?token=${encodeURIComponent(outcome.token)}`;
      return { status: 302, headers: { Location, ...clear, ...notToBeStored } };
    },
  } satisfies SomeOperations;

  /** The prefix that a proxy adds to the service's paths, as browsers see them; usually empty. */
  function prefix(): string {
    const { pathname } = new URL(externalSignIn.redirectUri);
    return pathname.slice(0, pathname.lastIndexOf(START));
  }

  /** Lax: the browser sends it with the provider's redirect, but not with requests of other sites (RFC 6265bis §5.6.7). */
  function cookie(value: string, seconds: number): string {
    const secure = externalSignIn.redirectUri.startsWith('https:') ? '; Secure' : '';
    const where = `Path=${prefix()}${START}; Max-Age=${String(seconds)}`;
    return `${COOKIE}=${value}; ${where}; HttpOnly; SameSite=Lax${secure}`;
  }
}

export function apiKeyOperations({ apiKeys }: Services) {
  return {
    async listApiKeys({ query: { page, limit, envelope, ...query }, ...others }, { caller, request }) {
      allRead(query, others);
      const found = await apiKeys.list(caller, { page, limit });
      return collection('ApiKey', found, { page, limit, envelope }, request, apiKeyRecord);
    },

    async createApiKey(
      { headers: { 'Idempotency-Key': once, ...headers }, body: { name, ...body }, ...others },
      { caller, request },
    ) {
      allRead(headers, body, others);
      const by = callerFrom(caller, request.address);
      const { record, key, isReplay } = await apiKeys.createOnce(by, { name }, once);
      const Location = `/api/keys/${record.id}`;
      const answer = { ...apiKeyRecord(record), ...(key !== undefined && { key }) };
      return { status: 201, headers: { Location, ...notToBeStored, ...replayed(isReplay) }, body: answer };
    },

    async getCurrentApiKey(
      { headers: { 'If-None-Match': ifNoneMatch, ...headers }, ...others },
      { caller, mediaType },
    ) {
      allRead(headers, others);
      const record = apiKeyRecord(await apiKeys.getCurrent(caller));
      return conditional(ifNoneMatch, contentTag(record, mediaType), record);
    },

    async deleteApiKey({ path: { id, ...path }, ...others }, { caller, request }) {
      allRead(path, others);
      await apiKeys.deactivate(callerFrom(caller, request.address), id);
      return { status: 204 };
    },
  } satisfies SomeOperations;
}

function apiKeyRecord(apiKey: ApiKey): components['schemas']['ApiKey'] {
  const { id, name, active, createdAt, lastUsedAt } = apiKey;
  return complete<components['schemas']['ApiKey']>({ id, name, active, createdAt, lastUsedAt });
}
