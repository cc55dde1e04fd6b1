/** Posts over GraphQL. */
import type {
  MutationResolvers,
  PostResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../../generated/graphql.js';
import { allRead } from '../model/fields.js';
import type { Post } from '../model/post.js';
import { readFields } from '../model/stored.js';
import {
  withoutKey,
  type GraphqlContext,
  type GraphqlServices,
  forgetReads,
  nullWhereMissing,
} from './graphql-context.js';
import { contentsSelected } from './answer-budget.js';
import { reads, type StoredResolvers, storedResolvers } from './stored.js';

export function postQueries({
  posts,
  ownFields,
}: GraphqlServices): Required<Pick<QueryResolvers<GraphqlContext>, 'posts' | 'post'>> {
  return {
    posts: (_, { after, limit, ...others }, { caller, budget }, info) => {
      allRead(others);
      const filter = readFields(ownFields, reads['Query.posts'], others);
      const asked = { after: after ?? undefined, limit: limit ?? undefined, stored: filter };
      const { form, keep } = budget.readingOf(contentsSelected(info));
      return posts.listAll(caller, asked, { form, keep: (part) => keep(budget.take(part)) });
    },
    post: (_, { id, ...others }, { caller }) => {
      allRead(others);
      return nullWhereMissing(posts.get(caller, id));
    },
  };
}

export function postMutations({
  posts,
  ownFields,
}: GraphqlServices): Required<Pick<MutationResolvers<GraphqlContext>, 'createPost'>> {
  return {
    createPost: async (_, { title, content, authorId, ...others }, context) => {
      allRead(others);
      const values = readFields(ownFields, reads['Mutation.createPost'], others);
      const input = { title, content, authorId: authorId ?? undefined, stored: values };
      const post = await posts.create(withoutKey(context.caller), input);
      forgetReads(context);
      return post;
    },
  };
}

export function postSubscriptions({
  posts,
}: GraphqlServices): Required<SubscriptionResolvers<GraphqlContext>> {
  return {
    postAdded: {
      subscribe: (_, { since, authorId, ...others }, { caller, lastEventId }) => {
        allRead(others);
        const author = authorId ?? undefined;
        // A client of server-sent events that reconnects repeats its document, and sends the id of the last event beside it.
        return lastEventId === undefined
          ? posts.subscribeAdded(caller, since ?? undefined, 'since', author)
          : posts.subscribeAdded(caller, lastEventId, 'Last-Event-ID', author);
      },
      // A caller may lose a right while a subscription is open: each event is then an error.
      resolve: (post: Post, _: unknown, { caller }: GraphqlContext) => {
        posts.requireRead(caller, post);
        return post;
      },
    },
  };
}

type PostFields = Required<Pick<PostResolvers<GraphqlContext>, 'author'>> & StoredResolvers<'Post', Post>;

export function postFields({ ownFields }: GraphqlServices): PostFields {
  return {
    ...storedResolvers(ownFields, 'Post', (post: Post) => post),
    author: ({ authorId }, others, { authors }) => {
      allRead(others);
      return authors.load(authorId);
    },
  };
}
