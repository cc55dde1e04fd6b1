/** Makes the signer of tokens from the secrets that the settings give. */

import { randomBytes } from 'node:crypto';
import { jwtCodec } from '@concordat/core/identity/jwt';
import type { TokenCodec } from '@concordat/core';
import type { Settings } from './settings.js';

export interface OpenedTokens {
  readonly tokens: TokenCodec;
  /** The secret of the access tokens, for what else must hold in every process of a deployment. */
  readonly accessSecret: string;
  /** What whoever runs the service should know. */
  readonly warnings: readonly string[];
}

/** A secret that is not given is made up, and everybody is signed out when the process ends. */
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
