/** The operations for signing in with a password. */

import { allRead } from '../model/fields.js';
import type { Services } from '../services/services.js';
import type { SomeOperations } from './answers.js';

/** A response that carries a token must not be cached (RFC 6750 §5.3). */
export const notToBeStored = { 'Cache-Control': 'no-store' } as const;

export function authOperations({ sessions }: Services) {
  return {
    async login({ query: { tokens, ...query }, body: { email, password, ...body }, ...others }, { request }) {
      allRead(query, body, others);
      const answer = await sessions.signIn({ email, password }, request.address, tokens);
      // Encoders such as XML name the root element after the schema, so they need to know which of the two it is.
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
