/** Rights that are lost while a token is still valid: at once, over REST, GraphQL and an open WebSocket. */
import { expect } from 'chai';
import { operator } from '../../src/core/services/rights/caller.js';
import { RawSocket } from '../support/raw-socket.js';
import type { TestService } from '../support/service.js';
import { type Account, bearer, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { codesOf, type GraphqlResult, run } from './graphql-requests.js';

/** A request whose real answer only an admin gets: a user who does not exist. */
const request = '/api/users/999999';
const mutation = 'mutation { deleteUser(id: 999999) }';

/** The answers to an admin over each protocol, then those to a user, and to an anonymous caller. */
const toAdmin = ['404 User not found', 'NOT_FOUND', 'NOT_FOUND'];
const toUser = ['403 Insufficient permissions', 'FORBIDDEN', 'FORBIDDEN'];
const toNobody = ['401 Invalid token', 'UNAUTHENTICATED', 'closed with 4403'];

/** A signed-in admin with an open WebSocket. */
class Admin {
  readonly #service: TestService;
  readonly #account: Account;
  readonly #token: string;
  readonly #socket: RawSocket;
  #asked = 0;

  private constructor(service: TestService, account: Account, token: string, socket: RawSocket) {
    this.#service = service;
    this.#account = account;
    this.#token = token;
    this.#socket = socket;
  }

  static async signIn(service: TestService, form: 'pair' | 'single'): Promise<Admin> {
    const account = await signUp(service);
    const { id, email, password } = account;
    await service.services.users.replace(operator, id, {
      name: 'Ada',
      email,
      role: 'admin',
    });
    const answer = await service.post(`/api/auth/login?tokens=${form}`, { email, password });
    const { token, accessToken } = answer.body as { token?: string; accessToken?: string };
    const either = token ?? accessToken ?? expect.fail(answer.text);
    const socket = await RawSocket.connect(service.url, { authorization: either });
    return new Admin(service, account, either, socket);
  }

  get id(): string {
    return this.#account.id;
  }

  /** Changes the admin's user. */
  async become(fields: { role?: 'user' | 'admin'; status?: 'active' | 'inactive' }): Promise<void> {
    const { id, email } = this.#account;
    await this.#service.services.users.replace(operator, id, {
      name: 'Ada',
      email,
      ...fields,
    });
  }

  /** Sends the request of an admin. @returns the answers over REST, GraphQL and the WebSocket */
  async ask(): Promise<readonly string[]> {
    const rest = await this.#service.delete(request, bearer(this.#token));
    const graphql = await run(this.#service, mutation, { authorization: this.#token });
    return [
      `${String(rest.status)} ${(rest.body as { error: string }).error}`,
      codesOf(graphql).join(),
      await this.#askSocket(),
    ];
  }

  async #askSocket(): Promise<string> {
    this.#asked += 1;
    this.#socket.subscribe(String(this.#asked), mutation);
    const closed = this.#socket.closed.then(([code]) => `closed with ${String(code)}`);
    const heard = this.#socket.hear().then(async ({ payload }) => {
      expect((await this.#socket.hear()).type).to.equal('complete');
      return codesOf(payload as GraphqlResult).join();
    });
    return await Promise.race([closed, heard.catch(() => closed)]);
  }

  async leave(): Promise<void> {
    await this.#socket.close();
  }
}

onEveryStore(
  'rights',
  (service) => {
    for (const form of ['pair', 'single'] as const) {
      describe(`of a ${form} sign-in`, () => {
        let admin: Admin;
        beforeEach(async () => (admin = await Admin.signIn(service, form)));
        afterEach(() => admin.leave());

        it('are those of an admin as long as the user is an admin', async () => {
          expect(await admin.ask()).to.deep.equal(toAdmin);
          await admin.become({ role: 'user' });
          expect(await admin.ask()).to.deep.equal(toUser);
          await admin.become({ role: 'admin' });
          expect(await admin.ask()).to.deep.equal(toAdmin);
        });

        it('are those of an anonymous caller once the user is inactive', async () => {
          expect(await admin.ask()).to.deep.equal(toAdmin);
          await admin.become({ status: 'inactive' });
          expect(await admin.ask()).to.deep.equal(toNobody);
        });

        it('are those of an anonymous caller once the user is deleted', async () => {
          expect(await admin.ask()).to.deep.equal(toAdmin);
          await service.services.users.delete(operator, admin.id);
          expect(await admin.ask()).to.deep.equal(toNobody);
        });
      });
    }
  },
  () => signInSettings,
);
