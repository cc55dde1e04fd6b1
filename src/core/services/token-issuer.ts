/** The kinds of tokens, and how long each is valid. */
import { createHash, randomUUID } from 'node:crypto';
import type { Id } from '../model/id.js';
import { timestampOf, type Timestamp } from '../model/timestamp.js';
import type { User } from '../model/user.js';
import type { AccessClaims, TokenCodec } from '../ports/token-codec.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In seconds. */
export const tokenLifetimes = { access: 15 * MINUTE, refresh: 7 * DAY, single: DAY, external: DAY } as const;

/** A refresh token, with its hash and expiry for the store. */
export interface IssuedRefreshToken {
  readonly token: string;
  readonly hash: string;
  readonly expiresAt: Timestamp;
}

export class TokenIssuer {
  readonly #codec: TokenCodec;

  constructor(codec: TokenCodec) {
    this.#codec = codec;
  }

  /** The access token of the pair. */
  access(userId: Id, now: Timestamp): string | Promise<string> {
    return this.#codec.signAccess(bare(userId), { from: now, seconds: tokenLifetimes.access });
  }

  /** The token of the `single` form. It is the only one that carries the email and the role. */
  single({ id, email, role }: User, now: Timestamp): string | Promise<string> {
    const claims = { userId: id, email, role };
    return this.#codec.signAccess(claims, { from: now, seconds: tokenLifetimes.single });
  }

  /** The token of a sign-in with an identity provider. */
  external(userId: Id, now: Timestamp): string | Promise<string> {
    return this.#codec.signAccess(bare(userId), { from: now, seconds: tokenLifetimes.external });
  }

  /** The refresh token of the pair. Each one is unique. */
  async refresh(userId: Id, now: Timestamp): Promise<IssuedRefreshToken> {
    const seconds = tokenLifetimes.refresh;
    const token = await this.#codec.signRefresh({ userId, tokenId: randomUUID() }, { from: now, seconds });
    return { token, hash: hashToken(token), expiresAt: timestampOf(Date.parse(now) + seconds * 1000) };
  }
}

function bare(userId: Id): AccessClaims {
  return { userId, email: undefined, role: undefined };
}

/**
 * The hash of a token or key that is stored in its place. One round of a fast hash is enough: unlike passwords, tokens and
 * keys are random and too long to guess.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
