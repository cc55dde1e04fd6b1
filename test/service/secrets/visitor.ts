/** A client of a service process that remembers what it is told, and what must not be told again. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Leaks } from '../../support/leaks.js';
import { RawSocket } from '../../support/raw-socket.js';
import { send, type HttpAnswer, type HttpRequest } from '../../support/send.js';

/** What is stored of a token, or of what is secret of a key. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

export class Visitor {
  readonly leaks = new Leaks();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @param name of the answer, and what it is asked for */
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

  /** Keeps a token that an answer has given: as a whole, its signature, and what is stored of it. */
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

  /** Runs a query on a WebSocket of its own. */
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
