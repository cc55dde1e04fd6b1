/** The token port: signs what callers carry, and reads back what it signed and nothing else. */
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Role } from '../model/user.js';

/** What an access token says of its bearer. */
export interface AccessClaims {
  readonly userId: Id;
  readonly email: string | undefined;
  readonly role: Role | undefined;
}

/** What a refresh token says. */
export interface RefreshClaims {
  readonly userId: Id;
  /** Unlike that of every other refresh token. */
  readonly tokenId: string;
}

/** From when until when a token is valid, to the second. */
export interface Validity {
  readonly from: Timestamp;
  readonly seconds: number;
}

/**
 * Access and refresh tokens are two languages: neither is ever read as the other. Reading gives undefined for every text
 * that was not signed here, is over at `now`, never ends, or whose claims have another shape.
 *
 * Every method may answer later, for keys that are kept elsewhere and for introspection (RFC 7662). It rejects only when it
 * cannot tell, with a `ServiceError` of code `unavailable` where what it asks does not answer; the token is then accepted
 * for nothing.
 *
 * `tokenChecks` of `@concordat/core/conformance` checks this.
 */
export interface TokenCodec {
  signAccess(claims: AccessClaims, validity: Validity): string | Promise<string>;
  readAccess(token: string, now: Timestamp): ReadAccess | Promise<ReadAccess>;
  signRefresh(claims: RefreshClaims, validity: Validity): string | Promise<string>;
  readRefresh(token: string, now: Timestamp): ReadRefresh | Promise<ReadRefresh>;
}

/** What a valid access token says, and when it ends; undefined for any other text. */
export type ReadAccess = (AccessClaims & { readonly expiresAt: Date }) | undefined;

/** What a valid refresh token says, and when it ends; undefined for any other text. */
export type ReadRefresh = (RefreshClaims & { readonly expiresAt: Date }) | undefined;
