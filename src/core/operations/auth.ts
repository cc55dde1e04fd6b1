/** The operations of signing in with a password. */

import type { Operations } from '../../../generated/operations.js';
import type { CallContext } from 'concordat';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';

type AuthOperations = Pick<Operations<CallContext<Caller>>, 'login' | 'refreshToken' | 'logout'>;

/** What carries a token is never stored (RFC 6750 §5.3). */
export const notToBeStored = { 'Cache-Control': 'no-store' } as const;

export function authOperations({ sessions }: Services): AuthOperations {
  return {
    async login({ query, body }, { request }) {
      const answer = await sessions.signIn(body, request.address, query.tokens);
      // Which of the two it is, encoders that name what they write want to know.
      return 'token' in answer
        ? { status: 200, schema: 'SingleToken', headers: notToBeStored, body: answer }
        : { status: 200, schema: 'TokenPair', headers: notToBeStored, body: answer };
    },

    async refreshToken({ body }) {
      const answer = await sessions.refresh(body?.refreshToken);
      return { status: 200, headers: notToBeStored, body: answer };
    },

    async logout({ body }) {
      await sessions.signOut(body.refreshToken);
      return { status: 204 };
    },
  };
}
