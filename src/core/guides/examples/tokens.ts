// tokens.ts
import { ServiceError, timestampOf, type TokenCodec } from '@concordat/core';

/** Accepts the access tokens of another service, and asks that service about each. */
export function introspectedTokens(endpoint: string, codec: TokenCodec): TokenCodec {
  return {
    ...codec,
    async readAccess(token) {
      const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams({ token }) });
      if (!response.ok) throw new ServiceError('unavailable', 'Tokens cannot be checked now');
      const claims = (await response.json()) as { active: boolean; sub: string; exp: number; iat: number };
      if (!claims.active) return undefined;
      const expiresAt = new Date(claims.exp * 1000);
      const issuedAt = timestampOf(claims.iat * 1000);
      return { userId: claims.sub, email: undefined, role: undefined, expiresAt, issuedAt };
    },
  };
}
