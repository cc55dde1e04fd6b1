/** What every server serves: one schema, one set of resolvers, and one store with twenty users of five posts each. */

// From the build, because what is measured is what is shipped.
import { memoryStorage } from '../../../../dist/src/adapters/storage/memory.js';
import { makeContext } from '../../../../dist/src/core/resolvers/context.js';
import { createResolvers } from '../../../../dist/src/core/resolvers/resolvers.js';
import { anonymous } from '../../../../dist/src/core/services/caller.js';
import { openPolicy } from '../../../../dist/src/core/services/policy.js';
import { createServices } from '../../../../dist/src/core/services/services.js';

export { typeDefs } from '../../../../dist/generated/schema.js';

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

/** No store, no rights, no batches and no promises: the least that resolvers can cost. */
export const plainResolvers = {
  Query: { users: () => users },
  User: { posts: ({ id }) => postsByAuthor.get(id) },
  Post: { author: ({ authorId }) => usersById.get(authorId) },
};
