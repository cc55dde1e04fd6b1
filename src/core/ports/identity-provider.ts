/** The identity provider port: lets people sign in somewhere else, and learns who they are there. */
import type { ExternalIdentity } from '../model/external-identity.js';
import type { Timestamp } from '../model/timestamp.js';

/** A sign-in that has begun: nothing of it is kept here, the browser brings all of it back. */
export interface SignInStart {
  /** Where the browser goes: a page of the provider, as an absolute URL. */
  readonly location: string;
  /** What the callback must bring back beside the provider's answer: signed, and of no use after `seconds`. */
  readonly ticket: string;
  readonly seconds: number;
}

/** Who somebody is at the provider, in the provider's words: of any length, and not checked in any way. */
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
   * @param ticket that of the sign-in which this is the answer to
   * @returns `refused` for an answer that proves nothing, whatever the reason: the provider says no or does not answer, the
   *   ticket is not one of ours or too old, or the answer belongs to another sign-in or was used before
   */
  complete(answer: string, ticket: string, now: Timestamp): Promise<ExternalProfile | 'refused'>;
}
