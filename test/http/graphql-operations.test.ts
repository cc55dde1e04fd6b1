/** The operations of `schema.graphql` over HTTP, on every store. */

import { expect } from 'chai';
import { protectedPolicy } from '../../src/core/services/rights/policy.js';
import { signIn, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { codesOf, run } from './graphql-requests.js';

let count = 0;
const newEmail = (): string => `graphql-${String(++count)}@example.com`;

const createUser =
  'mutation ($name: String!, $email: String!) { createUser(name: $name, email: $email) { id name email posts { id } } }';
const createPost =
  'mutation ($authorId: ID) { createPost(title: "T", content: "C", authorId: $authorId) { id author { id } } }';

interface Made {
  readonly id: string;
}

onEveryStore(
  'GraphQL operations',
  (service) => {
    async function makeUser(): Promise<string> {
      const { data } = await run(service, createUser, { variables: { name: 'Ada', email: newEmail() } });
      return (data?.['createUser'] as Made).id;
    }

    for (const [field, text] of [
      ['name', ''],
      ['name', 'x'.repeat(201)],
      ['name', 'a\u0000'],
      ['name', '\ud800'],
      ['email', ''],
      ['email', 'ada'],
      ['email', `${'a'.repeat(250)}@example.com`],
    ] as const) {
      it(`refuse ${field} ${JSON.stringify(text.slice(0, 12))} with the sentence of REST`, async () => {
        const variables = { name: 'Ada', email: newEmail(), [field]: text };
        const { errors } = await run(service, createUser, { variables });
        const { status, body } = await service.post('/api/users', variables);
        expect(status).to.equal(400);
        expect(body).to.deep.equal({ error: `body/${errors?.[0]?.message ?? ''}` });
      });
    }

    it('know the caller by a token, with and without Bearer, and no caller by any other text', async () => {
      const account = await signUp(service);
      const { accessToken, refreshToken } = await signIn(service, account);
      for (const authorization of [accessToken, `Bearer ${accessToken}`, `bearer  ${accessToken}`]) {
        const own = await run(service, '{ me { id email } }', { authorization });
        expect(own).to.deep.equal({ data: { me: { id: account.id, email: account.email } } });
      }
      for (const authorization of [undefined, 'Bearer', 'Bearer nonsense', refreshToken, `${accessToken}x`]) {
        const { data, errors } = await run(service, '{ me { id } users(limit: 1) { id } }', {
          authorization,
        });
        expect(data?.['me']).to.equal(null);
        expect(data?.['users']).to.have.length(1);
        expect(errors).to.have.length(1);
        expect(errors?.[0]).to.deep.include({
          message: 'Not authenticated',
          path: ['me'],
          extensions: { code: 'UNAUTHENTICATED' },
        });
      }
    });

    it('run mutations in turn, and none after one that failed where null would not do', async () => {
      const id = await makeUser();
      const result = await run(
        service,
        `mutation {
          a: updateUser(id: ${id}, name: "A") { name }
          b: updateUser(id: ${id}, name: "") { name }
          c: updateUser(id: ${id}, name: "C") { name }
        }`,
      );
      expect(result.data).to.equal(null);
      expect(codesOf(result)).to.deep.equal(['BAD_USER_INPUT']);
      expect(await run(service, `{ user(id: ${id}) { name } }`)).to.deep.equal({
        data: { user: { name: 'A' } },
      });
    });
  },
  () => signInSettings,
);

onEveryStore(
  'GraphQL operations under the protected policy',
  (service) => {
    it('show users to those who signed in, and posts to everybody', async () => {
      const account = await signUp(service);
      const { accessToken: authorization } = await signIn(service, account);
      const made = await run(service, createPost, { authorization });
      expect(made.errors).to.equal(undefined);

      expect(codesOf(await run(service, '{ users { id } }'))).to.deep.equal(['UNAUTHENTICATED']);
      expect(codesOf(await run(service, `{ user(id: ${account.id}) { id } }`))).to.deep.equal([
        'UNAUTHENTICATED',
      ]);
      expect(codesOf(await run(service, createPost))).to.deep.equal(['UNAUTHENTICATED']);
      const posts = await run(service, '{ posts { author { id name } } }');
      expect(posts.errors).to.equal(undefined);
      expect(codesOf(await run(service, '{ posts(limit: 1) { author { email } } }'))).to.deep.equal([
        'UNAUTHENTICATED',
      ]);
      const seen = await run(service, '{ users { email posts { author { email } } } }', { authorization });
      expect(seen.errors).to.equal(undefined);
    });

    it('let users change themselves only', async () => {
      const { accessToken: authorization } = await signIn(service, await signUp(service));
      const other = await signUp(service);
      const change = `mutation { updateUser(id: ${other.id}, name: "X") { id } }`;
      expect(codesOf(await run(service, change))).to.deep.equal(['UNAUTHENTICATED']);
      expect(codesOf(await run(service, change, { authorization }))).to.deep.equal(['FORBIDDEN']);
      const { accessToken: own } = await signIn(service, other);
      expect((await run(service, change, { authorization: own })).errors).to.equal(undefined);
    });
  },
  () => ({ ...signInSettings, policy: protectedPolicy }),
);
