/** Queries of users and posts over GraphQL: plain ones, those beyond the limits, and documents that are none. */

import { type Action, Fault, same } from '../calls.js';
import { sorted } from '../model.js';
import { type GraphqlBody, graphqlCall, graphqlCaller, judge, variablesOf } from './graphql.js';
import { drawId, drawSender, nobody } from './senders.js';

const readGraph: Action = {
  name: 'users and posts over GraphQL',
  weight: 3,
  draw(random, model) {
    const limit = random.chance(0.5) ? random.pick([1, 2, 3, 100, 10_000]) : undefined;
    const after = random.chance(0.4) ? drawId(random, model.users, model.last['user']) : undefined;
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
  judge(model, call, answer) {
    const { limit, after, id } = variablesOf(call) as { limit?: number; after?: string; id: string };
    const caller = graphqlCaller(model, call, true);
    const isRefused = model.policy === 'protected' && caller.kind === 'nobody';
    const users = judge(answer, 'users', { UNAUTHENTICATED: isRefused });
    if (isRefused) return;
    const ofAuthor = (authorId: string) => sorted(model.posts).filter((post) => post.authorId === authorId);
    const expected = sorted(model.users)
      .filter((user) => after === undefined || Number(user.id) > Number(after))
      .slice(0, limit)
      .map((user) => ({
        id: user.id,
        name: user.name,
        posts: ofAuthor(user.id).map((post) => ({ id: post.id, author: { id: user.id, name: user.name } })),
      }));
    same('users', users, expected);
    const post = model.posts.get(id);
    same(
      'post',
      (answer.body as GraphqlBody).data?.['post'],
      post === undefined
        ? null
        : {
            id,
            title: post.title,
            author: {
              name: model.users.get(post.authorId)?.name,
              posts: ofAuthor(post.authorId).map((each) => ({ id: each.id })),
            },
          },
    );
  },
};

/** The nodes that one answer may have. */
const mostNodes = 100_000;

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
    if (errors === undefined && nodes < 2 * mostNodes) return;
    const isExceeded = errors?.every(({ extensions }) => extensions?.code === 'LIMIT_EXCEEDED') === true;
    if (!isExceeded || nodes < mostNodes / 4)
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

export const graphqlReadActions: readonly Action[] = [readGraph, readDeep, readWrong];
