/** The settings of who may do what, and of how people sign in. */

import { minSecretBytes } from '../../adapters/identity/jwt.js';
import { type Policy, openPolicy, protectedPolicy } from '../../core/services/policy.js';
import { choice, toggle } from './readers.js';
import { type Reader, type Setting, SettingFault } from './setting.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

const policyOf = choice<Policy>({ open: openPolicy, protected: protectedPolicy }, ({ isProduction }) =>
  isProduction ? 'protected' : 'open',
);

const readPolicy: Reader<Policy> = (given, environment) => {
  const policy = policyOf(given, environment);
  const host = environment.valueOf('HOST') ?? '127.0.0.1';
  if (given === undefined && policy === openPolicy && !LOOPBACK.test(host)) {
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
  if (given !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(given)) {
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

/** What the tokens of one kind are signed with; undefined for a random one. */
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

export const identitySettings = {
  policy: {
    name: 'AUTH_POLICY',
    byDefault: '`open`; `protected` when `NODE_ENV=production`',
    meaning: 'who may do what: `open` or `protected`; must be given where `HOST` is not loopback',
    read: readPolicy,
  } satisfies Setting<Policy>,
  accessTokenSecret: {
    name: 'ACCESS_TOKEN_SECRET',
    byDefault: 'random at start, with a warning; required when `NODE_ENV=production`',
    meaning: 'what access tokens are signed with, at least 32 bytes',
    read: readSecret,
  } satisfies Setting<string | undefined>,
  refreshTokenSecret: {
    name: 'REFRESH_TOKEN_SECRET',
    byDefault: 'random at start, with a warning; required when `NODE_ENV=production`',
    meaning: 'what refresh tokens are signed with, at least 32 bytes and another',
    read: readOtherSecret,
  } satisfies Setting<string | undefined>,
  loginTokens: {
    name: 'LOGIN_TOKENS',
    byDefault: '`pair`',
    meaning: '`pair` or `single`: what a sign-in gives that does not say `?tokens=pair` or `?tokens=single`',
    read: choice<'pair' | 'single'>({ pair: 'pair', single: 'single' }, 'pair'),
  } satisfies Setting<'pair' | 'single'>,
  rotateRefreshTokens: {
    name: 'REFRESH_ROTATION',
    byDefault: '`off`',
    meaning:
      '`on` gives the next refresh token with each refresh; using an old one again revokes all that came of it',
    read: toggle('off'),
  } satisfies Setting<boolean>,
  adminEmail: {
    name: 'ADMIN_EMAIL',
    byDefault: 'none',
    meaning: 'given, an admin with this address exists once the service is up',
    read: readAdminEmail,
  } satisfies Setting<string | undefined>,
  adminPassword: {
    name: 'ADMIN_PASSWORD',
    byDefault: 'none',
    meaning: "that admin's password, 8 to 128 characters",
    read: readAdminPassword,
  } satisfies Setting<string | undefined>,
};
