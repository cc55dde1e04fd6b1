/** Signing in with a password, staying signed in, and signing out; and the kinds of tokens, each with its lifetime. */
import { ServiceError } from '../../model/error.js';
import type { Id } from '../../model/id.js';
import type { User } from '../../model/user.js';
import { anonymous, callerFrom } from '../rights/caller.js';
import { hashToken, type Passwords } from '../credentials/secrets.js';
import type { ServiceContext, SignInForm } from '../context/service-context.js';
import { attemptOf } from './attempts.js';
import { randomUUID } from 'node:crypto';
import { latestOf, nextTimestamp, secondsOf, timestampOf, type Timestamp } from '../../model/timestamp.js';
import type { TokenCodec, Validity } from '../../ports/sign-in.js';

/** An email and a password to sign in with. */
export interface SignInInput {
  readonly email: string;
  readonly password: string;
}

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface SingleToken {
  readonly token: string;
  readonly user: { readonly id: Id; readonly email: string };
}

/** A user rarely changes between the password check and the storing of the token, and hardly ever twice. */
const maxTries = 3;

/** Every method throws `not-implemented` if the deployment has no tokens, no hasher or no limiter. */
export class SessionsService {
  constructor(private readonly context: ServiceContext<'users' | 'refreshTokens'>) {}

  /**
   * @param address - the client's address, by which failures are counted
   * @param form - the form of the answer; the deployment's default unless given
   * @throws ServiceError `unauthenticated` for an unknown email, a wrong password and an inactive user alike;
   *   `too-many-requests` after too many such failures
   */
  async signIn(
    { email, password }: SignInInput,
    address: string | undefined,
    form: SignInForm = this.context.signInForm,
  ): Promise<TokenPair | SingleToken> {
    const { passwords, limiter, codec } = this.#parts();
    for (let tries = 1; tries <= maxTries; tries++) {
      const now = this.context.clock.now();
      const attempt = attemptOf(limiter, email, address);
      const user = await this.#check(passwords, email, password, attempt, address);
      const { writes } = this.context;
      const caller = callerFrom({ kind: 'user', id: user.id, role: user.role }, address);
      const audited = { action: 'sessions.signIn', target: `user:${user.id}` } as const;
      if (form === 'single') {
        const token = await issueSingle(codec, user, now);
        await writes.record(caller, audited);
        return { token, user: { id: user.id, email: user.email } };
      }
      const accessToken = await issueAccess(codec, user, now, 'access');
      const { token, ...issued } = await issueRefresh(codec, user, now);
      const first = { ...issued, userId: user.id };
      // A user who has changed in the meantime may have another password now: check it again.
      const write = { caller, operation: 'sessions.signIn', audited: [audited] };
      const outcome = await writes.store(write, undefined, ({ refreshTokens }) =>
        refreshTokens.create(first, user.version),
      );
      if (outcome === 'created') {
        return { accessToken, refreshToken: token };
      }
    }
    throw new ServiceError('unavailable', 'The account is being changed: try again in a moment');
  }

  /**
   * Exchanges a refresh token for an access token, and for the next refresh token if refresh tokens rotate.
   *
   * @throws ServiceError `unauthenticated` when the token is absent or empty, not valid, or not in the store
   */
  async refresh(token: string | null | undefined): Promise<{ accessToken: string; refreshToken?: string }> {
    const { clock, storage, rotatesRefreshTokens } = this.context;
    const { codec } = this.#parts();
    if (!token) throw new ServiceError('unauthenticated', 'Refresh token required');
    const now = clock.now();
    const claims = await codec.readRefresh(token, now);
    if (claims === undefined) throw invalidRefreshToken();
    const hash = hashToken(token);
    // The user is read first: if the token is still stored afterwards, it was not revoked before the user was read.
    const user = await storage.users.find(claims.userId);
    const known = await storage.refreshTokens.find(hash);
    if (user === undefined || known?.userId !== user.id) throw invalidRefreshToken();
    if (known.isUsed) {
      const audited = [{ action: 'sessions.reuse', target: `user:${user.id}` }] as const;
      const write = { caller: anonymous, operation: 'sessions.refresh', audited };
      await this.context.writes.store(write, undefined, ({ refreshTokens }) => refreshTokens.revoke(hash));
      throw invalidRefreshToken();
    }
    const accessToken = await issueAccess(codec, user, now, 'access');
    if (!rotatesRefreshTokens) return { accessToken };
    const { token: refreshToken, ...next } = await issueRefresh(codec, user, now);
    if ((await storage.refreshTokens.replace(hash, next)) !== 'replaced') throw invalidRefreshToken();
    return { accessToken, refreshToken };
  }

  /** Signs out: revokes a refresh token. A text that is not a token of this service is ignored. */
  async signOut(token: string): Promise<void> {
    this.#parts();
    await this.context.storage.refreshTokens.revoke(hashToken(token));
  }

  async #check(
    passwords: Passwords,
    email: string,
    password: string,
    attempt: ReturnType<typeof attemptOf>,
    address: string | undefined,
  ): Promise<User> {
    await attempt.requireAllowed();
    const found = await this.context.storage.users.findCredentials(email);
    const isRight = await passwords.check(found?.passwordHash, password, () => attempt.take());
    if (!isRight || found?.user.status !== 'active') {
      // The email that was given is not recorded: people type passwords into the wrong field.
      const target = found && `user:${found.user.id}`;
      const outcome = found === undefined ? 'unknown-email' : isRight ? 'inactive' : 'wrong-password';
      const caller = callerFrom(anonymous, address);
      await this.context.writes.record(caller, { action: 'sessions.signIn', target }, outcome);
      throw new ServiceError('unauthenticated', 'Invalid credentials');
    }
    await attempt.giveBack();
    return found.user;
  }

  /** The dependencies of signing in. */
  #parts() {
    const { passwords, signInLimiter: limiter, tokens: codec } = this.context;
    if (passwords === undefined || limiter === undefined || codec === undefined) {
      throw new ServiceError('not-implemented', 'This service does not sign anybody in');
    }
    return { passwords, limiter, codec };
  }
}

function invalidRefreshToken(): ServiceError {
  return new ServiceError('unauthenticated', 'Invalid refresh token');
}

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
function issueSingle(codec: TokenCodec, user: User, now: Timestamp): string | Promise<string> {
  const { id, email, role } = user;
  return codec.signAccess({ userId: id, email, role }, validity(user, now, tokenLifetimes.single));
}

/** The refresh token of the pair, issued like {@link issueAccess}, with its hash and expiry for the store. Each one is unique. */
async function issueRefresh(codec: TokenCodec, user: SignedIn, now: Timestamp) {
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
