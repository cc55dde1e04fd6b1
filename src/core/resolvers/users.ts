/** Users over GraphQL, with resolvers that read all arguments of their fields: a new argument in the schema does not compile. */
import type { MutationResolvers, QueryResolvers, UserResolvers } from '../../../generated/graphql.js';
import { allRead } from '../model/fields.js';
import { readFields } from '../model/stored.js';
import type { User } from '../model/user.js';
import { callerFrom } from '../services/rights/caller.js';
import {
  withoutKey,
  type GraphqlContext,
  type GraphqlServices,
  forgetReads,
  nullWhereMissing,
} from './graphql-context.js';
import { contentsSelected } from './answer-budget.js';
import { reads, type StoredResolvers, storedResolvers } from './stored.js';

export function userQueries({
  users,
  ownFields,
}: GraphqlServices): Required<Pick<QueryResolvers<GraphqlContext>, 'users' | 'user' | 'me'>> {
  return {
    users: async (_, { after, limit, ...others }, { caller, authors, budget }) => {
      allRead(others);
      const filter = readFields(ownFields, reads['Query.users'], others);
      const asked = { after: after ?? undefined, limit: limit ?? undefined, stored: filter };
      const list = await users.listAll(caller, asked, (part) => budget.take(part));
      for (const user of list) authors.add(user.id, user);
      return list;
    },
    user: (_, { id, ...others }, { caller }) => {
      allRead(others);
      return nullWhereMissing(users.get(caller, id));
    },
    me: (_, others, { caller }) => {
      allRead(others);
      return users.getProfile(withoutKey(caller));
    },
  };
}

export function userMutations({
  users,
  ownFields,
}: GraphqlServices): Required<
  Pick<MutationResolvers<GraphqlContext>, 'createUser' | 'updateUser' | 'deleteUser'>
> {
  return {
    createUser: async (_, { name, email, ...others }, context) => {
      allRead(others);
      const input = {
        name,
        email,
        stored: readFields(ownFields, reads['Mutation.createUser'], others),
      };
      const user = await users.create(withoutKey(context.caller), input, context.address);
      forgetReads(context);
      context.signedUp.add(user.id);
      return user;
    },
    updateUser: async (_, { id, name, email, ...others }, context) => {
      allRead(others);
      const user = await users.update(withoutKey(context.caller), id, {
        name: name ?? undefined,
        email: email ?? undefined,
        stored: readFields(ownFields, reads['Mutation.updateUser'], others),
      });
      forgetReads(context);
      return user;
    },
    deleteUser: async (_, { id, ...others }, context) => {
      allRead(others);
      await users.delete(callerFrom(withoutKey(context.caller), context.address), id);
      forgetReads(context);
      return true;
    },
  };
}

/** The fields that depend on rights or need another read: all but the id and name, which any reader of a post may see. */
export type GuardedUserFields = Required<Omit<UserResolvers<GraphqlContext>, 'id' | 'name'>> &
  StoredResolvers<'User', User>;

export function guardedUserFields({ users, ownFields }: GraphqlServices): GuardedUserFields {
  /** @returns the record, once the caller's right to see all of it is checked */
  function shown(user: User, { caller, signedUp }: GraphqlContext): User {
    if (!signedUp.has(user.id)) users.requireDetails(caller, user);
    return user;
  }

  return {
    ...storedResolvers(ownFields, 'User', shown),
    email: (user, others, context) => {
      allRead(others);
      return shown(user, context).email;
    },
    posts: (user, others, context, info) => {
      allRead(others);
      const { postsByAuthor, budget } = context;
      const form = contentsSelected(info) === 0 ? 'without-content' : 'whole';
      const posts = postsByAuthor[form].load(shown(user, context).id);
      return posts instanceof Promise ? posts.then((list) => budget.take(list)) : budget.take(posts);
    },
  };
}
