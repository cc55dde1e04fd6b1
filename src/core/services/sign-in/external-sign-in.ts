/** Signing in with an identity provider. */
import type { ExternalIdentity } from '../../model/credentials.js';
import { ServiceError } from '../../model/error.js';
import { withDefaults } from '../../model/stored.js';
import { checkText } from '../../model/text.js';
import { checkUserTexts, noUserDetails, userBounds, type User } from '../../model/user.js';
import type { ExternalProfile, IdentityProvider, SignInStart, TokenCodec } from '../../ports/sign-in.js';
import type { NewUser } from '../../ports/user-store.js';
import { anonymous, type Caller, callerFrom } from '../rights/caller.js';
import type { ServiceContext } from '../context/service-context.js';
import { issueAccess } from './sessions.js';

/** A `sub` has at most 255 characters (OpenID Connect Core §2); 2000 is enough for a long issuer URL. */
const identityBounds = { subject: { min: 1, max: 255 }, issuer: { min: 1, max: 2000 } };

const action = 'sessions.signInExternally';

function callerOf({ id, role }: User, address: string | undefined): Caller {
  return callerFrom({ kind: 'user', id, role }, address);
}

/**
 * The outcome of a callback: a token that is valid for 24 hours; `refused` if the callback does not prove an active user; or
 * `email-taken` if an unknown identity has the email of an existing user. An email claimed at a provider does not prove ownership
 * of the account with that email here.
 */
export type SignInOutcome = { readonly token: string } | 'refused' | 'email-taken';

/** Every method throws `unavailable` if no provider is configured, and when it does not answer in time. */
export class ExternalSignInService {
  constructor(private readonly context: ServiceContext<'externalIdentities'>) {}

  /** The public URL of the callback. */
  get redirectUri(): string {
    return this.#configured().provider.redirectUri;
  }

  /** @throws ServiceError `unavailable` also when the provider does not answer */
  start(): Promise<SignInStart> {
    return this.#configured().provider.start(this.context.clock.now());
  }

  /**
   * Completes a sign-in. The first sign-in of an identity creates a user from the provider's identifier, email and display
   * name; later ones do not change that user.
   *
   * @param answer - the callback's query, without the `?`
   * @param ticket - the ticket that {@link start} returned, if the browser sent one
   * @param address - the client's address, for the audit log
   */
  async complete(answer: string, ticket: string | undefined, address?: string): Promise<SignInOutcome> {
    const { provider, tokens } = this.#configured();
    const record = (outcome: string, user?: User) => {
      const caller = user === undefined ? callerFrom(anonymous, address) : callerOf(user, address);
      return this.context.writes.record(caller, { action, target: user && `user:${user.id}` }, outcome);
    };
    if (ticket === undefined) return 'refused';
    const profile = await provider.complete(answer, ticket, this.context.clock.now());
    const now = this.context.clock.now();
    if (profile === 'refused' || !isIdentity(profile)) return 'refused';
    const identity = { issuer: profile.issuer, subject: profile.subject };
    const { storage } = this.context;
    const found = await storage.externalIdentities.findUser(identity);
    const made = newUserOf(profile);
    const draft = made && withDefaults(made, storage.ownFields?.User);
    if (found?.status !== 'active' && (found !== undefined || draft === undefined)) {
      await record('inactive', found);
      return 'refused';
    }
    const user = found ?? (draft && (await this.#create(identity, draft, address)));
    if (user === 'email-taken') return user;
    if (user?.status !== 'active') return 'refused';
    const token = await issueAccess(tokens, user, now, 'external');
    if (user === found) await record('done', user);
    return { token };
  }

  /** Creates a user with the entry of their first sign-in in the audit log. */
  async #create(
    identity: ExternalIdentity,
    user: NewUser,
    address: string | undefined,
  ): Promise<User | 'email-taken'> {
    const { clock, writes } = this.context;
    const now = clock.now();
    const write = {
      caller: callerFrom(anonymous, address),
      operation: 'externalSignIn.complete',
      event: 'user.created',
      creates: 'user',
      audited: [{ action }],
      actor: (made: User) => callerOf(made, address),
      // Another sign-in may have created the user.
      wasThere: ({ createdAt }: User) => createdAt !== now,
    } as const;
    return await writes.store(write, undefined, ({ externalIdentities }) =>
      externalIdentities.findOrCreateUser(identity, user, now),
    );
  }

  #configured(): { readonly provider: IdentityProvider; readonly tokens: TokenCodec } {
    const { identityProvider: provider, tokens } = this.context;
    if (provider === undefined || tokens === undefined) {
      throw new ServiceError('unavailable', 'External sign-in is not configured: sign in with a password');
    }
    return { provider, tokens };
  }
}

function isIdentity({ issuer, subject }: ExternalIdentity): boolean {
  return isSound(() => {
    checkText('issuer', issuer, identityBounds.issuer);
    checkText('subject', subject, identityBounds.subject);
  });
}

/** @returns undefined for a profile without a valid email, since every user has one */
function newUserOf({ email, name }: ExternalProfile): NewUser | undefined {
  if (email === undefined || !isSound(() => checkUserTexts({ email }))) return undefined;
  return {
    name: displayName(name, email),
    email,
    ...noUserDetails,
    role: 'user',
    status: 'active',
    passwordHash: undefined,
  };
}

/** The provider's display name if it can be stored, else the part of the email before the `@`. */
function displayName(name: string | undefined, email: string): string {
  const shown = clip(name?.trim() ?? '');
  return isSound(() => checkUserTexts({ name: shown })) ? shown : clip(email.slice(0, email.indexOf('@')));
}

function clip(name: string): string {
  return Array.from(name).slice(0, userBounds.name.max).join('');
}

function isSound(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
