/** Queries of users and posts over GraphQL: plain ones, those beyond the limits, and documents that are none. */

import { type Action, type Answer, type Call, Fault, isMixed, same } from '../calls.js';
import { type Model, type Post, isAfter, sorted } from '../model.js';
import { type GraphqlBody, graphqlCall, graphqlCaller, judge, variablesOf } from './graphql.js';
import { drawId, drawSender, drawUserId, nobody } from './senders.js';

const readGraph: Action = {
  name: 'users and posts over GraphQL',
  weight: 3,
  draw(random, model) {
    const limit = random.chance(0.5) ? random.pick([1, 2, 3, 100, 10_000]) : undefined;
    const after = random.chance(0.4) ? drawUserId(random, model) : undefined;
    const id = drawId(random, model.posts, model.last['post']);
    return graphqlCall(
      drawSender(random, model),
      `query ($limit: Int, $after: ID, $id: ID!) {
        users(limit: $limit, after: $after) { id name posts { id author { id name } } }
        post(id: $id) { id title author { name posts { id } } }
      }`,
      { ...(limit !== undefined && { limit }), ...(after !== undefined && { after }), id },
    );
  },
  isTorn: true,
  judge(model, call, answer) {
    const caller = graphqlCaller(model, call, true);
    const isRefused = model.policy === 'protected' && caller.kind === 'nobody';
    if (isRefused) {
      judge(answer, 'users', { UNAUTHENTICATED: true });
      return;
    }
    const { data } = answer.body as GraphqlBody;
    const moments = model.moments?.map((each) => graphOf(each, call).data) ?? [];
    if (moments.length > 1 && isMixed(data, moments)) return;
    const { data: expected, lists } = graphOf(model, call);
    expectData(model, answer, expected, lists);
  },
};

/** The data of {@link readGraph} at a moment, with its lists. */
function graphOf(model: Model, call: Call) {
  const { limit, after, id } = variablesOf(call) as { limit?: number; after?: string; id: string };
  const users = sorted(model.users)
    .filter((user) => after === undefined || isAfter(user.id, after))
    .slice(0, limit)
    .map((user) => ({
      id: user.id,
      name: user.name,
      posts: postsOf(model, user.id).map((post) => ({
        id: post.id,
        author: { id: user.id, name: user.name },
      })),
    }));
  const found = model.posts.get(id);
  const authorId = found?.authorId ?? '';
  const author = { name: model.users.get(authorId)?.name, posts: postsOf(model, authorId).map(idOf) };
  const post = found === undefined ? null : { id, title: found.title, author };
  const lists = [users, author.posts, ...users.map(({ posts }) => posts)];
  return { data: { users, post }, lists };
}

const postsOf = (model: Model, authorId: string): readonly Post[] =>
  sorted(model.posts).filter((post) => post.authorId === authorId);

const idOf = ({ id }: Post) => ({ id });

/** The most items that a list may have of which no page is asked for. */
const mostListed = 10_000;

/** @param lists - those of the answer, whose items are bounded */
export function expectData(
  model: Model,
  answer: Answer,
  data: object,
  lists: readonly (readonly unknown[])[],
): void {
  const { limits } = model;
  const nodes = lists.reduce((sum, list) => sum + list.length, 0);
  const bytes = Buffer.byteLength(JSON.stringify({ data }));
  const isExceeded =
    nodes > limits.nodes || bytes > limits.responseBytes || lists.some((list) => list.length > mostListed);
  const { errors, data: answered } = answer.body as GraphqlBody;
  if (!isExceeded) same('the data', errors ?? answered, data);
  else if (errors?.[0]?.extensions?.code !== 'LIMIT_EXCEEDED')
    throw new Fault(
      `${String(nodes)} nodes of ${String(bytes)} bytes were answered ${answer.text.slice(0, 300)}`,
    );
}

/** One record, or a page, with variables that are absent, at their bounds and past them. */
const readPosts: Action = {
  name: 'posts over GraphQL',
  weight: 3,
  draw: (random, model) =>
    graphqlCall(
      drawSender(random, model),
      'query ($limit: Int, $after: ID) { posts(limit: $limit, after: $after) { id title content } }',
      {
        limit: random.pick([1, 2, 3, 100, 10_000, 0, -1, 10_001, model.limits.nodes, null]),
        ...(random.chance(0.4) && { after: drawId(random, model.posts, model.last['post']) }),
      },
    ),
  judge(model, call, answer) {
    const { limit, after } = variablesOf(call) as { limit: number | null; after?: string };
    if (limit !== null && (limit < 1 || limit > mostListed)) {
      judge(answer, 'posts', { BAD_USER_INPUT: true });
      return;
    }
    const posts = sorted(model.posts)
      .filter(({ id }) => after === undefined || isAfter(id, after))
      .slice(0, limit ?? undefined)
      .map(({ id, title, content }) => ({ id, title, content }));
    expectData(model, answer, { posts }, [posts]);
  },
};

