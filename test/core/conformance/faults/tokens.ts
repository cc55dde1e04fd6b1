/** Token codecs that break a rule. */
import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { jwtCodec } from '../../../../src/core/identity/jwt.js';
import { timestampOfMicroseconds } from '../../../../src/core/model/timestamp.js';
import type { AccessClaims, ReadAccess, TokenCodec } from '../../../../src/core/ports/sign-in.js';
import { secrets } from '../../../support/sign-in.js';
import type { PortFaults } from './fault.js';

const sound = jwtCodec(secrets);
const broken = (change: Partial<TokenCodec>) => (): TokenCodec => ({ ...sound, ...change });

/** The claims of a token, with any signature. */
function unverified(token: string): ReadAccess {
  const { userId, exp, iat, email, role } = (jwt.decode(token) ?? {}) as Partial<AccessClaims> & {
    readonly exp?: number;
    readonly iat?: number;
  };
  if (userId === undefined || exp === undefined || iat === undefined) return undefined;
  const issuedAt = timestampOfMicroseconds(Math.round(iat * 1e6));
  return { userId, email, role, expiresAt: new Date(exp * 1000), issuedAt };
}

export const tokenFaults: PortFaults<TokenCodec> = {
  'the role is forgotten': [
    'tokens-access',
    broken({ signAccess: (claims, validity) => sound.signAccess({ ...claims, role: undefined }, validity) }),
  ],
  'an email that was not given is null': [
    'tokens-access',
    broken({
      readAccess: (token, now) => {
        const read = sound.readAccess(token, now);
        return read && ({ ...read, email: read.email ?? null } as unknown as ReadAccess);
      },
    }),
  ],
  'the time of issue is cut to its second': [
    'tokens-issued-at',
    broken({
      signAccess: (claims, { from, seconds }) =>
        sound.signAccess(claims, { from: `${from.slice(0, 19)}.000000Z`, seconds }),
    }),
  ],
  'the time of issue is cut to its millisecond': [
    'tokens-issued-at',
    broken({
      readAccess: (token, now) => {
        const read = sound.readAccess(token, now);
        return read && { ...read, issuedAt: `${read.issuedAt.slice(0, 23)}000Z` };
      },
    }),
  ],
  'long tokens are not read': [
    'tokens-access',
    broken({ readAccess: (token, now) => (token.length > 256 ? undefined : sound.readAccess(token, now)) }),
  ],
  'all refresh tokens of a user are one text': [
    'tokens-refresh',
    broken({ signRefresh: (claims, validity) => sound.signRefresh({ ...claims, tokenId: 'x' }, validity) }),
  ],
  'a refresh token is good for access': [
    'tokens-apart',
    broken({
      readAccess: (token, now) => {
        const refresh = sound.readRefresh(token, now);
        const issuedAt = now;
        return refresh
          ? { ...refresh, email: undefined, role: undefined, issuedAt }
          : sound.readAccess(token, now);
      },
    }),
  ],
  'tokens never end': [
    'tokens-end',
    broken({ readAccess: (token) => sound.readAccess(token, '2026-01-01T00:00:00.000000Z') }),
  ],
  'tokens end a second late': [
    'tokens-end',
    broken({
      readRefresh: (token, now) => sound.readRefresh(token, new Date(Date.parse(now) - 1000).toISOString()),
    }),
  ],
  'signatures are not verified': ['tokens-altered', broken({ readAccess: unverified })],
  'a token without its signature is enough': [
    'tokens-altered',
    broken({
      readAccess: (token, now) =>
        token.endsWith('.') ? unverified(`${token}x`) : sound.readAccess(token, now),
    }),
  ],
  'what is no token is an error': [
    'tokens-odd',
    broken({
      readRefresh: (token, now) => {
        if (!token.includes('.')) throw new Error('jwt malformed');
        return sound.readRefresh(token, now);
      },
    }),
  ],
  'every process has keys of its own': [
    'tokens-shared',
    () => {
      const [accessSecret, refreshSecret] = [
        randomBytes(32).toString('hex'),
        randomBytes(32).toString('hex'),
      ];
      return jwtCodec({ accessSecret, refreshSecret });
    },
  ],
};
