/** The external sign-in operations. They are for browsers: both answer with a redirect, and a cookie links the two. */

import { allRead, readElsewhere } from '../model/fields.js';
import type { Services } from '../services/services.js';
import type { SomeOperations } from './answers.js';

const COOKIE = 'external_sign_in';
const START = '/api/auth/idp';
const SUCCESS = '/auth/success';

export function externalSignInOperations({ externalSignIn }: Services) {
  return {
    async startExternalSignIn(others) {
      allRead(others);
      const { location, ticket, seconds } = await externalSignIn.start();
      const headers = { Location: location, 'Set-Cookie': cookie(ticket, seconds), ...UNCACHED };
      return { status: 302, headers };
    },

    async completeExternalSignIn(
      { query, cookies: { [COOKIE]: ticket, ...cookies }, ...others },
      { request },
    ) {
      // The provider's client parses the raw query itself.
      readElsewhere(query);
      allRead(cookies, others);
      const outcome = await externalSignIn.complete(request.query, ticket);
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
      return { status: 302, headers: { Location, ...clear, ...UNCACHED } };
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

/** Responses that carry a ticket or a token must not be cached. */
const UNCACHED = { 'Cache-Control': 'no-store' } as const;
