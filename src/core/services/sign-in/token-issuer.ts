/** Issues the kinds of tokens, each with its lifetime. */
import { randomUUID } from 'node:crypto';
import { latestOf, nextTimestamp, secondsOf, timestampOf, type Timestamp } from '../../model/timestamp.js';
import type { User } from '../../model/user.js';
import { hashToken } from '../context/secrets.js';
import type { TokenCodec, Validity } from '../../ports/sign-in.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In seconds. */
const tokenLifetimes = { access: 15 * MINUTE, refresh: 7 * DAY, single: DAY, external: DAY } as const;

/** The user who signs in, as read when their credentials were checked. */
type SignedIn = Pick<User, 'id' | 'sessionsFrom'>;

/**
 * Issues the access token of the pair, or the token of a sign-in with an identity provider. Every token is issued as of `now`, a
 * moment before the user was read: a token from credentials that were changed in the meantime is older than the change, so it is
 * refused.
 */
export function issueAccess(
  codec: TokenCodec,
  user: SignedIn,
  now: Timestamp,
  kind: 'access' | 'external',
): string | Promise<string> {
  const claims = { userId: user.id, email: undefined, role: undefined };
  return codec.signAccess(claims, validity(user, now, tokenLifetimes[kind]));
}

/** The token of the `single` form, issued like {@link issueAccess}. It is the only one that carries the email and the role. */
export function issueSingle(codec: TokenCodec, user: User, now: Timestamp): string | Promise<string> {
  const { id, email, role } = user;
  return codec.signAccess({ userId: id, email, role }, validity(user, now, tokenLifetimes.single));
}

/** The refresh token of the pair, issued like {@link issueAccess}, with its hash and expiry for the store. Each one is unique. */
export async function issueRefresh(codec: TokenCodec, user: SignedIn, now: Timestamp) {
  const seconds = tokenLifetimes.refresh;
  const claims = { userId: user.id, tokenId: randomUUID() };
  const token = await codec.signRefresh(claims, validity(user, now, seconds));
  return { token, hash: hashToken(token), expiresAt: timestampOf(Date.parse(now) + seconds * 1000) };
}

/**
 * A token is issued as of the whole second, which every reader of tokens understands, unless that would place it before the user's
 * last revocation. The revocation may even be later than `now`, because another process set it by its own clock.
 */
function validity({ sessionsFrom }: SignedIn, now: Timestamp, seconds: number): Validity {
  const second = timestampOf(secondsOf(now) * 1000);
  if (sessionsFrom === undefined || second > sessionsFrom) return { from: second, seconds };
  return { from: latestOf(now, nextTimestamp(sessionsFrom)), seconds };
}
