/** Queries over GraphQL of which one part fails while others are still being read. */

import { type Action, type Call, same, isMixed } from '../calls.js';
import { type Model, sorted } from '../model.js';
import { expectData } from './graphql-reads.js';
import { type GraphqlBody, graphqlCall, graphqlCaller, judge, variablesOf } from './graphql.js';
import { drawId, drawSender, nobody } from './senders.js';

/** One part has the square of an author's posts, which are soon too many; it may be null, so that the other part goes on. */
const readSquare: Action = {
  name: 'a query of which one part is too large',
  weight: 3,
  draw: (random, model) =>
    graphqlCall(
      drawSender(random, model),
      `query ($id: ID!, $limit: Int) {
        post(id: $id) { id author { id posts { id author { id posts { id } } } } }
        posts(limit: $limit) { id author { id name } }
      }`,
      { id: drawId(random, model.posts, model.last['post']), limit: random.pick([1, 100, 10_000]) },
    ),
  isTorn: true,
  judge(model, call, answer) {
    // They may not see the posts of the author.
    if (model.policy === 'protected' && graphqlCaller(model, call, true).kind === 'nobody') return;
    const { data } = answer.body as GraphqlBody;
    const moments = model.moments?.map((each) => squareOf(each, call)) ?? [];
    if (moments.some((each) => each === undefined)) return;
    if (moments.length > 1 && isMixed(data, moments)) return;
    const expected = squareOf(model, call);
    if (expected === undefined) judge(answer, 'post', { LIMIT_EXCEEDED: true });
    else {
      const { post, posts } = expected;
      const lists =
        post === null ? [] : [post.author.posts, ...post.author.posts.map((each) => each.author.posts)];
      expectData(model, answer, expected, [posts, ...lists]);
    }
  },
};

/** @returns the data of {@link readSquare}; undefined if it has too many nodes to be written down */
function squareOf(model: Model, call: Call) {
  const { id, limit } = variablesOf(call) as { readonly id: string; readonly limit: number };
  const all = sorted(model.posts);
  const found = model.posts.get(id);
  const author = found?.authorId ?? '';
  const own = all.filter(({ authorId }) => authorId === author).map((post) => ({ id: post.id }));
  if (found !== undefined && own.length ** 2 > model.limits.nodes) return undefined;
  const posts = all.slice(0, limit).map(({ id, authorId }) => ({
    id,
    author: { id: authorId, name: model.users.get(authorId)?.name },
  }));
  const square = own.map((post) => ({ ...post, author: { id: author, posts: own } }));
  return { post: found === undefined ? null : { id, author: { id: author, posts: square } }, posts };
}

/** Fields of the deployer, some of which fail. */
const readSlow: Action = {
  name: "a query of the deployer's fields",
  weight: 2,
  draw(random) {
    const turns = () => (random.chance(0.2) ? -random.whole(1, 9) : random.whole(0, 9));
    const list = Array.from({ length: random.whole(0, 5) }, turns);
    return graphqlCall(
      nobody,
      'query ($one: Int!, $list: [Int!]!) { slow(turns: $one) slowList(turns: $list) }',
      { one: turns(), list },
    );
  },
  judge(model, call, answer) {
    if (!model.hasFields) {
      judge(answer, 'slow', { GRAPHQL_VALIDATION_FAILED: true });
      return;
    }
    const { one, list } = variablesOf(call) as { readonly one: number; readonly list: readonly number[] };
    const [fails, listFails] = [one < 0, list.some((each) => each < 0)];
    judge(answer, 'slow', { NOT_FOUND: fails || listFails });
    const expected = fails ? null : { slow: one, slowList: listFails ? null : list };
    same('the data', (answer.body as GraphqlBody).data, expected);
  },
};

/** Those that any service has, and that of the deployer. */
export const partActions: readonly Action[] = [readSquare];
export const ownPartActions: readonly Action[] = [readSlow];
