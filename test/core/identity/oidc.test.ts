/** The OpenID Connect adapter before a provider that answers wrongly, late or not at all. */
import { expect } from 'chai';
import { oidcProvider } from '../../../src/core/identity/oidc.js';
import { ServiceError } from '../../../src/core/model/error.js';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import type { IdentityProvider } from '../../../src/core/ports/sign-in.js';
import { type EndpointAnswer, FaultyProvider } from '../../support/faulty-provider.js';

const REDIRECT_URI = 'https://service.example/api/auth/idp/callback';
const server = new FaultyProvider();
const reasons: string[] = [];

/** How long a provider that is slow has, and one that is to answer. */
const TIMEOUT_MS = { slow: 1_000, answering: 60_000 };

function makeProvider(
  ticketSecret: string | readonly string[] = 'x'.repeat(32),
  timeoutMs = TIMEOUT_MS.answering,
): IdentityProvider {
  return oidcProvider({
    issuer: server.issuer,
    clientId: 'client',
    clientSecret: 'secret',
    redirectUri: REDIRECT_URI,
    ticketSecret,
    timeoutMs,
    report: (reason) => reasons.push(reason),
  });
}

const providerThatIs = (fault: string): IdentityProvider =>
  makeProvider(undefined, fault.endsWith('slow') ? TIMEOUT_MS.slow : TIMEOUT_MS.answering);

/** A sign-in whose callback may come. */
interface Begun {
  readonly provider: IdentityProvider;
  readonly ticket: string;
  readonly state: string;
  readonly nonce: string;
}

async function begin(provider = makeProvider()): Promise<Begun> {
  server.reset('');
  const { location, ticket } = await provider.start(now());
  const { state = '', nonce = '' } = Object.fromEntries(new URL(location).searchParams);
  server.reset(nonce);
  return { provider, ticket, state, nonce };
}

function finish({ provider, ticket, state }: Begun, at = now()): ReturnType<IdentityProvider['complete']> {
  return provider.complete(`code=x&state=${state}`, ticket, at);
}

const now = (): string => timestampOf(Date.now());

