/** The post operations: oldest first by keyset, newest first as a feed. */

import type { components } from '../../../generated/openapi.js';
import type { Operations } from '../../../generated/operations.js';
import type { CallContext } from 'concordat';
import type { Post } from '../model/post.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';

type PostOperations = Pick<Operations<CallContext<Caller>>, 'listPosts' | 'getFeed'>;

export function postOperations({ posts }: Services): PostOperations {
  return {
    async listPosts({ query }, { caller }) {
      const { data, pagination } = await posts.listSince(caller, query);
      return { status: 200, body: { data: data.map(postRecord), pagination } };
    },

    async getFeed({ query }, { caller }) {
      const { data, hasMore, lastId } = await posts.listFeed(caller, query);
      return { status: 200, body: { data: data.map(postRecord), hasMore, lastId } };
    },
  };
}

function postRecord({ id, title, content, authorId, createdAt }: Post): components['schemas']['Post'] {
  return { id, title, content, authorId, createdAt };
}
