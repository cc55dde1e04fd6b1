/** External sign-in over OpenID Connect: authorization code with PKCE, state and nonce (OpenID Connect Core §3.1). */
import jwt from 'jsonwebtoken';
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  customFetch,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  allowInsecureRequests,
  type CustomFetchOptions,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { ServiceError } from '../model/error.js';
import { type ExternalProfile, type IdentityProvider, isTrustedIssuer } from '../ports/sign-in.js';
import { exchange } from '../servers/exchange.js';
import { nameLookup } from '../servers/names.js';
import { hkdfSync } from 'node:crypto';
import { secondsOf, type Timestamp } from '../model/timestamp.js';

export interface OidcOptions {
  /** The provider's issuer identifier, for discovery (OpenID Connect Discovery §4). Plain http is allowed on loopback only. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The absolute URL to which the provider sends browsers back, as registered with the provider. */
  readonly redirectUri: string;
  /** The secrets of tickets, at least 32 bytes each: the first signs, all verify; the same in every process of a deployment. */
  readonly ticketSecret: string | readonly string[];
  /** The maximum time for each answer of the provider, from the look-up of its name to the last byte, in milliseconds; 5,000 unless given. */
  readonly timeoutMs?: number;
  /** Called with the reason when a sign-in is refused or cannot begin: for the log, never for the browser. */
  readonly report?: (reason: string) => void;
}

/** `openid` requests OpenID Connect; the others request the name and the email of a new user. */
const scope = 'openid profile email';

/**
 * Makes a provider that is first contacted when a user signs in, so that the service can start while it is down.
 *
 * @throws for an issuer or a redirect URI that is not an absolute URL, and for an issuer over plain http
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
  const connection = oidcConnection(options);
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
        // The browser gets the same sentence for every failure; the log gets the reason.
        report(reasonOf(error));
        return 'refused';
      }
    },
  };
}

/** Exchanges the code for an ID token, and uses the access token to read claims that the ID token lacks. */
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

/** The claims of an ID token or a UserInfo response; only `sub` was checked (OpenID Connect Core §5.1). */
interface ProfileClaims {
  readonly iss?: string;
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/**
 * Chooses the best display name available, from the full name down to the preferred username.
 *
 * @throws for an email that the provider has not verified: it may be another person's. Providers that verify each email leave the claim
 *   out, and some send it as text; any other value is not a yes
 */
function profileOf(claims: ProfileClaims): ExternalProfile {
  const { email_verified: isVerified = true } = claims;
  if (isVerified !== true && isVerified !== 'true') throw new Error('the email is not verified');
  const text = (claim: string): string | undefined => {
    const value = claims[claim];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const fullName = [text('given_name'), text('family_name')].filter((part) => part !== undefined).join(' ');
  const name = text('name') ?? (fullName || (text('nickname') ?? text('preferred_username')));
  const email = text('email');
  return { issuer: claims.iss ?? '', subject: claims.sub, email, name };
}

/**
 * The reason for a failed sign-in, for the log: the messages of the error and its causes, without their responses, which may hold
 * tokens.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return `the provider says ${error.error}: ${error.error_description ?? 'no more than that'}`;
  }
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
}

/** The state of a sign-in that has begun, which the browser keeps, signed: the values that the callback's answer must match. */
interface Ticket {
  /** Binds the answer to the browser that started the sign-in (RFC 6749 §10.12). */
  readonly state: string;
  /** Binds the ID token to this sign-in (OpenID Connect Core §15.5.2). */
  readonly nonce: string;
  /** Binds the code to this sign-in (RFC 7636). */
  readonly verifier: string;
}

/** Long enough for a person who must first find a second factor. */
const ticketSeconds = 10 * 60;

/**
 * Signs tickets, and reads those that were signed here and have not expired.
 *
 * @param secrets may have other uses too: the keys for tickets are derived from them (RFC 5869)
 */
function ticketCodec(secrets: string | readonly string[]) {
  const [current, ...earlier] = [secrets]
    .flat()
    .map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'concordat external sign-in ticket', 32)));
  if (current === undefined) throw new Error('tickets need a secret');
  return {
    sign({ state, nonce, verifier }: Ticket, now: Timestamp): string {
      const iat = secondsOf(now);
      const claims = { state, nonce, verifier, iat, exp: iat + ticketSeconds };
      return jwt.sign(claims, current, { algorithm: 'HS256' });
    },
    read(text: string, now: Timestamp): Ticket | undefined {
      for (const key of [current, ...earlier]) {
        try {
          const options = { algorithms: ['HS256' as const], clockTimestamp: secondsOf(now) };
          const { state, nonce, verifier } = Object(jwt.verify(text, key, options)) as Partial<Ticket>;
          // The key signs only complete tickets; this check is for the compiler.
          if (state && nonce && verifier) return { state, nonce, verifier };
        } catch {
          // Another key may have signed it.
        }
      }
      return undefined;
    },
  };
}

/** How long an answer proves that the provider is up: a burst of sign-ins sends one request, and an outage is still noticed soon. */
const freshMs = 5_000;

/** A failed discovery is forgotten, so that the next sign-in tries again. */
function oidcConnection(options: Omit<OidcOptions, 'redirectUri' | 'ticketSecret' | 'report'>) {
  const { clientId, clientSecret, timeoutMs = 5_000 } = options;
  const issuer = new URL(options.issuer);
  if (!isTrustedIssuer(issuer)) throw new Error('the issuer must be an https URL, or http on loopback');
  let found: Configuration | undefined;
  let foundAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<Configuration> | undefined;

  const ask = async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    const over = new AbortController();
    const options = { method, headers, agent: false, lookup: nameLookup(over.signal) } as const;
    try {
      // Clients of a provider send forms only.
      const form =
        body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined;
      const answer = await exchange(new URL(url), {
        ...options,
        body: form,
        ms: timeoutMs,
        maxBytes: 2 ** 20,
      });
      const { status } = answer;
      const given = Object.entries(answer.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const bytes = await answer.body;
      return new Response(status === 204 ? null : bytes, { status, headers: new Headers(given) });
    } finally {
      over.abort();
    }
  };

  async function discover(): Promise<Configuration> {
    const execute = [
      enableNonRepudiationChecks, // verify the signature of an ID token, although it comes over TLS
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only to warn readers; used for loopback alone
      ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
    ];
    const asked = { execute, timeout: timeoutMs / 1000, [customFetch]: ask };
    found = await discovery(issuer, clientId, {}, authenticationOf(clientSecret), asked);
    foundAt = performance.now();
    return found;
  }

  /** A recently discovered configuration. @throws when the provider does not answer, or its answer is not a provider's metadata */
  async function fresh(): Promise<Configuration> {
    if (found !== undefined && performance.now() - foundAt < freshMs) return found;
    underWay ??= discover().finally(() => (underWay = undefined));
    return await underWay;
  }

  /** The last known configuration, to complete a sign-in that began in this process or another. */
  const known = async () => found ?? (await fresh());
  return { fresh, known };
}

/** HTTP Basic, which every provider supports unless its metadata say otherwise (OpenID Connect Discovery §3). */
function authenticationOf(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const takesBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
    const authenticate = takesBasic ? basic : post;
    authenticate(server, ...request);
  };
}
