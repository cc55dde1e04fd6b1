/** Opens the token codec and the identity provider that the settings describe. */

import { randomBytes } from 'node:crypto';
import type { IdentityProvider, TokenCodec } from '@concordat/core';
import { jwtCodec, privateKeysOf } from '@concordat/core/identity/jwt';
import type { Settings } from '../settings/settings.js';

interface OpenedTokens {
  readonly tokens: TokenCodec;
  /**
   * Secrets for other uses that need the same ones in every process and after a restart: the first signs, all verify. Empty if none
   * is given.
   */
  readonly lastingSecrets: readonly string[];
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
}

/**
 * Creates the token codec from the keys in the settings. A missing secret is replaced by a random one; all users are then
 * signed out when the process ends.
 */
export function openTokens({
  accessTokenSecret,
  accessTokenKey,
  refreshTokenSecret,
}: Pick<Settings, 'accessTokenSecret' | 'accessTokenKey' | 'refreshTokenSecret'>): OpenedTokens {
  const isAccessGiven = accessTokenSecret !== undefined || accessTokenKey !== undefined;
  const isGiven = isAccessGiven && refreshTokenSecret !== undefined;
  // Each in one form, however the PEM is written.
  const keys = (accessTokenKey === undefined ? [] : privateKeysOf(accessTokenKey)).map(({ signing }) =>
    signing.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  );
  return {
    tokens: jwtCodec({
      accessSecret: isAccessGiven ? accessTokenSecret : randomSecret(),
      accessKey: accessTokenKey,
      refreshSecret: refreshTokenSecret ?? randomSecret(),
    }),
    lastingSecrets: [...keys, ...[accessTokenSecret ?? []].flat()],
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
 * @param ticketSecrets - must be the same in every process of a deployment; a random one if there are none
 */
export async function openIdentityProvider(
  { idpIssuer, idpClientId, idpClientSecret, publicUrl }: IdentityProviderSettings,
  ticketSecrets: readonly string[],
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
    ticketSecret: ticketSecrets.length > 0 ? ticketSecrets : randomSecret(),
    report,
  });
}
