/** Signing in with an identity provider. */
import type { ExternalIdentity } from '../model/external-identity.js';
import { ServiceError } from '../model/error.js';
import { checkText } from '../model/text.js';
import { checkUserTexts, userBounds, type User } from '../model/user.js';
import type { ExternalProfile, IdentityProvider, SignInStart } from '../ports/identity-provider.js';
import type { NewUser } from '../ports/user-store.js';
import type { ServiceContext } from './context.js';
import { TokenIssuer } from './token-issuer.js';

/** The longest identifier that a provider may give (OpenID Connect Core §2), and room for a long issuer. */
const identityBounds = { subject: { min: 1, max: 255 }, issuer: { min: 1, max: 2000 } };

/**
 * How a callback ends: with a token of 24 hours, or `refused` when nobody has proved to be an active user, or
 * `email-taken` when an unknown identity has the email of a user: who says to have an email at a provider does not thereby
 * become the user who has it here.
 */
export type SignInOutcome = { readonly token: string } | 'refused' | 'email-taken';

/** Every method throws `unavailable` where no provider is configured. */
export class ExternalSignInService {
  readonly #context: ServiceContext;
  readonly #provider: IdentityProvider | undefined;

  constructor(context: ServiceContext, provider: IdentityProvider | undefined) {
    this.#context = context;
    this.#provider = provider;
  }

  /** The callback's address as browsers know it. */
  get redirectUri(): string {
    return this.#configured().provider.redirectUri;
  }

  /** @throws ServiceError `unavailable` also when the provider does not answer */
  start(): Promise<SignInStart> {
    return this.#configured().provider.start(this.#context.clock.now());
  }

  /**
   * The first sign-in of an identity makes a user from the provider's identifier, email and display name; later ones
   * change nothing of that user.
   *
   * @param answer the callback's query, without the `?`
   * @param ticket that of the sign-in's start, if the browser brought one
   */
  async complete(answer: string, ticket: string | undefined): Promise<SignInOutcome> {
    const { provider, issuer } = this.#configured();
    if (ticket === undefined) return 'refused';
    const profile = await provider.complete(answer, ticket, this.#context.clock.now());
    if (profile === 'refused' || !isIdentity(profile)) return 'refused';
    const user = await this.#userOf(profile);
    if (user === 'email-taken') return user;
    if (user?.status !== 'active') return 'refused';
    return { token: issuer.external(user.id, this.#context.clock.now()) };
  }

  async #userOf(profile: ExternalProfile): Promise<User | 'email-taken' | undefined> {
    const { storage, clock } = this.#context;
    const identity = { issuer: profile.issuer, subject: profile.subject };
    const found = await storage.externalIdentities.findUser(identity);
    if (found !== undefined) return found;
    const user = newUserOf(profile);
    return user && (await storage.externalIdentities.findOrCreateUser(identity, user, clock.now()));
  }

  #configured(): { readonly provider: IdentityProvider; readonly issuer: TokenIssuer } {
    const { tokens } = this.#context;
    if (this.#provider === undefined || tokens === undefined) {
      throw new ServiceError('unavailable', 'External sign-in is not configured: sign in with a password');
    }
    return { provider: this.#provider, issuer: new TokenIssuer(tokens) };
  }
}

function isIdentity({ issuer, subject }: ExternalIdentity): boolean {
  return isSound(() => {
    checkText('issuer', issuer, identityBounds.issuer);
    checkText('subject', subject, identityBounds.subject);
  });
}

/** @returns undefined without an email: every user has one */
function newUserOf({ email, name }: ExternalProfile): NewUser | undefined {
  if (email === undefined || !isSound(() => checkUserTexts({ email }))) return undefined;
  return { name: displayName(name, email), email, role: 'user', status: 'active' };
}

/** The provider's name for the person where it can be stored, else what stands before the `@`. */
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
