/** Holds the OpenID Connect adapter against the conformance suite, in front of a real provider. */
import { identityProviderChecks, type SignInScene } from '../../../src/core/conformance/identity-provider.js';
import { oidcProvider } from '../../../src/core/identity/oidc.js';
import { OidcServer } from '../../support/oidc-server.js';

const publicUrl = 'https://service.example';
const redirectUri = `${publicUrl}/api/auth/idp/callback`;
const server = new OidcServer();

function openScene(): SignInScene {
  const provider = oidcProvider({
    issuer: server.issuer,
    clientId: OidcServer.clientId,
    clientSecret: OidcServer.clientSecret,
    redirectUri,
    ticketSecret: 'x'.repeat(32),
  });
  return {
    provider,
    async signIn(location, person) {
      server.visitor = person;
      const path = await server.walkThrough(location, publicUrl);
      return path.slice(path.indexOf('?') + 1);
    },
  };
}

describe('oidcProvider in front of a provider', () => {
  before(async () => {
    await server.start(redirectUri);
    for (const name of ['ada', 'grace']) server.accounts.set(name, { name, email: `${name}@example.com` });
  });
  after(() => server.stop());

  for (const check of identityProviderChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () => check.run(openScene));
  }
});
