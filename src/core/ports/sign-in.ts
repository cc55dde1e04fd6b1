/** The ports of signing in: identity providers, tokens, password hashes, and limits on attempts. */
import type { ExternalIdentity } from '../model/credentials.js';
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Role } from '../model/user.js';

/** A sign-in that has begun. The service keeps no state for it: the browser sends all of it back. */
export interface SignInStart {
  /** The page of the provider to send the browser to, as an absolute URL. */
  readonly location: string;
  /** Signed state that the callback must bring back with the provider's answer; it expires after `seconds`. */
  readonly ticket: string;
  readonly seconds: number;
}

/** A person's profile at the provider, as the provider gives it: texts of any length, unchecked. */
export interface ExternalProfile extends ExternalIdentity {
  readonly email: string | undefined;
  /** The display name. */
  readonly name: string | undefined;
}

/** `identityProviderChecks` of `@concordat/core/conformance` checks this. */
export interface IdentityProvider {
  /** The absolute URL of the callback for browsers, to which the provider sends them back. */
  readonly redirectUri: string;

  /** @throws ServiceError `unavailable` when the provider does not answer */
  start(now: Timestamp): Promise<SignInStart>;

  /**
   * Checks the provider's answer.
   *
   * @param answer the callback's query, without the `?`
   * @param ticket the ticket of the sign-in
   * @returns `refused` for any answer that is not proof of identity: the provider refuses or does not answer, the ticket was
   *   not signed here or has expired, or the answer belongs to another sign-in or was used before
   */
  complete(answer: string, ticket: string, now: Timestamp): Promise<ExternalProfile | 'refused'>;
}

/** The claims of an access token. */
export interface AccessClaims {
  readonly userId: Id;
  readonly email: string | undefined;
  readonly role: Role | undefined;
}

/** The claims of a refresh token. */
export interface RefreshClaims {
  readonly userId: Id;
  /** Unique among all refresh tokens. */
  readonly tokenId: string;
}

/** When a token is issued, to the microsecond, and how long it is valid. It expires at a whole second. */
export interface Validity {
  readonly from: Timestamp;
  readonly seconds: number;
}

/**
 * Access and refresh tokens are separate: neither is ever accepted as the other. Reading returns undefined for every text that was
 * not signed here, has expired at `now`, never expires, or has claims of another shape.
 *
 * Every method may return a promise, for keys that are kept elsewhere and for introspection (RFC 7662). It rejects only when the
 * token cannot be checked, with a `ServiceError` of code `unavailable` if a remote service does not answer. The token is then not
 * accepted.
 *
 * `tokenChecks` of `@concordat/core/conformance` checks this.
 */
export interface TokenCodec {
  signAccess(claims: AccessClaims, validity: Validity): string | Promise<string>;
  readAccess(token: string, now: Timestamp): ReadAccess | Promise<ReadAccess>;
  signRefresh(claims: RefreshClaims, validity: Validity): string | Promise<string>;
  readRefresh(token: string, now: Timestamp): ReadRefresh | Promise<ReadRefresh>;
  /** The keys by which other services verify access tokens; none under HS256, and none unless given. */
  readonly publicKeys?: readonly PublicTokenKey[];
  /** The cache of verified access tokens, for metrics; none unless given. */
  readonly cache?: TokenCacheState;
}

/** The size of a cache of tokens, and its lookups so far. */
export interface TokenCacheState {
  readonly size: number;
  readonly hits: number;
  readonly misses: number;
}

/** A public key as a JSON Web Key (RFC 7517 §4). */
export interface PublicTokenKey {
  readonly kid: string;
  readonly kty: string;
  readonly alg: string;
  readonly [member: string]: string;
}

/** The claims of a valid access token, its expiry, and the `from` of its validity; undefined for any other text. */
export type ReadAccess =
  (AccessClaims & { readonly expiresAt: Date; readonly issuedAt: Timestamp }) | undefined;

/** The claims of a valid refresh token, and its expiry; undefined for any other text. */
export type ReadRefresh = (RefreshClaims & { readonly expiresAt: Date }) | undefined;

/** `hasherChecks` of `@concordat/core/conformance` checks this. */
export interface PasswordHasher {
  /** @returns a salted hash with its parameters in one text (for example the PHC string format). */
  hash(password: string): Promise<string>;
  /** Whether the hash was made of this password; false also for a hash that this hasher cannot read. */
  verify(hash: string, password: string): Promise<boolean>;
}

/**
 * Limits the attempts per key and window of time; the limiter sets their number and the length of the window. Each record of a key
 * ends with its window, so that the memory is bounded by the attempts of one window.
 *
 * `limiterChecks` of `@concordat/core/conformance` checks this.
 */
export interface AttemptLimiter {
  /**
   * @param times - multiplies the limiter's number of attempts for this key, 1 unless given: a key that stands for many clients
   *   has more. A key always comes with the same number
   * @returns whole seconds until the key has an attempt again, at least 1; undefined while it has one left
   */
  blockedFor(key: string, times?: number): Promise<number | undefined>;

  /**
   * Takes one of the key's attempts in one step: several simultaneous callers never get more attempts than the key has.
   *
   * @returns as {@link blockedFor}: undefined when an attempt was taken
   */
  take(key: string, times?: number): Promise<number | undefined>;

  /** Gives back an attempt that succeeded. */
  giveBack(key: string, times?: number): Promise<void>;
}

/** Whether a host name means this machine. @param host a host name from a URL, or an address to listen on */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Whether the provider's answers cannot be changed in transit: over TLS, or within this machine. */
export function isTrustedIssuer({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