/** The same field under many aliases, beside one that is read later: the answer is too large while others of its parts are pending. */
const readWide: Action = {
  name: 'a wide query',
  weight: 6,
  draw(random, { limits }) {
    const length = Math.min(limits.aliases, limits.repeats - 1, random.pick([1, 29, 29]));
    const field = random.pick(['title', 'content']);
    const fields = Array.from({ length }, (_, place) => `a${String(place)}: ${field}`).join(' ');
    return graphqlCall(nobody, `{ posts { author { id name } ${fields} id } }`, {});
  },
  judge(model, call, answer) {
    const { query } = call.body as { readonly query: string };
    const names = query.match(/a\d+(?=:)/g) ?? [];
    const field = query.includes('title') ? 'title' : 'content';
    const posts = sorted(model.posts).map(({ id, authorId, ...post }) => ({
      author: { id: authorId, name: model.users.get(authorId)?.name },
      ...Object.fromEntries(names.map((name) => [name, post[field]])),
      id,
    }));
    expectData(model, answer, { posts }, [posts]);
  },
};

const readOne: Action = {
  name: 'a user and the caller over GraphQL',
  weight: 2,
  draw: (random, model) =>
    graphqlCall(
      drawSender(random, model),
      'query ($id: ID!) { user(id: $id) { id name email } me { id email } }',
      {
        id: drawUserId(random, model),
      },
    ),
  judge(model, call, answer) {
    const { id } = variablesOf(call) as { id: string };
    const caller = graphqlCaller(model, call, true);
    const { errors = [], data } = answer.body as GraphqlBody;
    const mayRead = model.policy === 'open' || caller.kind !== 'nobody';
    const user = model.users.get(id);
    const expected = user === undefined || !mayRead ? null : { id, name: user.name, email: user.email };
    const me = caller.kind === 'user' ? { id: caller.user.id, email: caller.user.email } : null;
    same('the data', data, { user: expected, me });
    const codes = errors.map(({ extensions }) => extensions?.code).sort();
    const count = (mayRead ? 0 : 1) + (me === null ? 1 : 0);
    same(
      'the codes',
      codes,
      Array.from({ length: count }, () => 'UNAUTHENTICATED'),
    );
  },
};

/** Asks for the posts of the authors of posts, again and again: a few posts of one author are too many nodes. */
const readDeep: Action = {
  name: 'a deep query',
  weight: 1,
  draw: (random) => {
    const levels = random.whole(1, 4);
    const query = `{ ${'posts { author { '.repeat(levels)}id${' } }'.repeat(levels)} }`;
    return graphqlCall(nobody, query, {});
  },
  judge(model, call, answer) {
    const { query } = call.body as { readonly query: string };
    const levels = query.split('author').length - 1;
    const counts = new Map<string, number>();
    for (const { authorId } of model.posts.values()) counts.set(authorId, (counts.get(authorId) ?? 0) + 1);
    let nodes = 0;
    for (const count of counts.values()) nodes += 2 * count ** levels;
    const { errors } = answer.body as GraphqlBody;
    const needsCaller = model.policy === 'protected' && levels > 1 && model.posts.size > 0;
    if (needsCaller && errors?.[0]?.extensions?.code === 'UNAUTHENTICATED') return;
    if (errors === undefined && nodes < 2 * model.limits.nodes) return;
    const isExceeded = errors?.length === 1 && errors[0]?.extensions?.code === 'LIMIT_EXCEEDED';
    if (!isExceeded || nodes < model.limits.nodes / 4)
      throw new Fault(`${String(nodes)} nodes were answered ${answer.text.slice(0, 300)}`);
  },
};

/** Documents with the code of the error that each has. */
const wrongDocuments: Readonly<Record<string, string>> = {
  '{': 'GRAPHQL_PARSE_FAILED',
  '': 'GRAPHQL_PARSE_FAILED',
  '{ nothing }': 'GRAPHQL_VALIDATION_FAILED',
  '{ user { id } }': 'GRAPHQL_VALIDATION_FAILED',
  'subscription ($is: Boolean!) { postAdded @skip(if: $is) { id } }': 'GRAPHQL_VALIDATION_FAILED',
  'subscription { postAdded @include(if: false) { id } }': 'GRAPHQL_VALIDATION_FAILED',
  'query A { me { id } } query A { me { id } }': 'GRAPHQL_VALIDATION_FAILED',
  '{ ...F } fragment F on Query { ...F }': 'GRAPHQL_VALIDATION_FAILED',
  '{ user(id: "x") { id } }': '',
  'mutation { createUser(name: "", email: "a@example.com") { id } }': 'BAD_USER_INPUT',
  'mutation { createUser(name: "a", email: "no email") { id } }': 'BAD_USER_INPUT',
};

const readWrong: Action = {
  name: 'a document that is wrong',
  weight: 2,
  draw: (random) => {
    return graphqlCall(nobody, random.pick(Object.keys(wrongDocuments)) ?? '{', {});
  },
  judge(model, call, answer) {
    const { query } = call.body as { readonly query: string };
    const { errors, data } = answer.body as GraphqlBody;
    const code = errors?.[0]?.extensions?.code;
    if (wrongDocuments[query] === '') {
      // An id that none has is no error.
      if (model.policy === 'open') same('the data', data, { user: null });
    } else if (code !== wrongDocuments[query] && !(query === '' && answer.status === 400)) {
      throw new Fault(`${query} was answered ${String(answer.status)} ${answer.text.slice(0, 300)}`);
    }
  },
};

export const graphqlReadActions: readonly Action[] = [
  readGraph,
  readPosts,
  readWide,
  readOne,
  readDeep,
  readWrong,
];
