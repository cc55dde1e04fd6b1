/** Creates the token codec from the secrets in the settings. */

import { randomBytes } from 'node:crypto';
import { jwtCodec } from '@concordat/core/identity/jwt';
import type { TokenCodec } from '@concordat/core';
import type { Settings } from '../settings/settings.js';

export interface OpenedTokens {
  readonly tokens: TokenCodec;
  /** The secret of the access tokens, for other secrets that must be the same in every process of a deployment. */
  readonly accessSecret: string;
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
}

/** A missing secret is replaced by a random one; then all users are signed out when the process ends. */
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
