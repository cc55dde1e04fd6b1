/** The settings of rights and of sign-in. */

import {
  type Policy,
  isEmail,
  isLoopback,
  isTrustedIssuer,
  openPolicy,
  protectedPolicy,
} from '@concordat/core';
import { minSecretBytes, privateKeysOf, type Secrets } from '@concordat/core/identity/jwt';
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

/** The setting of the secrets of one kind of tokens; undefined for a random one. */
function secrets(
  name: string,
  meaning: string,
  refuse?: (given: readonly string[], environment: Environment) => void,
  replacement?: string,
): Setting<Secrets | undefined> {
  const exception = replacement === undefined ? '' : ` without \`${replacement}\``;
  return {
    name,
    byDefault: `random at start, with a warning; required when \`NODE_ENV=production\`${exception}`,
    meaning,
    mayBeFile: true,
    read: (given, environment) => {
      if (given === undefined) {
        const isReplaced = replacement !== undefined && environment.valueOf(replacement) !== undefined;
        if (environment.isProduction && !isReplaced) {
          throw new SettingFault('must be given when NODE_ENV=production');
        }
        return undefined;
      }
      const values = valuesIn(given);
      refuse?.(values, environment);
      refuseTwice(values);
      if (values.every((value) => Buffer.byteLength(value) >= minSecretBytes)) return values;
      const each = values.length === 1 ? '' : ' in each of its comma-separated values';
      throw new SettingFault(`must have at least ${String(minSecretBytes)} bytes${each}`);
    },
  };
}

/** A value that is given twice is a slip: the one that should replace it, or stay valid beside it, is missing. */
function refuseTwice(values: readonly string[]): void {
  if (new Set(values).size < values.length) throw new SettingFault('must not have the same value twice');
}

function valuesIn(given: string): readonly string[] {
  return given.split(',').map((value) => value.trim());
}

function readTokenKey(given: string): string {
  try {
    refuseTwice(privateKeysOf(given).map(({ kid }) => kid));
    return given;
  } catch (error) {
    if (error instanceof SettingFault) throw error;
    throw new SettingFault(
      'must be one or more private keys for ES256 as PEM without a passphrase, such as from: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256',
    );
  }
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
  accessTokenSecret: secrets(
    'ACCESS_TOKEN_SECRET',
    'the secret that signs access tokens, at least 32 bytes; several with commas between them: the first signs, all verify',
    undefined,
    'ACCESS_TOKEN_KEY',
  ),
  accessTokenKey: {
    ...optional(
      'ACCESS_TOKEN_KEY',
      'a private key as PEM that signs access tokens (ES256) in place of the secret, whose tokens remain valid; several PEM blocks: the first signs, all verify; the public keys are at `/.well-known/jwks.json`',
      readTokenKey,
    ),
    mayBeFile: true,
  },
  refreshTokenSecret: secrets(
    'REFRESH_TOKEN_SECRET',
    'the secret that signs refresh tokens, at least 32 bytes, or several; none may be in `ACCESS_TOKEN_SECRET`',
    (given, environment) => {
      const others = valuesIn(environment.valueOf('ACCESS_TOKEN_SECRET') ?? '');
      if (!given.some((value) => others.includes(value))) return;
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
  idpIssuer: neededBy(
    'IDP_CLIENT_ID',
    neededBy(
      'IDP_CLIENT_SECRET',
      optional(
        'IDP_ISSUER',
        'the identity provider of external sign-in: its OpenID Connect issuer, https unless it is on loopback',
        (given) => {
          if (URL.canParse(given) && isTrustedIssuer(new URL(given))) return given;
          throw new SettingFault(`must be an https URL, or http on loopback, not ${given}`);
        },
      ),
    ),
  ),
  idpClientId: neededBy(
    'IDP_ISSUER',
    optional(
      'IDP_CLIENT_ID',
      'the client id of the service there; its redirect URI is `PUBLIC_URL/api/auth/idp/callback`',
    ),
  ),
  idpClientSecret: neededBy('IDP_ISSUER', {
    ...optional('IDP_CLIENT_SECRET', 'the client secret of the service there'),
    mayBeFile: true,
  }),
  publicUrl: neededBy('IDP_ISSUER', {
    ...optional(
      'PUBLIC_URL',
      'the address that browsers use, such as `https://api.example.com`; external sign-in needs it',
      readPublicUrl,
    ),
    mayBeFile: true,
  }),
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
    {
      ...optional('ADMIN_PASSWORD', "that admin's password, 8 to 128 characters", (given) => {
        if (given.length >= 8 && given.length <= 128) return given;
        throw new SettingFault('must have 8 to 128 characters');
      }),
      mayBeFile: true,
    },
    'and ADMIN_EMAIL go together: give both or none',
  ),
};
