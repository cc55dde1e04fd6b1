/** A client of a service process that records all answers, and the secrets that must not be repeated. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Leaks } from '../../support/leaks.js';
import { RawSocket } from '../../support/raw-socket.js';
import { send, type HttpAnswer, type HttpRequest } from '../../support/send.js';

/** The stored hash of a token, or of the secret part of a key. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

export class Visitor {
  readonly leaks = new Leaks();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @param name - the name of the answer, in the report */
  async ask(
    name: string,
    request: string,
    { body, headers }: { body?: unknown; headers?: HttpRequest['headers'] } = {},
  ): Promise<HttpAnswer> {
    const [method = '', path = ''] = request.split(' ');
    const answer = await send(this.#url, {
      method,
      path,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    this.leaks.hearAnswer(name, answer);
    return answer;
  }

  /** Records the secrets of an issued token: the token itself, its signature and its stored hash. */
  keepToken(name: string, token: string, within: string): string {
    this.leaks.keep(name, token, within);
    this.leaks.keep(`the signature of ${name}`, token.split('.')[2] ?? '', within);
    this.leaks.keep(`the hash of ${name}`, hashOf(token));
    return token;
  }

  async signIn(name: string, credentials: object, form: 'pair' | 'single'): Promise<Record<string, string>> {
    const answer = await this.ask(name, `POST /api/auth/login?tokens=${form}`, { body: credentials });
    expect(answer.status, answer.text).to.equal(200);
    const tokens = JSON.parse(answer.text) as Record<string, string>;
    for (const kind of ['token', 'accessToken', 'refreshToken']) {
      const token = tokens[kind];
      if (token !== undefined) this.keepToken(`the ${kind} of ${name}`, token, name);
    }
    return tokens;
  }

  /** Runs a query on a new WebSocket. */
  async subscribe(name: string, payload: object, query: string): Promise<void> {
    const socket = await RawSocket.connect(this.#url, payload);
    socket.subscribe('1', query);
    this.leaks.hear(name, JSON.stringify(await socket.hear()));
    await socket.close();
  }
}

export const bearer = (token: string | undefined) => ({
  headers: { authorization: `Bearer ${String(token)}` },
});
