/** What the resolver signatures refuse to compile, as the core demands them: no field of a root without one, and none too many. */

import type { Programs, Refusal } from './programs.js';

/** The resolvers of the service, one by one as they are put together. */
const PROGRAM = `
import type { GraphqlContext } from '../../../src/core/resolvers/graphql-context.js';
import type { ServiceResolvers } from '../../../src/core/resolvers/graphql-engine.js';

declare const made: ServiceResolvers;
export const { users, user, posts, post, me } = made.Query;
export const { createUser, createPost, updateUser, deleteUser } = made.Mutation;

export const resolvers: ServiceResolvers = {
  Query: { users, user, posts, post, me },
  Mutation: { createUser, createPost, updateUser, deleteUser },
  Subscription: made.Subscription,
  User: {
    email: ({ email }) => email,
    posts: ({ id }, _, { postsByAuthor }: GraphqlContext) => postsByAuthor.whole.load(id),
  },
  Post: { author: ({ authorId }, _, { authors }) => authors.load(authorId) },
};
`;

const withoutField = (field: string, type: string, from: string, to: string): Refusal => ({
  what: `a missing ${type}.${field}`,
  change: [from, to],
  // The resolvers of a user are an intersection, whose errors have a line for the whole and one for the part.
  says:
    type === 'User'
      ? new RegExp(`TS2322[^]*Property '${field}' is missing`)
      : new RegExp(
          `TS2741: Property '${field}' is missing in .* 'Required${type}Resolvers<GraphqlContext>'\\.$`,
        ),
});

const REFUSALS: readonly Refusal[] = [
  withoutField('users', 'Query', 'Query: { users, user', 'Query: { user'),
  withoutField('me', 'Query', ', me },\n  Mutation', ' },\n  Mutation'),
  withoutField('deleteUser', 'Mutation', ', deleteUser },\n  Sub', ' },\n  Sub'),
  withoutField('postAdded', 'Subscription', 'Subscription: made.Subscription', 'Subscription: {}'),
  withoutField('email', 'User', '    email: ({ email }) => email,\n', ''),
  withoutField('author', 'Post', 'author: ({ authorId }, _, { authors }) => authors.load(authorId)', ''),
  {
    what: 'a missing Mutation',
    change: ['  Mutation: { createUser, createPost, updateUser, deleteUser },\n', ''],
    says: /TS2322[^]*Property 'Mutation' is missing/,
  },
  {
    what: 'a missing type',
    change: ['  Post: { author: ({ authorId }, _, { authors }) => authors.load(authorId) },\n', ''],
    says: /TS2322[^]*Property 'Post' is missing/,
  },
  {
    what: 'a resolver of a query that the schema does not have',
    change: ['Query: { users,', 'Query: { nobody: users, users,'],
    says: /TS2353[^]*'nobody' does not exist/,
  },
  {
    what: 'a resolver of a field that its type does not have',
    change: [
      '    email: ({ email }) => email,\n',
      '    email: ({ email }) => email,\n    phone: () => null,\n',
    ],
    says: /TS2353[^]*'phone' does not exist/,
  },
  {
    what: 'a type that the schema does not have',
    change: ['  Post: {', '  Comment: {},\n  Post: {'],
    says: /TS2353[^]*'Comment' does not exist/,
  },
  {
    what: 'a result of another type than the field has',
    change: ['({ email }) => email', '({ email }) => email.length'],
    says: /TS2322: Type 'number' is not assignable to type 'FieldResult<"User.email", string>'\.$/,
  },
  {
    what: 'null for a field that is never null',
    change: ['({ email }) => email', '() => null'],
    says: /TS2322: Type 'null' is not assignable to type 'FieldResult<"User.email", string>'\.$/,
  },
  {
    what: 'an argument that the schema does not have',
    change: ['Query: { users,', 'Query: { users: (_, { offset }) => (void offset, []),'],
    says: /TS2339: Property 'offset' does not exist on type 'QueryUsersArgs'\.$/,
  },
  {
    what: 'a resolver that takes something from the context which is not there',
    change: ['{ authors }) => authors.load', '{ writers }) => writers.load'],
    says: /TS2339: Property 'writers' does not exist/,
  },
];

export const resolvers: Programs = { title: 'the resolver signatures', program: PROGRAM, refusals: REFUSALS };
