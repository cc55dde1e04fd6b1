/** The token port: signs the tokens of callers, and reads only tokens that it signed. */
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Role } from '../model/user.js';

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
 * Access and refresh tokens are separate: neither is ever accepted as the other. Reading gives undefined for every text that
 * was not signed here, has expired at `now`, never expires, or has claims of another shape.
 *
 * Every method may return a promise, for keys that are kept elsewhere and for introspection (RFC 7662). It rejects only when
 * the token cannot be checked, with a `ServiceError` of code `unavailable` where a remote service does not answer. The token
 * is then not accepted.
 *
 * `tokenChecks` of `@concordat/core/conformance` checks this.
 */
export interface TokenCodec {
  signAccess(claims: AccessClaims, validity: Validity): string | Promise<string>;
  readAccess(token: string, now: Timestamp): ReadAccess | Promise<ReadAccess>;
  signRefresh(claims: RefreshClaims, validity: Validity): string | Promise<string>;
  readRefresh(token: string, now: Timestamp): ReadRefresh | Promise<ReadRefresh>;
}

/** The claims of a valid access token, its expiry, and the `from` of its validity; undefined for any other text. */
export type ReadAccess =
  (AccessClaims & { readonly expiresAt: Date; readonly issuedAt: Timestamp }) | undefined;

/** The claims of a valid refresh token, and its expiry; undefined for any other text. */
export type ReadRefresh = (RefreshClaims & { readonly expiresAt: Date }) | undefined;
