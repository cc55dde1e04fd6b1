/** The operations of `schema.graphql` over HTTP, on every store. */

import { expect } from 'chai';
import { protectedPolicy } from '../../src/core/services/rights/policy.js';
import { signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
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

    it('create, read, change and delete users', async () => {
      const email = newEmail();
      const made = await run(service, createUser, { variables: { name: 'Ada', email } });
      const { id } = made.data?.['createUser'] as Made;
      expect(made).to.deep.equal({ data: { createUser: { id, name: 'Ada', email, posts: [] } } });

      const changed = await run(
        service,
        `mutation { updateUser(id: ${id}, name: "Countess", email: null) { name email } }`,
      );
      expect(changed).to.deep.equal({ data: { updateUser: { name: 'Countess', email } } });
      const read = await run(service, `{ user(id: "${id}") { id name email } }`);
      expect(read).to.deep.equal({ data: { user: { id, name: 'Countess', email } } });

      const remove = `mutation { deleteUser(id: ${id}) }`;
      expect(codesOf(await run(service, remove))).to.deep.equal(['UNAUTHENTICATED']);
      const { accessToken: mortal } = await signIn(service, await signUp(service));
      expect(codesOf(await run(service, remove, { authorization: mortal }))).to.deep.equal(['FORBIDDEN']);
      const { authorization: admin } = await signInAsAdmin(service);
      expect(await run(service, remove, { authorization: admin })).to.deep.equal({
        data: { deleteUser: true },
      });
      expect(codesOf(await run(service, remove, { authorization: admin }))).to.deep.equal(['NOT_FOUND']);
      expect(await run(service, `{ user(id: ${id}) { id } }`)).to.deep.equal({ data: { user: null } });
    });

    it('create posts, and read them with their authors and the posts of those', async () => {
      const author = await makeUser();
      const { data } = await run(service, createPost, { variables: { authorId: author } });
      const { id } = data?.['createPost'] as Made;
      const read = await run(
        service,
        `{ post(id: ${id}) { id title content author { id posts { id author { id } } } } }`,
      );
      expect(read).to.deep.equal({
        data: {
          post: {
            id,
            title: 'T',
            content: 'C',
            author: { id: author, posts: [{ id, author: { id: author } }] },
          },
        },
      });
      expect(await run(service, '{ post(id: "none") { id } }')).to.deep.equal({ data: { post: null } });
    });

    it('page users and posts, and give all without arguments', async () => {
      const ids = [await makeUser(), await makeUser(), await makeUser()] as const;
      const page = await run(service, 'query ($after: ID) { users(limit: 1, after: $after) { id } }', {
        variables: { after: ids[0] },
      });
      expect(page).to.deep.equal({ data: { users: [{ id: ids[1] }] } });
      const all = await run(service, '{ users { id } }');
      expect((all.data?.['users'] as Made[]).map(({ id }) => id)).to.include.members([...ids]);
      for (const bad of ['limit: 0', 'limit: 10001', 'limit: -1', 'after: "x"']) {
        expect(codesOf(await run(service, `{ posts(${bad}) { id } }`)), bad).to.deep.equal([
          'BAD_USER_INPUT',
        ]);
      }
    });

    it('name the fault of the input', async () => {
      const id = await makeUser();
      const email = newEmail();
      await run(service, createUser, { variables: { name: 'Bob', email } });
      const codes = async (operation: string): Promise<readonly string[]> =>
        codesOf(await run(service, `mutation { ${operation} { id } }`));
      expect(await codes('createUser(name: "", email: "a@example.com")')).to.deep.equal(['BAD_USER_INPUT']);
      expect(await codes('createUser(name: "A", email: "a")')).to.deep.equal(['BAD_USER_INPUT']);
      expect(await codes(`createUser(name: "A", email: "${email.toUpperCase()}")`)).to.deep.equal([
        'CONFLICT',
      ]);
      expect(await codes(`updateUser(id: ${id}, email: "${email}")`)).to.deep.equal(['CONFLICT']);
      expect(await codes('updateUser(id: 999999, name: "A")')).to.deep.equal(['NOT_FOUND']);
      expect(await codes('createPost(title: "T", content: "C")')).to.deep.equal(['BAD_USER_INPUT']);
      expect(await codes('createPost(title: "T", content: "C", authorId: 999999)')).to.deep.equal([
        'BAD_USER_INPUT',
      ]);
      expect(await codes(`createPost(title: "", content: "C", authorId: ${id})`)).to.deep.equal([
        'BAD_USER_INPUT',
      ]);
    });

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

    it('make the caller the author, and let only an admin write for another', async () => {
      const other = await makeUser();
      const account = await signUp(service);
      const { accessToken: authorization } = await signIn(service, account);
      const own = await run(service, createPost, { authorization });
      expect((own.data?.['createPost'] as { author: Made }).author.id).to.equal(account.id);
      const variables = { authorId: other };
      const refused = await run(service, createPost, { authorization, variables });
      expect(codesOf(refused)).to.deep.equal(['FORBIDDEN']);
      const { authorization: admin } = await signInAsAdmin(service);
      const forOther = await run(service, createPost, { authorization: admin, variables });
      expect((forOther.data?.['createPost'] as { author: Made }).author.id).to.equal(other);
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
