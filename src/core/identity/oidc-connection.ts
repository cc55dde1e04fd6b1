/** The configuration of an OpenID provider, and its discovery. */

import {
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  allowInsecureRequests,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { isTrustedIssuer } from '../ports/sign-in.js';

interface OidcConnection {
  /** A recently discovered configuration. @throws when the provider does not answer, or its answer is not a provider's metadata */
  fresh(): Promise<Configuration>;
  /** The last known configuration, to complete a sign-in that began in this process or another. */
  known(): Promise<Configuration>;
}

/** A failed discovery is forgotten, so that the next sign-in tries again. */
export function oidcConnection(options: {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs?: number;
  readonly freshMs?: number;
}): OidcConnection {
  const { clientId, clientSecret, timeoutMs = 5_000, freshMs = 5_000 } = options;
  const issuer = new URL(options.issuer);
  if (!isTrustedIssuer(issuer)) throw new Error('the issuer must be an https URL, or http on loopback');
  let found: Configuration | undefined;
  let foundAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const execute = [
      enableNonRepudiationChecks, // verify the signature of an ID token, although it comes over TLS
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only to warn readers; used for loopback alone
      ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
    ];
    const asked = { execute, timeout: timeoutMs / 1000 };
    found = await discovery(issuer, clientId, {}, authenticationOf(clientSecret), asked);
    foundAt = performance.now();
    return found;
  }

  async function fresh(): Promise<Configuration> {
    if (found !== undefined && performance.now() - foundAt < freshMs) return found;
    underWay ??= discover().finally(() => (underWay = undefined));
    return await underWay;
  }

  return { fresh, known: async () => found ?? (await fresh()) };
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
