/** Reads a person's profile from the claims of OpenID Connect. */

import type { ExternalProfile } from '../ports/identity-provider.js';

/** The claims of an ID token or a UserInfo response; only `sub` was checked (OpenID Connect Core §5.1). */
export interface ProfileClaims {
  readonly iss?: string;
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** The display name is the best one available, from the full name down to the preferred username. */
export function profileOf(claims: ProfileClaims): ExternalProfile {
  const text = (claim: string): string | undefined => {
    const value = claims[claim];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const fullName = [text('given_name'), text('family_name')].filter((part) => part !== undefined).join(' ');
  const name = text('name') ?? (fullName || (text('nickname') ?? text('preferred_username')));
  const email = text('email');
  return { issuer: claims.iss ?? '', subject: claims.sub, email, name };
}
