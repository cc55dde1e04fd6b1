/** Token codecs that break a rule. */
import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { jwtCodec } from '../../../../src/core/identity/jwt.js';
import { timestampOfMicroseconds } from '../../../../src/core/model/timestamp.js';
import type { AccessClaims, ReadAccess } from '../../../../src/core/ports/sign-in.js';
import { secrets } from '../../../support/sign-in.js';
import { faults, methodFaults } from './fault.js';

/** A codec that answers at once. */
type Codec = ReturnType<typeof jwtCodec>;

export const soundCodec = (): Codec => ({ ...jwtCodec(secrets) });

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

export const tokenFaults = [
  ...methodFaults((codec: Codec) => codec, {
    signAccess: {
      'the role is forgotten: tokens-access': (sign) => (claims, validity) =>
        sign({ ...claims, role: undefined }, validity),
      'the time of issue is cut to its second: tokens-issued-at':
        (sign) =>
        (claims, { from, seconds }) =>
          sign(claims, { from: `${from.slice(0, 19)}.000000Z`, seconds }),
    },
    readAccess: {
      'an email that was not given is null: tokens-access': (read) => (token, now) => {
        const claims = read(token, now);
        return claims && ({ ...claims, email: claims.email ?? null } as unknown as ReadAccess);
      },
      'the time of issue is cut to its millisecond: tokens-issued-at': (read) => (token, now) => {
        const claims = read(token, now);
        return claims && { ...claims, issuedAt: `${claims.issuedAt.slice(0, 23)}000Z` };
      },
      'long tokens are not read: tokens-access': (read) => (token, now) =>
        token.length > 256 ? undefined : read(token, now),
      'a refresh token is good for access: tokens-apart': (read, codec) => (token, now) => {
        const refresh = codec.readRefresh(token, now);
        return refresh ? { ...refresh, email: undefined, role: undefined, issuedAt: now } : read(token, now);
      },
      'tokens never end: tokens-end': (read) => (token) => read(token, '2026-01-01T00:00:00.000000Z'),
      'signatures are not verified: tokens-altered': () => unverified,
      'a token without its signature is enough: tokens-altered': (read) => (token, now) =>
        token.endsWith('.') ? unverified(`${token}x`) : read(token, now),
    },
    signRefresh: {
      'all refresh tokens of a user are one text: tokens-refresh': (sign) => (claims, validity) =>
        sign({ ...claims, tokenId: 'x' }, validity),
    },
    readRefresh: {
      'tokens end a second late: tokens-end': (read) => (token, now) =>
        read(token, new Date(Date.parse(now) - 1000).toISOString()),
      'what is no token is an error: tokens-odd': (read) => (token, now) => {
        if (!token.includes('.')) throw new Error('jwt malformed');
        return read(token, now);
      },
    },
  }),

  ...faults<Codec>({
    'every process has keys of its own: tokens-shared': (codec) => {
      const [accessSecret, refreshSecret] = [
        randomBytes(32).toString('hex'),
        randomBytes(32).toString('hex'),
      ];
      Object.assign(codec, jwtCodec({ accessSecret, refreshSecret }));
    },
  }),
];
