/** External sign-in over OpenID Connect: authorization code with PKCE, state and nonce (OpenID Connect Core §3.1). */

import {
  type Configuration,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { ServiceError } from '../model/error.js';
import type { ExternalProfile, IdentityProvider } from '../ports/identity-provider.js';
import { OidcConnection } from './oidc-connection.js';
import { profileOf } from './oidc-profile.js';
import { reasonOf } from './oidc-reason.js';
import { type Ticket, ticketCodec, ticketSeconds } from './oidc-ticket.js';

export interface OidcOptions {
  /** The provider's issuer identifier; its metadata are found from there (OpenID Connect Discovery §4). Plain http only on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the provider sends browsers back to, as registered with the provider: an absolute URL. */
  readonly redirectUri: string;
  /** What tickets are signed with, at least 32 bytes; the same in every process of a deployment. */
  readonly ticketSecret: string;
  /** How long each answer of the provider may take, 5,000 unless given. */
  readonly timeoutMs?: number;
  /**
   * For how long the provider counts as being there once it has answered, 5,000 unless given: a burst of sign-ins asks once,
   * and a provider that has gone is noticed soon.
   */
  readonly freshMs?: number;
  /** Told why a sign-in was refused, or could not begin: for the log, never for the browser. */
  readonly report?: (reason: string) => void;
}

/** `openid` makes it OpenID Connect; the others are the interface's (§4.2). */
const scope = 'openid profile email';

/**
 * Makes a provider that is asked when somebody signs in, and not before: the service starts while it is down.
 *
 * @throws for an issuer or a redirect URI that is not an absolute URL, and for an issuer that is reached over plain http
 *
 * @example
 * ```ts
 * const identityProvider = oidcProvider({
 *   issuer: 'https://accounts.example.com',
 *   clientId: 'concordat',
 *   clientSecret: process.env.IDP_CLIENT_SECRET,
 *   redirectUri: 'https://api.example.com/api/auth/idp/callback',
 *   ticketSecret: process.env.TICKET_SECRET,
 * });
 * const services = createServices({ storage, policy, passwordHasher, tokens, identityProvider });
 * ```
 */
export function oidcProvider(options: OidcOptions): IdentityProvider {
  const { report = () => undefined } = options;
  const redirectUri = new URL(options.redirectUri).href;
  const connection = new OidcConnection(options);
  const tickets = ticketCodec(options.ticketSecret);
  return {
    redirectUri,

    async start(now) {
      const configuration = await connection.fresh().catch((error: unknown) => {
        report(reasonOf(error));
        throw new ServiceError('unavailable', 'The identity provider does not answer: try again later', {
          cause: error,
        });
      });
      const ticket = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const location = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state: ticket.state,
        nonce: ticket.nonce,
        code_challenge: await calculatePKCECodeChallenge(ticket.verifier),
        code_challenge_method: 'S256',
      });
      return { location: location.href, ticket: tickets.sign(ticket, now), seconds: ticketSeconds };
    },

    async complete(answer, text, now) {
      const ticket = tickets.read(text, now);
      if (ticket === undefined) return 'refused';
      try {
        return await profileBehind(await connection.known(), new URL(`${redirectUri}?${answer}`), ticket);
      } catch (error) {
        // The browser learns one sentence of all that can be wrong with an answer; the operator learns which it was.
        report(reasonOf(error));
        return 'refused';
      }
    },
  };
}

/** Trades the code for an ID token, and the access token beside it for what the ID token leaves out. */
async function profileBehind(
  configuration: Configuration,
  callback: URL,
  { state, nonce, verifier }: Ticket,
): Promise<ExternalProfile> {
  const tokens = await authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The provider gave no ID token');
  const profile = profileOf(claims);
  const isWhole = profile.email !== undefined && profile.name !== undefined;
  if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return profile;
  const userInfo = profileOf(await fetchUserInfo(configuration, tokens.access_token, claims.sub));
  return { ...profile, email: profile.email ?? userInfo.email, name: profile.name ?? userInfo.name };
}
