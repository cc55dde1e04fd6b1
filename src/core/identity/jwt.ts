/** Tokens as JSON Web Tokens (RFC 7519), signed with secrets (HS256) or private keys (ES256). */

import { createRequire } from 'node:module';
import type jwt from 'jsonwebtoken';
import { parseId } from '../model/id.js';
import { microsecondsOf, secondsOf, timestampOfMicroseconds, type Timestamp } from '../model/timestamp.js';
import { roles } from '../model/user.js';
import type {
  AccessClaims,
  PublicTokenKey,
  ReadAccess,
  ReadRefresh,
  RefreshClaims,
  TokenCacheState,
  TokenCodec,
  Validity,
} from '../ports/sign-in.js';
import { type JwtKey, keyRing, privateKeysOf, type Secrets, secretKey } from './jwt-keys.js';

export { minSecretBytes, privateKeysOf, type Secrets } from './jwt-keys.js';

export interface JwtSecrets {
  /** At least 32 bytes of UTF-8, the size of the hash (RFC 7518 §3.2). Required unless there is an `accessKey`. */
  readonly accessSecret?: Secrets | undefined;
  /** Also at least 32 bytes, and different: only the secret prevents the use of one kind of token as the other. */
  readonly refreshSecret: Secrets;
  /**
   * Private keys for access tokens (EC P-256) as PEM: the first signs, and all verify. Tokens that `accessSecret` signed remain
   * valid beside them.
   */
  readonly accessKey?: string | undefined;
}

/** A codec that holds its keys in memory and answers synchronously. */
export interface JwtCodec extends TokenCodec {
  signAccess(claims: AccessClaims, validity: Validity): string;
  readAccess(token: string, now: Timestamp): ReadAccess;
  signRefresh(claims: RefreshClaims, validity: Validity): string;
  readRefresh(token: string, now: Timestamp): ReadRefresh;
  readonly publicKeys: readonly PublicTokenKey[];
  readonly cache: TokenCacheState;
}

/** Longer than any token that is signed here, even with the longest email; longer texts are refused without hashing. */
const maxTokenLength = 4096;

/** The maximum number of cached tokens, of less than a kilobyte each: more than a process has subscribers, whose tokens each event reads. */
const mostVerified = 20_000;

/**
 * A codec over fixed keys. A token with a `kid` is verified with that key only, and one without with each key.
 *
 * @throws for a secret that is too short, for one that both kinds of tokens have, and for a key that is not for ES256
 *
 * @example
 * ```ts
 * const tokens = jwtCodec({ accessSecret: process.env.ACCESS_TOKEN_SECRET, refreshSecret: process.env.REFRESH_TOKEN_SECRET });
 * const services = createServices({ storage, policy, passwordHasher, tokens });
 * ```
 */
export function jwtCodec({ accessSecret = [], refreshSecret, accessKey }: JwtSecrets): JwtCodec {
  const [accessSecrets, refreshSecrets] = [[accessSecret].flat(), [refreshSecret].flat()];
  if (accessSecrets.some((secret) => refreshSecrets.includes(secret))) {
    throw new Error('the secrets of access tokens and of refresh tokens must differ');
  }
  const privateKeys = accessKey === undefined ? [] : privateKeysOf(accessKey);
  const accessKeys = keyRing([...privateKeys, ...accessSecrets.map(secretKey)]);
  const refreshKeys = keyRing(refreshSecrets.map(secretKey));
  // A client sends the same token with each request, and verifying it takes longer than reading a user.
  const verified = new Map<string, NonNullable<ReadAccess>>();
  const cache = {
    hits: 0,
    misses: 0,
    get size() {
      return verified.size;
    },
  };
  return {
    cache,
    publicKeys: accessKeys.published,
    signAccess: ({ userId, email, role }, validity) =>
      sign(
        { userId, ...(email !== undefined && { email }), ...(role && { role }) },
        accessKeys.current,
        validity,
      ),
    readAccess(token, now) {
      const known = verified.get(token);
      if (known !== undefined && secondsOf(now) * 1000 < known.expiresAt.getTime()) {
        cache.hits += 1;
        return known;
      }
      cache.misses += 1;
      const read = readClaims(token, accessKeys, now);
      const access = read && accessClaims(read);
      if (read === undefined || access === undefined) return undefined;
      const found = { ...access, expiresAt: read.expiresAt, issuedAt: read.issuedAt };
      // A token with `nbf` is not cached: the check of a cached token compares only its expiry.
      if (read.claims['nbf'] === undefined) {
        const [oldest] = verified.size < mostVerified ? [] : verified.keys();
        if (oldest !== undefined) verified.delete(oldest);
        verified.set(token, found);
      }
      return found;
    },
    signRefresh: ({ userId, tokenId }, validity) =>
      sign({ userId, jti: tokenId }, refreshKeys.current, validity),
    readRefresh(token, now) {
      const read = readClaims(token, refreshKeys, now);
      const refresh = read && refreshClaims(read);
      return refresh && { ...refresh, expiresAt: read.expiresAt };
    },
  };
}

function sign(
  claims: Readonly<Record<string, string>>,
  { algorithm, kid, signing }: JwtKey,
  { from, seconds }: Validity,
): string {
  // A NumericDate may have decimals (RFC 7519 §2), and a double holds microseconds until the year 2242.
  const iat = microsecondsOf(from) / 1e6;
  const payload = { ...claims, iat, exp: secondsOf(from) + seconds };
  return jsonwebtoken().sign(payload, signing, { algorithm, keyid: kid });
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

function readClaims(token: string, keys: ReturnType<typeof keyRing>, now: Timestamp): ReadClaims | undefined {
  const header = token.length > maxTokenLength ? undefined : headerOf(token);
  // No extension is supported, so a token that marks one as critical is refused (RFC 7515 §4.1.11).
  if (header === undefined || header.crit !== undefined) return undefined;
  for (const key of keys.candidates(header.kid)) {
    const read = verifiedClaims(token, key, now);
    if (read !== undefined) return read;
  }
  return undefined;
}

/** The header, which is not verified yet. */
function headerOf(token: string): { readonly kid?: unknown; readonly crit?: unknown } | undefined {
  try {
    const [encoded = ''] = token.split('.', 1);
    return Object(JSON.parse(Buffer.from(encoded, 'base64url').toString())) as object;
  } catch {
    return undefined;
  }
}

function verifiedClaims(
  token: string,
  { algorithm, verifying }: JwtKey,
  now: Timestamp,
): ReadClaims | undefined {
  try {
    const options = { algorithms: [algorithm], clockTimestamp: secondsOf(now) };
    const claims = jsonwebtoken().verify(token, verifying, options);
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
  const { email } = claims;
  const role = roles.find((each) => each === claims['role']);
  const userId = idOf(claims['userId']);
  if (userId === undefined) return undefined;
  if (email !== undefined && typeof email !== 'string') return undefined;
  if (role !== claims['role']) return undefined;
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
