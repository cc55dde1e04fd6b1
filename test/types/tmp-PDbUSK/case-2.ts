
import type { GraphqlContext } from '../../../src/core/resolvers/context.js';
import type { ServiceResolvers } from '../../../src/core/resolvers/resolvers.js';

declare const made: ServiceResolvers;
export const { users, user, posts, post, me } = made.Query;
export const { createUser, createPost, updateUser, deleteUser } = made.Mutation;

export const resolvers: ServiceResolvers = {
  Query: { users, user, posts, post },
  Mutation: { createUser, createPost, updateUser, deleteUser },
  Subscription: made.Subscription,
  User: {
    email: ({ email }) => email,
    posts: ({ id }, _, { postsByAuthor }: GraphqlContext) => postsByAuthor.load(id),
  },
  Post: { author: ({ authorId }, _, { authors }) => authors.load(authorId) },
};
