/** Opens the token codec and the identity provider that the settings describe. */

import { randomBytes } from 'node:crypto';
import type { IdentityProvider, TokenCodec } from '@concordat/core';
import { jwtCodec } from '@concordat/core/identity/jwt';
import type { Settings } from '../settings/settings.js';

interface OpenedTokens {
  readonly tokens: TokenCodec;
  /** The secret of the access tokens, for other uses that need the same secret in every process of a deployment. */
  readonly accessSecret: string;
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
}

/**
 * Creates the token codec from the secrets in the settings. A missing secret is replaced by a random one; all users are then
 * signed out when the process ends.
 */
export function openTokens({
  accessTokenSecret,
  refreshTokenSecret,
}: Pick<Settings, 'accessTokenSecret' | 'refreshTokenSecret'>): OpenedTokens {
  const isGiven = accessTokenSecret !== undefined && refreshTokenSecret !== undefined;
  const accessSecret = accessTokenSecret ?? randomSecret();
  return {
    tokens: jwtCodec({ accessSecret, refreshSecret: refreshTokenSecret ?? randomSecret() }),
    accessSecret,
    warnings: isGiven
      ? []
      : ['tokens end with this process, unless ACCESS_TOKEN_SECRET and REFRESH_TOKEN_SECRET are both given'],
  };
}

function randomSecret(): string {
  return randomBytes(48).toString('base64url');
}

/** The settings of the identity provider. Their readers ensure that all or none are given. */
type IdentityProviderSettings = Pick<Settings, 'idpIssuer' | 'idpClientId' | 'idpClientSecret' | 'publicUrl'>;

/**
 * Creates the identity provider that the settings name, if any. Its packages are loaded on demand.
 *
 * @param ticketSecret - must be the same in every process of a deployment
 */
export async function openIdentityProvider(
  { idpIssuer, idpClientId, idpClientSecret, publicUrl }: IdentityProviderSettings,
  ticketSecret: string,
  report: (reason: string) => void,
): Promise<IdentityProvider | undefined> {
  if (idpIssuer === undefined || idpClientId === undefined) return undefined;
  if (idpClientSecret === undefined || publicUrl === undefined) return undefined;
  const { oidcProvider } = await import('@concordat/core/identity/oidc');
  return oidcProvider({
    issuer: idpIssuer,
    clientId: idpClientId,
    clientSecret: idpClientSecret,
    redirectUri: `${publicUrl}/api/auth/idp/callback`,
    ticketSecret,
    report,
  });
}
