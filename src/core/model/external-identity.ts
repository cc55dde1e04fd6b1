/** The identity of a person at an identity provider. */

/** Unique as a pair, and never given to another person (OpenID Connect Core §5.7). */
export interface ExternalIdentity {
  /** The provider's issuer identifier: an absolute URL, compared letter by letter. */
  readonly issuer: string;
  /** The person's identifier at that provider. */
  readonly subject: string;
}
