/** Users over GraphQL. */
import type { MutationResolvers, QueryResolvers, UserResolvers } from '../../../generated/graphql.js';
import type { User } from '../model/user.js';
import { withoutKey } from './callers.js';
import { type GraphqlContext, type GraphqlServices, forgetReads } from './graphql-context.js';
import { nullWhereMissing, contentsSelected } from './reading.js';

export function userQueries({
  users,
}: GraphqlServices): Required<Pick<QueryResolvers<GraphqlContext>, 'users' | 'user' | 'me'>> {
  return {
    users: async (_, { after, limit }, { caller, authors, budget }) => {
      const asked = { after: after ?? undefined, limit: limit ?? undefined };
      const list = await users.listAll(caller, asked, (part) => budget.take(part));
      for (const user of list) authors.add(user.id, user);
      return list;
    },
    user: (_, { id }, { caller }) => nullWhereMissing(users.get(caller, id)),
    me: (_, _arguments, { caller }) => users.getProfile(withoutKey(caller)),
  };
}

export function userMutations({
  users,
}: GraphqlServices): Required<
  Pick<MutationResolvers<GraphqlContext>, 'createUser' | 'updateUser' | 'deleteUser'>
> {
  return {
    createUser: async (_, { name, email }, context) => {
      const input = {
        name,
        email,
        password: undefined,
        phone: undefined,
        city: undefined,
        role: undefined,
        status: undefined,
      };
      const user = await users.create(withoutKey(context.caller), input, context.address);
      forgetReads(context);
      context.signedUp.add(user.id);
      return user;
    },
    updateUser: async (_, { id, name, email }, context) => {
      const patch = { name: name ?? undefined, email: email ?? undefined };
      const user = await users.update(withoutKey(context.caller), id, patch);
      forgetReads(context);
      return user;
    },
    deleteUser: async (_, { id }, context) => {
      await users.delete(withoutKey(context.caller), id);
      forgetReads(context);
      return true;
    },
  };
}

/** The fields that depend on rights, and those that need another read. */
export function userFields({
  users,
}: GraphqlServices): Required<Pick<UserResolvers<GraphqlContext>, 'email' | 'posts'>> {
  return {
    email: (user, _, { caller, signedUp }) => {
      if (!signedUp.has(user.id)) users.requireDetails(caller, recordOf(user));
      return user.email;
    },
    posts: (user, _, { caller, signedUp, postsByAuthor, budget }, info) => {
      if (!signedUp.has(user.id)) users.requireDetails(caller, recordOf(user));
      const form = contentsSelected(info) === 0 ? 'without-content' : 'whole';
      const posts = postsByAuthor[form].load(user.id);
      return posts instanceof Promise ? posts.then((list) => budget.take(list)) : budget.take(posts);
    },
  };
}

/** The parent is always the record of a service; the schema's mapper types only a part of it. */
function recordOf(user: Pick<User, 'id' | 'name' | 'email'>): User {
  return user as User;
}
