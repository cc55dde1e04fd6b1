/** The settings of rights and of sign-in. */

import {
  type Policy,
  isEmail,
  isLoopback,
  isTrustedIssuer,
  openPolicy,
  protectedPolicy,
} from '@concordat/core';
import { minSecretBytes } from '@concordat/core/identity/jwt';
import { hostOf } from './server.js';
import {
  choice,
  type Environment,
  optional,
  type Reader,
  type Setting,
  SettingFault,
  toggle,
} from './setting.js';

const policyName = choice(['open', 'protected'], ({ isProduction }) => (isProduction ? 'protected' : 'open'));

const readPolicy: Reader<Policy> = (given, environment) => {
  const policy = policyName(given, environment) === 'open' ? openPolicy : protectedPolicy;
  const host = hostOf(environment);
  // A wrong HOST is reported by its own setting.
  if (given === undefined && policy === openPolicy && host !== undefined && !isLoopback(host)) {
    throw new SettingFault(
      `must be given unless HOST is loopback (it is ${host}): protected, or open to admit every caller`,
    );
  }
  return policy;
};

/** The setting of a secret that signs one kind of tokens; undefined for a random one. */
function secret(
  name: string,
  meaning: string,
  refuse?: (given: string, environment: Environment) => void,
): Setting<string | undefined> {
  return {
    name,
    byDefault: 'random at start, with a warning; required when `NODE_ENV=production`',
    meaning,
    read: (given, environment) => {
      if (given === undefined) {
        if (environment.isProduction) throw new SettingFault('must be given when NODE_ENV=production');
        return undefined;
      }
      refuse?.(given, environment);
      if (Buffer.byteLength(given) >= minSecretBytes) return given;
      throw new SettingFault(`must have at least ${String(minSecretBytes)} bytes`);
    },
  };
}

/** @returns the URL without a slash at the end, so that paths can be appended */
function readPublicUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new SettingFault(`must be an http or https URL without a query, not ${given}`);
  }
  return url.href.replace(/\/+$/, '');
}

/** A setting that is required if another one is given. */
function neededBy<Value>(
  other: string,
  setting: Setting<Value>,
  fault = `must be given if ${other} is`,
): Setting<Value> {
  const read: Reader<Value> = (given, environment) => {
    if (given === undefined && environment.valueOf(other) !== undefined) throw new SettingFault(fault);
    return setting.read(given, environment);
  };
  return { ...setting, read };
}

export const identitySettings = {
  policy: {
    name: 'AUTH_POLICY',
    byDefault: '`open`; `protected` when `NODE_ENV=production`',
    meaning: 'the policy: `open` or `protected`; required unless `HOST` is loopback',
    read: readPolicy,
  },
  accessTokenSecret: secret('ACCESS_TOKEN_SECRET', 'the secret that signs access tokens, at least 32 bytes'),
  refreshTokenSecret: secret(
    'REFRESH_TOKEN_SECRET',
    'the secret that signs refresh tokens, at least 32 bytes; must differ from `ACCESS_TOKEN_SECRET`',
    (given, environment) => {
      if (given !== environment.valueOf('ACCESS_TOKEN_SECRET')) return;
      throw new SettingFault('must differ from ACCESS_TOKEN_SECRET');
    },
  ),
  loginTokens: {
    name: 'LOGIN_TOKENS',
    byDefault: '`pair`',
    meaning: '`pair` or `single`: the tokens of a sign-in without `?tokens=pair` or `?tokens=single`',
    read: choice(['pair', 'single'], 'pair'),
  },
  rotateRefreshTokens: toggle(
    'REFRESH_ROTATION',
    '`on` returns a new refresh token with each refresh; using an old one again revokes the whole chain',
    'off',
  ),
  idpIssuer: optional(
    'IDP_ISSUER',
    'the identity provider of external sign-in: its OpenID Connect issuer, https unless it is on loopback',
    (given) => {
      if (URL.canParse(given) && isTrustedIssuer(new URL(given))) return given;
      throw new SettingFault(`must be an https URL, or http on loopback, not ${given}`);
    },
  ),
  idpClientId: neededBy(
    'IDP_ISSUER',
    optional(
      'IDP_CLIENT_ID',
      'the client id of the service there; its redirect URI is `PUBLIC_URL/api/auth/idp/callback`',
    ),
  ),
  idpClientSecret: neededBy(
    'IDP_ISSUER',
    optional('IDP_CLIENT_SECRET', 'the client secret of the service there'),
  ),
  publicUrl: neededBy(
    'IDP_ISSUER',
    optional(
      'PUBLIC_URL',
      'the address that browsers use, such as `https://api.example.com`; external sign-in needs it',
      readPublicUrl,
    ),
  ),
  adminEmail: neededBy(
    'ADMIN_PASSWORD',
    optional('ADMIN_EMAIL', 'the email of an admin who is created or updated at the start', (given) => {
      if (isEmail(given)) return given;
      throw new SettingFault(`must be an email address, not ${given}`);
    }),
    'and ADMIN_PASSWORD go together: give both or none',
  ),
  adminPassword: neededBy(
    'ADMIN_EMAIL',
    optional('ADMIN_PASSWORD', "that admin's password, 8 to 128 characters", (given) => {
      if (given.length >= 8 && given.length <= 128) return given;
      throw new SettingFault('must have 8 to 128 characters');
    }),
    'and ADMIN_EMAIL go together: give both or none',
  ),
};