describe('oidcProvider', () => {
  before(() => server.start());
  after(() => server.stop());
  beforeEach(() => {
    server.reset('');
    reasons.length = 0;
  });

  it('tells who signed in, by the ID token alone where it says enough', async () => {
    const begun = await begin();
    expect(await finish(begun)).to.deep.equal({
      issuer: server.issuer,
      subject: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
    });
    expect(server.requests).to.have.members(['/token', '/jwks']);
    expect(reasons).to.deep.equal([]);
  });

  it('asks the provider for claims that the ID token lacks, and prefers the ID token', async () => {
    const begun = await begin();
    server.answers['/token'] = () => server.tokens({ ...server.claims(begun.nonce), email: undefined });
    expect(await finish(begun)).to.deep.include({ name: 'Ada', email: 'ada@userinfo.example' });
  });

  it('puts a name together where there is none', async () => {
    const begun = await begin();
    const parts = { name: ' ', given_name: 'Ada', family_name: 'Lovelace', nickname: 'countess' };
    server.answers['/token'] = () => server.tokens({ ...server.claims(begun.nonce), ...parts });
    server.answers['/userinfo'] = () => ({ body: { sub: 'ada' } });
    expect(await finish(begun)).to.include({ name: 'Ada Lovelace' });
  });

  for (const verified of [true, 'true', undefined]) {
    it(`takes an email whose email_verified is ${JSON.stringify(verified)}`, async () => {
      const begun = await begin();
      claims({ email_verified: verified })(begun);
      expect(await finish(begun)).to.include({ email: 'ada@example.com' });
    });
  }

  /** By what is wrong: why the log says that it is refused, and how the provider is made so. */
  const faults: Readonly<Record<string, readonly [reason: RegExp, breakIt: (begun: Begun) => void]>> = {
    'an ID token with another nonce': [/"nonce"/, claims({ nonce: 'another' })],
    'an ID token without a nonce': [/"nonce"/, claims({ nonce: undefined })],
    'an ID token for another audience': [/"aud"/, claims({ aud: 'another' })],
    'an ID token for several audiences, of another party': [
      /"azp"/,
      claims({ aud: ['client', 'b'], azp: 'b' }),
    ],
    'an ID token of another issuer': [/"iss"/, claims({ iss: 'https://elsewhere.example' })],
    'an ID token that has expired': [/"exp"/, claims({ iat: hourAgo(), exp: hourAgo() + 60 })],
    'an ID token about nobody': [/"sub"/, claims({ sub: undefined })],
    'an ID token that is not signed': [/unsupported JWS/, algorithm('none')],
    'an ID token that is signed with the secret': [/unsupported JWS/, algorithm('HS256')],
    "an ID token that is signed with somebody else's key": [
      /signature verification failed/,
      algorithm('foreign'),
    ],
    'no ID token': [/"id_token"/, answering('/token', { access_token: 'x', token_type: 'Bearer' })],
    'a token endpoint that fails': [/unexpected HTTP response/, answering('/token', {}, 500)],
    'a token endpoint that says no': [/invalid_grant/, answering('/token', { error: 'invalid_grant' }, 400)],
    'a token endpoint that answers nonsense': [/as JSON/, answering('/token', '<html>')],
    'a token endpoint that is slow': [
      /no answer within 1 s/,
      () => (server.answers['/token'] = () => undefined),
    ],
    'keys that are slow': [/no answer within 1 s/, () => (server.answers['/jwks'] = () => undefined)],
    'keys that are gone': [/unexpected HTTP response/, answering('/jwks', {}, 404)],
    'a profile that is slow': [/no answer within 1 s/, withProfile(() => undefined)],
    'a token endpoint whose answer never ends': [/more than 1048576 bytes/, endless('/token')],
    'keys that never end': [/more than 1048576 bytes/, endless('/jwks')],
    'a profile that never ends': [/more than 1048576 bytes/, withProfile(() => 'endless')],
    ...Object.fromEntries(
      [false, 'false', 'False', 'TRUE', 'yes', '', 0, 1, null, [], [true], {}].map((verified) => [
        `an email whose email_verified is ${JSON.stringify(verified)}`,
        [/not verified/, claims({ email_verified: verified })] as const,
      ]),
    ),
    'an email in the profile that is not verified': [
      /not verified/,
      withProfile(() => ({ body: { sub: 'ada', email: 'ada@example.com', email_verified: false } })),
    ],
    'the profile of somebody else': [
      /"sub"/,
      withProfile(() => ({ body: { sub: 'mallory', email: 'mallory@example.com' } })),
    ],
  };
  for (const [fault, [reason, breakIt]] of Object.entries(faults)) {
    it(`refuses ${fault}, and says why in the log`, async () => {
      const begun = await begin(providerThatIs(fault));
      breakIt(begun);
      expect(await finish(begun)).to.equal('refused');
      expect(server.endlessBytes).to.be.lessThan(4 * 1024 * 1024);
      expect(reasons).to.have.lengthOf(1);
      expect(reasons[0])
        .to.match(reason)
        .and.not.match(/secret|eyJ/);
    });
  }

  function claims(changes: Readonly<Record<string, unknown>>) {
    return ({ nonce }: Begun): void => {
      server.answers['/token'] = () => server.tokens({ ...server.claims(nonce), ...changes });
    };
  }

  function algorithm(alg: 'HS256' | 'none' | 'foreign') {
    return ({ nonce }: Begun): void => {
      server.answers['/token'] = () => server.tokens(server.claims(nonce), alg);
    };
  }

  function endless(path: string) {
    return (): void => {
      server.answers[path] = () => 'endless';
    };
  }

  function answering(path: string, body: unknown, status = 200) {
    return (): void => {
      server.answers[path] = () => ({ status, body });
    };
  }

  /** The ID token leaves out the email, and the profile has to be asked for. */
  function withProfile(answer: () => EndpointAnswer) {
    return (begun: Begun): void => {
      claims({ email: undefined })(begun);
      server.answers['/userinfo'] = answer;
    };
  }

  function hourAgo(): number {
    return Math.floor(Date.now() / 1000) - 3600;
  }

  it('refuses a ticket that is too old, without asking the provider', async () => {
    const begun = await begin();
    const in10Minutes = timestampOf(Date.now() + 10 * 60_000);
    expect(await finish(begun, in10Minutes)).to.equal('refused');
    expect(server.requests).to.deep.equal([]);
  });

  it('takes the tickets of another process with the same secret', async () => {
    const begun = await begin();
    expect(await finish({ ...begun, provider: makeProvider() })).to.include({ subject: 'ada' });
  });

  it('refuses the answer of another issuer to a provider that names itself (RFC 9207)', async () => {
    const { provider, ticket, state } = await begin();
    const answer = `code=x&state=${state}&iss=${encodeURIComponent('https://elsewhere.example')}`;
    expect(await provider.complete(answer, ticket, now())).to.equal('refused');
    expect(server.requests).to.deep.equal([]);
  });

  const outages: Readonly<Record<string, () => EndpointAnswer>> = {
    fails: () => ({ status: 500, body: {} }),
    'is slow': () => undefined,
    'never ends its answer': () => 'endless',
    'is no provider': () => ({ body: 'hello' }),
    'is another provider': () => ({ body: { ...server.metadata(), issuer: 'https://elsewhere.example' } }),
  };
  for (const [outage, answer] of Object.entries(outages)) {
    it(`says unavailable while the provider ${outage}, and tries again`, async () => {
      const provider = providerThatIs(outage);
      server.answers['/.well-known/openid-configuration'] = answer;
      const failure: unknown = await provider.start(now()).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(ServiceError).with.property('code', 'unavailable');
      expect(reasons).to.have.lengthOf(1);
      server.reset('');
      expect((await provider.start(now())).location).to.include(`${server.issuer}/auth?`);
    });
  }

  it('asks for the metadata once, however many come at once', async () => {
    const provider = makeProvider();
    await Promise.all(Array.from({ length: 20 }, () => provider.start(now())));
    await provider.start(now());
    expect(server.requests).to.deep.equal(['/.well-known/openid-configuration']);
  });

  it('notices that a provider has gone once its metadata are old', async () => {
    const provider = makeProvider();
    await provider.start(now());
    server.answers['/.well-known/openid-configuration'] = () => ({ status: 503, body: {} });
    await provider.start(now());
    const clock = performance.now.bind(performance);
    performance.now = () => clock() + 5_000;
    const failure: unknown = await provider.start(now()).catch((error: unknown) => error);
    performance.now = clock;
    expect(failure).to.be.instanceOf(ServiceError);
  });

  it('completes a sign-in that began before its secret was replaced, while that is in the list', async () => {
    const [one, two] = ['1', '2'].map((digit) => digit.repeat(32)) as [string, string];
    const begun = await begin(makeProvider(one));
    for (const [secrets, subject] of [
      [two, undefined],
      [[two, one], 'ada'],
    ] as const) {
      const outcome = await finish({ ...begun, provider: makeProvider(secrets) });
      expect(outcome === 'refused' ? undefined : outcome.subject).to.equal(subject);
    }
  });

  it('refuses an issuer over plain http, unless it is on this machine', () => {
    const make = (issuer: string) => () =>
      oidcProvider({
        issuer,
        clientId: 'client',
        clientSecret: 'secret',
        redirectUri: REDIRECT_URI,
        ticketSecret: 'x'.repeat(32),
      });
    for (const issuer of ['http://id.example.com', 'http://127.0.0.1.example.com', 'ftp://id.example.com']) {
      expect(make(issuer), issuer).to.throw(/https/);
    }
    for (const issuer of ['https://id.example.com', 'http://localhost:1', 'http://[::1]:1']) {
      expect(make(issuer), issuer).not.to.throw();
    }
  });
});
