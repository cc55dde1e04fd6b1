/** The content that every server serves: one schema, one set of resolvers, and a store with twenty users of five posts each. */

// From the build, because that is what is published.
import { memoryStorage } from '@concordat/core/storage/memory';
import { createResolvers, makeContext } from '@concordat/core/graphql';
import { anonymous, createServices, openPolicy } from '@concordat/core';

export { typeDefs } from '@concordat/core/contract';

export const services = createServices({ storage: memoryStorage(), policy: openPolicy });
for (let user = 1; user <= 20; user += 1) {
  const fields = { name: `User ${user}`, email: `user-${user}@example.com` };
  const { id: authorId } = await services.users.create(anonymous, fields);
  for (let post = 1; post <= 5; post += 1) {
    const title = `Post ${post} of user ${user}`;
    await services.posts.create(anonymous, { title, content: 'A few words. '.repeat(10), authorId });
  }
}

export const resolvers = createResolvers(services);
export const contextOf = () => makeContext(services, anonymous);

const users = await services.users.listAll(anonymous);
const posts = await services.posts.listAll(anonymous);
const usersById = new Map(users.map((user) => [user.id, user]));
const postsByAuthor = new Map(users.map(({ id }) => [id, posts.filter(({ authorId }) => authorId === id)]));

/** No store, rights, batches or promises: the cheapest resolvers possible. */
export const plainResolvers = {
  Query: { users: () => users },
  User: { posts: ({ id }) => postsByAuthor.get(id) },
  Post: { author: ({ authorId }) => usersById.get(authorId) },
};
