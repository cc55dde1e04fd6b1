/** The identity provider port: lets people sign in at a provider, and reads their profiles. */
import type { ExternalIdentity } from '../model/external-identity.js';
import type { Timestamp } from '../model/timestamp.js';

/** A sign-in that has begun. The service keeps no state for it: the browser brings all of it back. */
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
  /** For people to read. */
  readonly name: string | undefined;
}

/** `identityProviderChecks` of `@concordat/core/conformance` checks this. */
export interface IdentityProvider {
  /** Where the provider sends browsers back to: the callback's address as browsers know it, an absolute URL. */
  readonly redirectUri: string;

  /** @throws ServiceError `unavailable` when the provider does not answer */
  start(now: Timestamp): Promise<SignInStart>;

  /**
   * Checks the provider's answer.
   *
   * @param answer the callback's query, without the `?`
   * @param ticket the ticket of the sign-in that is answered
   * @returns `refused` for any answer that is not proof of identity: the provider refuses or does not answer, the ticket was
   *   not signed here or has expired, or the answer belongs to another sign-in or was used before
   */
  complete(answer: string, ticket: string, now: Timestamp): Promise<ExternalProfile | 'refused'>;
}
