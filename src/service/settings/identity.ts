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
import { choice, type Reader, SettingFault, text, toggle } from './setting.js';

const policyOf = choice<Policy>({ open: openPolicy, protected: protectedPolicy }, ({ isProduction }) =>
  isProduction ? 'protected' : 'open',
);

const readPolicy: Reader<Policy> = (given, environment) => {
  const policy = policyOf(given, environment);
  const host = hostOf(environment);
  // A wrong HOST is reported by its own setting.
  if (given === undefined && policy === openPolicy && host !== undefined && !isLoopback(host)) {
    throw new SettingFault(
      `must be given where HOST is not loopback (${host}): protected, or open to let everybody in`,
    );
  }
  return policy;
};

const readAdminEmail: Reader<string | undefined> = (given, environment) => {
  if (given === undefined && environment.valueOf('ADMIN_PASSWORD') !== undefined) {
    throw new SettingFault('and ADMIN_PASSWORD go together: give both or none');
  }
  if (given !== undefined && !isEmail(given)) {
    throw new SettingFault(`must be an email address, not ${given}`);
  }
  return given;
};

const readAdminPassword: Reader<string | undefined> = (given, environment) => {
  if (given === undefined && environment.valueOf('ADMIN_EMAIL') !== undefined) {
    throw new SettingFault('and ADMIN_EMAIL go together: give both or none');
  }
  if (given !== undefined && (given.length < 8 || given.length > 128)) {
    throw new SettingFault('must have 8 to 128 characters');
  }
  return given;
};

/** The secret that signs one kind of tokens; undefined for a random one. */
const readSecret: Reader<string | undefined> = (given, { isProduction }) => {
  if (given === undefined && isProduction) throw new SettingFault('must be given when NODE_ENV=production');
  if (given !== undefined && Buffer.byteLength(given) < minSecretBytes) {
    throw new SettingFault(`must have at least ${String(minSecretBytes)} bytes`);
  }
  return given;
};

const readOtherSecret: Reader<string | undefined> = (given, environment) => {
  if (given !== undefined && given === environment.valueOf('ACCESS_TOKEN_SECRET')) {
    throw new SettingFault('must differ from ACCESS_TOKEN_SECRET');
  }
  return readSecret(given, environment);
};

const readIssuer: Reader<string | undefined> = (given) => {
  if (given === undefined) return undefined;
  if (!URL.canParse(given) || !isTrustedIssuer(new URL(given))) {
    throw new SettingFault(`must be an https URL, or http on loopback, not ${given}`);
  }
  return given;
};

/** @returns the URL without a slash at the end, so that paths can be appended */
const readPublicUrl: Reader<string | undefined> = (given) => {
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new SettingFault(`must be an http or https URL without a query, not ${given}`);
  }
  return url.href.replace(/\/+$/, '');
};

/** External sign-in needs either all of its settings or none. */
function neededByIssuer(read: Reader<string | undefined>): Reader<string | undefined> {
  return (given, environment) => {
    if (given === undefined && environment.valueOf('IDP_ISSUER') !== undefined) {
      throw new SettingFault('must be given where IDP_ISSUER is');
    }
    return read(given, environment);
  };
}

export const identitySettings = {
  policy: {
    name: 'AUTH_POLICY',
    byDefault: '`open`; `protected` when `NODE_ENV=production`',
    meaning: 'who may do what: `open` or `protected`; must be given where `HOST` is not loopback',
    read: readPolicy,
  },
  accessTokenSecret: {
    name: 'ACCESS_TOKEN_SECRET',
    byDefault: 'random at start, with a warning; required when `NODE_ENV=production`',
    meaning: 'the secret that signs access tokens, at least 32 bytes',
    read: readSecret,
  },
  refreshTokenSecret: {
    name: 'REFRESH_TOKEN_SECRET',
    byDefault: 'random at start, with a warning; required when `NODE_ENV=production`',
    meaning:
      'the secret that signs refresh tokens, at least 32 bytes; must differ from `ACCESS_TOKEN_SECRET`',
    read: readOtherSecret,
  },
  loginTokens: {
    name: 'LOGIN_TOKENS',
    byDefault: '`pair`',
    meaning: '`pair` or `single`: the tokens of a sign-in without `?tokens=pair` or `?tokens=single`',
    read: choice<'pair' | 'single'>({ pair: 'pair', single: 'single' }, 'pair'),
  },
  rotateRefreshTokens: toggle(
    'REFRESH_ROTATION',
    '`on` returns a new refresh token with each refresh; using an old one again revokes the whole chain',
    'off',
  ),
  idpIssuer: {
    name: 'IDP_ISSUER',
    byDefault: 'none',
    meaning:
      'the identity provider of external sign-in: its OpenID Connect issuer, https unless it is on loopback',
    read: readIssuer,
  },
  idpClientId: {
    name: 'IDP_CLIENT_ID',
    byDefault: 'none',
    meaning: 'the client id of the service there; its redirect URI is `PUBLIC_URL/api/auth/idp/callback`',
    read: neededByIssuer(text()),
  },
  idpClientSecret: {
    name: 'IDP_CLIENT_SECRET',
    byDefault: 'none',
    meaning: 'the client secret of the service there',
    read: neededByIssuer(text()),
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    byDefault: 'none',
    meaning: 'the address that browsers use, such as `https://api.example.com`; external sign-in needs it',
    read: neededByIssuer(readPublicUrl),
  },
  adminEmail: {
    name: 'ADMIN_EMAIL',
    byDefault: 'none',
    meaning: 'the email of an admin who is created or updated at the start',
    read: readAdminEmail,
  },
  adminPassword: {
    name: 'ADMIN_PASSWORD',
    byDefault: 'none',
    meaning: "that admin's password, 8 to 128 characters",
    read: readAdminPassword,
  },
};
