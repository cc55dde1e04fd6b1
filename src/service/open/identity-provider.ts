/** Creates the identity provider that the settings name, if any. */

import type { IdentityProvider } from '@concordat/core';
import type { Settings } from '../settings/settings.js';

/** Its settings. The readers of the settings ensure that all or none are given. */
export type IdentityProviderSettings = Pick<
  Settings,
  'idpIssuer' | 'idpClientId' | 'idpClientSecret' | 'publicUrl'
>;

/** Its packages are loaded on demand. @param ticketSecret - must be the same in every process of a deployment */
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
