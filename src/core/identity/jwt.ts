/** Tokens as JSON Web Tokens (RFC 7519), signed with HMAC SHA-256 and two secrets. */

import { createSecretKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import type jwt from 'jsonwebtoken';
import { parseId } from '../model/id.js';
import { microsecondsOf, secondsOf, timestampOfMicroseconds, type Timestamp } from '../model/timestamp.js';
import { roles, type Role } from '../model/user.js';
import type {
  AccessClaims,
  ReadAccess,
  ReadRefresh,
  RefreshClaims,
  TokenCodec,
  Validity,
} from '../ports/sign-in.js';

export interface JwtSecrets {
  /** At least 32 bytes of UTF-8, the size of the hash (RFC 7518 §3.2). */
  readonly accessSecret: string;
  /** Also at least 32 bytes, and different: only the secret prevents the use of one kind of token as the other. */
  readonly refreshSecret: string;
}

/** A codec that holds its keys in memory and answers synchronously. */
export interface JwtCodec extends TokenCodec {
  signAccess(claims: AccessClaims, validity: Validity): string;
  readAccess(token: string, now: Timestamp): ReadAccess;
  signRefresh(claims: RefreshClaims, validity: Validity): string;
  readRefresh(token: string, now: Timestamp): ReadRefresh;
}

/** The minimum length of a secret in bytes. */
export const minSecretBytes = 32;

/** Longer than any token that is signed here, even with the longest email; longer texts are refused without hashing. */
const maxTokenLength = 4096;

/** The maximum number of cached tokens. */
const mostVerified = 1000;

/**
 * A codec whose only algorithm is HS256; the algorithm in a token's header is not trusted.
 *
 * @throws for a secret that is too short, and for two equal secrets
 *
 * @example
 * ```ts
 * const tokens = jwtCodec({ accessSecret: process.env.ACCESS_TOKEN_SECRET, refreshSecret: process.env.REFRESH_TOKEN_SECRET });
 * const services = createServices({ storage, policy, passwordHasher, tokens });
 * ```
 */
export function jwtCodec({ accessSecret, refreshSecret }: JwtSecrets): JwtCodec {
  if (accessSecret === refreshSecret) throw new Error('the two token secrets must differ');
  const accessKey = keyOf(accessSecret);
  const refreshKey = keyOf(refreshSecret);
  const verified = new Map<string, NonNullable<ReadAccess>>();
  return {
    signAccess: ({ userId, email, role }, validity) =>
      sign({ userId, ...(email !== undefined && { email }), ...(role && { role }) }, accessKey, validity),
    readAccess(token, now) {
      const known = verified.get(token);
      if (known !== undefined && secondsOf(now) * 1000 < known.expiresAt.getTime()) return known;
      const read = readClaims(token, accessKey, now);
      const access = read && accessClaims(read);
      if (read === undefined || access === undefined) return undefined;
      const found = { ...access, expiresAt: read.expiresAt, issuedAt: read.issuedAt };
      // A token with `nbf` is not cached: the check of a cached token compares only its expiry.
      if (read.claims['nbf'] === undefined) keep(verified, token, found);
      return found;
    },
    signRefresh: ({ userId, tokenId }, validity) => sign({ userId, jti: tokenId }, refreshKey, validity),
    readRefresh(token, now) {
      const read = readClaims(token, refreshKey, now);
      const refresh = read && refreshClaims(read);
      return refresh && { ...refresh, expiresAt: read.expiresAt };
    },
  };
}

/** Caches a token, because a client sends the same one with each request, and verifying it takes longer than reading a user. */
function keep<Value>(verified: Map<string, Value>, token: string, value: Value): void {
  const [oldest] = verified.size < mostVerified ? [] : verified.keys();
  if (oldest !== undefined) verified.delete(oldest);
  verified.set(token, value);
}

function keyOf(secret: string): KeyObject {
  const bytes = Buffer.from(secret);
  if (bytes.length < minSecretBytes) {
    throw new Error(`a token secret must have at least ${String(minSecretBytes)} bytes`);
  }
  return createSecretKey(bytes);
}

function sign(claims: Readonly<Record<string, string>>, key: KeyObject, { from, seconds }: Validity): string {
  // A NumericDate may have decimals (RFC 7519 §2), and a double holds microseconds until the year 2242.
  const iat = microsecondsOf(from) / 1e6;
  return jsonwebtoken().sign({ ...claims, iat, exp: secondsOf(from) + seconds }, key, { algorithm: 'HS256' });
}

const require = createRequire(import.meta.url);
let loaded: typeof jwt | undefined;

/** Loads the package synchronously with the first token: it has sixty files, for which the start of a service should not wait. */
function jsonwebtoken(): typeof jwt {
  return (loaded ??= require('jsonwebtoken') as typeof jwt);
}

/** Claims with a verified signature and time; their types are not checked yet. */
interface ReadClaims {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly expiresAt: Date;
  readonly issuedAt: Timestamp;
}

function readClaims(token: string, key: KeyObject, now: Timestamp): ReadClaims | undefined {
  if (token.length > maxTokenLength) return undefined;
  try {
    const { header, payload: claims } = jsonwebtoken().verify(token, key, {
      algorithms: ['HS256'],
      clockTimestamp: secondsOf(now),
      complete: true,
    });
    // No extension is supported, so a token that marks one as critical is refused (RFC 7515 §4.1.11).
    if (header.crit !== undefined) return undefined;
    // jsonwebtoken accepts a token that never expires.
    if (typeof claims === 'string' || claims.exp === undefined) return undefined;
    // A token without `iat` counts as older than any revocation.
    const issuedAt = timestampOfMicroseconds(Math.round((claims.iat ?? 0) * 1e6));
    return { claims, expiresAt: new Date(claims.exp * 1000), issuedAt };
  } catch {
    // The client does not learn why the token is invalid.
    return undefined;
  }
}

function accessClaims({ claims }: ReadClaims): AccessClaims | undefined {
  const { email, role } = claims;
  const userId = idOf(claims['userId']);
  if (userId === undefined) return undefined;
  if (email !== undefined && typeof email !== 'string') return undefined;
  if (role !== undefined && !isRole(role)) return undefined;
  return { userId, email, role };
}

function refreshClaims({ claims }: ReadClaims): RefreshClaims | undefined {
  const userId = idOf(claims['userId']);
  const tokenId = claims['jti'];
  return userId !== undefined && typeof tokenId === 'string' ? { userId, tokenId } : undefined;
}

function idOf(claim: unknown): string | undefined {
  return typeof claim === 'string' ? parseId(claim) : undefined;
}

function isRole(claim: unknown): claim is Role {
  return roles.some((role) => role === claim);
}
