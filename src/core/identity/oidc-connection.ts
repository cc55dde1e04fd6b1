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
import { isTrustedIssuer } from './oidc-issuer.js';

export interface OidcConnectionOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs?: number;
  readonly freshMs?: number;
}

/** A failed discovery is forgotten, so that the next sign-in tries again. */
export class OidcConnection {
  readonly #issuer: URL;
  readonly #options: OidcConnectionOptions;
  #known: Configuration | undefined;
  #knownSince = Number.NEGATIVE_INFINITY;
  #underWay: Promise<Configuration> | undefined;

  constructor(options: OidcConnectionOptions) {
    this.#options = options;
    this.#issuer = new URL(options.issuer);
    if (!isTrustedIssuer(this.#issuer))
      throw new Error('the issuer must be an https URL, or http on loopback');
  }

  /** The recently discovered configuration. @throws when the provider does not answer, or not like a provider */
  async fresh(): Promise<Configuration> {
    const { freshMs = 5_000 } = this.#options;
    if (this.#known !== undefined && performance.now() - this.#knownSince < freshMs) return this.#known;
    this.#underWay ??= this.#discover().finally(() => (this.#underWay = undefined));
    return await this.#underWay;
  }

  /** The last known configuration, to complete a sign-in that has begun, in this process or another. */
  async known(): Promise<Configuration> {
    return this.#known ?? (await this.fresh());
  }

  async #discover(): Promise<Configuration> {
    const { clientId, clientSecret, timeoutMs = 5_000 } = this.#options;
    const execute = [
      enableNonRepudiationChecks, // verify the signature of an ID token, although it comes over TLS
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only to warn readers; used for loopback alone
      ...(this.#issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
    ];
    const options = { execute, timeout: timeoutMs / 1000 };
    const found = await discovery(this.#issuer, clientId, {}, authenticationOf(clientSecret), options);
    this.#known = found;
    this.#knownSince = performance.now();
    return found;
  }
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
