/** A real OpenID provider on loopback that signs users in without a prompt. */
import { generateKeyPairSync } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Provider, { type Configuration, errors } from 'oidc-provider';

/** The claims of an account, except `sub`, which is its name. */
export type Account = Readonly<Record<string, string | boolean>>;

export class OidcServer {
  static readonly clientId = 'concordat';
  static readonly clientSecret = 'what only the two of them know';

  /** The accounts by name. A test adds the ones that it needs. */
  readonly accounts = new Map<string, Account>();
  /** The account that signs in; undefined for a user who denies access. */
  visitor: string | undefined;
  #server: Server | undefined;

  get issuer(): string {
    const address = this.#server?.address() as AddressInfo | undefined;
    if (!address) throw new Error('the provider is not started');
    return `http://127.0.0.1:${String(address.port)}`;
  }

  /**
   * @param redirectUri - the allowed redirect URI of the client
   * @param port - a free one by default
   */
  async start(redirectUri: string, port = 0): Promise<void> {
    // The provider must know its URL before it starts.
    const server = (this.#server = createServer());
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const provider = new Provider(this.issuer, this.#configuration(redirectUri));
    provider.use(async (context, next) => {
      if (!context.path.startsWith('/interaction/')) {
        await next();
        return;
      }
      const { visitor } = this;
      const result =
        visitor === undefined
          ? { error: 'access_denied' }
          : { login: { accountId: visitor, remember: false } };
      await provider.interactionFinished(context.req, context.res, result);
      context.respond = false;
    });
    const answer = provider.callback();
    server.on('request', (request, response) => void answer(request, response));
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
    this.#server = undefined;
  }

  /**
   * Follows the provider's pages like a browser, with cookies.
   *
   * @param location - the URL to which the service has redirected the browser
   * @param publicUrl - the URL of the service, where the redirects must end
   * @returns the path to which the provider sends the browser back, with its query
   */
  async walkThrough(location: string, publicUrl: string): Promise<string> {
    const cookies = new Map<string, string>();
    let url = new URL(location);
    while (url.origin === this.issuer) {
      const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
      const answer = await fetch(url, { redirect: 'manual', headers });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      url = new URL(answer.headers.get('location') ?? expect.fail(await answer.text()), url);
    }
    expect(url.origin).to.equal(new URL(publicUrl).origin);
    return url.pathname + url.search;
  }

  #configuration(redirectUri: string): Configuration {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { clientId, clientSecret } = OidcServer;
    return {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
      cookies: { keys: ['of no interest'] },
      claims: { openid: ['sub'], profile: ['name', 'nickname'], email: ['email', 'email_verified'] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      findAccount: (_context, accountId) => {
        const claims = this.accounts.get(accountId);
        if (claims === undefined) throw new errors.InvalidRequest('no account of that name');
        return { accountId, claims: () => ({ ...claims, sub: accountId }) };
      },
      loadExistingGrant: async ({ oidc }) => {
        const accountId = oidc.session?.accountId ?? '';
        const grant = new oidc.provider.Grant({ clientId, accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    };
  }
}
