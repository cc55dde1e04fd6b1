/** An OpenID provider that answers as a test tells it to, for answers that a correct provider never gives. */
import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import jwt from 'jsonwebtoken';

/** An answer of one endpoint; undefined to never answer, and `endless` for a body that never ends. */
export type EndpointAnswer = { readonly status?: number; readonly body: unknown } | 'endless' | undefined;

const keyId = 'the only one';

/** The provider's key pair, and a foreign one. */
const [own, foreign] = [generateKeyPair(), generateKeyPair()];

function generateKeyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

export class FaultyProvider {
  /** The answers by path. A test replaces those that it wants to change. */
  answers: Record<string, () => EndpointAnswer> = {};
  /** How often each path was requested. */
  readonly requests: string[] = [];
  /** How many bytes of endless bodies were taken. */
  endlessBytes = 0;
  #server: Server | undefined;

  get issuer(): string {
    const address = this.#server?.address() as AddressInfo | undefined;
    return `http://127.0.0.1:${String(address?.port)}`;
  }

  async start(): Promise<void> {
    const server = (this.#server = createServer((request, response) => this.#answer(request, response)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
  }

  /** Resets it to correct answers: the next ID token contains the nonce. */
  reset(nonce: string): void {
    this.requests.length = 0;
    this.endlessBytes = 0;
    this.answers = {
      '/.well-known/openid-configuration': () => ({ body: this.metadata() }),
      '/jwks': () => ({
        body: {
          keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }],
        },
      }),
      '/token': () => this.tokens(this.claims(nonce)),
      '/userinfo': () => ({ body: { sub: 'ada', name: 'Ada of UserInfo', email: 'ada@userinfo.example' } }),
    };
  }

  metadata(): Readonly<Record<string, unknown>> {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    };
  }

  /** The claims of a correct ID token. */
  claims(nonce: string): Record<string, unknown> {
    const iat = Math.floor(Date.now() / 1000);
    const person = { sub: 'ada', name: 'Ada', email: 'ada@example.com' };
    return { iss: this.issuer, aud: 'client', iat, exp: iat + 60, nonce, ...person };
  }

  /** @param alg - uses the provider's key; `foreign` another key, HS256 the client's secret */
  tokens(
    claims: Readonly<Record<string, unknown>>,
    alg: 'RS256' | 'HS256' | 'none' | 'foreign' = 'RS256',
  ): EndpointAnswer {
    const keys = { RS256: own.privateKey, foreign: foreign.privateKey, HS256: 'secret', none: null };
    const algorithm = alg === 'foreign' ? 'RS256' : alg;
    const id_token = jwt.sign(claims, keys[alg] as jwt.Secret, { algorithm, keyid: keyId });
    return { body: { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token } };
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    this.requests.push(path);
    const answer = this.answers[path]?.();
    if (answer === undefined) return; // the connection stays open
    const { status = 200, body } = answer === 'endless' ? { body: undefined } : answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    if (answer === 'endless') {
      Readable.from(this.#endless()).pipe(response);
      return;
    }
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Blanks, which a parser of JSON skips. The pauses let the reader's deadline pass if it has no other bound. */
  async *#endless(): AsyncGenerator<Buffer> {
    const blanks = Buffer.alloc(65_536, ' ');
    for (;;) {
      this.endlessBytes += blanks.length;
      yield blanks;
      await setImmediate();
    }
  }
}
