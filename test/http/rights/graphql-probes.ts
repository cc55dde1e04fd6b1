/** The probes over GraphQL: every field of `schema.graphql`. API keys count for queries and subscriptions. */
import { readFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { RawSocket } from '../../support/raw-socket.js';
import { until } from '../../support/until.js';
import { type GraphqlResult, post } from '../graphql-requests.js';
import { ALLOWED, type Probe, type Refusals } from './probe.js';
import { keys } from './rest-probe.js';
import { newEmail, type Scene } from './scene.js';

export const schema = buildSchema(
  await readFile(new URL('../../../schema.graphql', import.meta.url), 'utf8'),
);

/** The error messages of GraphQL by denial. */
export const graphqlRefusals: Refusals = {
  noCredential: 'UNAUTHENTICATED Not authenticated',
  noKey: 'UNAUTHENTICATED Not authenticated',
  unauthenticated: 'UNAUTHENTICATED Not authenticated',
  forbidden: 'FORBIDDEN Insufficient permissions',
};

function probe(
  operation: string,
  rows: Probe['rows'],
  document: (scene: Scene) => string | Promise<string>,
  detail?: string,
): Probe {
  return {
    operation,
    rows,
    ...(operation !== 'Query.me' && !operation.startsWith('Mutation.') && keys),
    ...(detail !== undefined && { detail }),
    async ask(scene) {
      const query = await document(scene);
      if (!query.includes(operation.split('.')[1] ?? '')) throw new Error(`${query} is not ${operation}`);
      const { result, text } = await post(scene.service, { query }, scene.headers);
      if (result === undefined) throw new Error(text);
      return outcomeOf(result);
    },
  };
}

function outcomeOf({ errors: [error] = [] }: GraphqlResult): string {
  return error === undefined ? ALLOWED : `${error.extensions.code} ${error.message}`;
}

const queries: readonly Probe[] = [
  probe('Query.users', ['users.read'], () => '{ users(limit: 1) { id } }'),
  probe('Query.user', ['users.read'], ({ ownerId }) => `{ user(id: ${ownerId}) { id } }`),
  probe('Query.posts', ['posts.read'], () => '{ posts(limit: 1) { id } }'),
  probe('Query.post', ['posts.read'], async (scene) => `{ post(id: ${await scene.post()}) { id } }`),
  probe('Query.me', ['profile.read'], () => '{ me { id } }'),
];

const mutations: readonly Probe[] = [
  probe(
    'Mutation.createUser',
    ['users.create'],
    // The creator of a user may see the given fields.
    () => `mutation { createUser(name: "Ada", email: "${newEmail()}") { id name email posts { id } } }`,
  ),
  probe(
    'Mutation.createPost',
    ['posts.create'],
    ({ ownerId }) =>
      `mutation { createPost(title: "T", content: "C", authorId: ${ownerId}) { author { id name } } }`,
  ),
  probe(
    'Mutation.updateUser',
    ['users.update'],
    ({ ownerId }) => `mutation { updateUser(id: ${ownerId}, name: "Countess") { id name } }`,
  ),
  probe('Mutation.deleteUser', ['users.delete'], ({ ownerId }) => `mutation { deleteUser(id: ${ownerId}) }`),
];

/** Through a public post, only the id and the name of a user are public. */
const fields: readonly Probe[] = [
  ...['id', 'title', 'content'].map((field) =>
    probe(
      `Post.${field}`,
      ['posts.read'],
      async (scene) => `{ post(id: ${await scene.post()}) { ${field} } }`,
    ),
  ),
  probe(
    'Post.author',
    ['posts.read'],
    async (scene) => `{ post(id: ${await scene.post()}) { author { __typename } } }`,
  ),
  ...['id', 'name'].map((field) =>
    probe(
      `User.${field}`,
      ['posts.read'],
      async (scene) => `{ post(id: ${await scene.post()}) { author { ${field} } } }`,
    ),
  ),
  ...(['email', 'posts { id }'] as const).map((field) =>
    probe(
      `User.${field.split(' ', 1)[0] ?? ''}`,
      ['posts.read', 'users.read'],
      async (scene) => `{ post(id: ${await scene.post()}) { author { ${field} } } }`,
    ),
  ),
];

const subscription: Probe = {
  operation: 'Subscription.postAdded',
  ...keys,
  rows: ['posts.read'],
  async ask(scene) {
    const socket = await RawSocket.connect(scene.service.url, scene.headers);
    socket.subscribe('1', 'subscription { postAdded { id title author { id name } } }');
    let heard: Awaited<ReturnType<RawSocket['hear']>> | undefined;
    const hearing = socket.hear().then((message) => (heard = message));
    await until('a post is delivered or refused', async () => {
      if (heard === undefined) await scene.post();
      return heard !== undefined;
    });
    const { type, payload } = await hearing;
    await socket.close();
    return outcomeOf(type === 'next' ? (payload as GraphqlResult) : { errors: payload as [] });
  },
};

export const graphqlProbes: readonly Probe[] = [...queries, ...mutations, ...fields, subscription];
