/** The post operations: a list by keyset, oldest first, and a feed, newest first. */

import type { components } from '../../../generated/openapi.js';
import { allRead, complete } from '../model/fields.js';
import type { Post } from '../model/post.js';
import { readFields, showing } from '../model/stored.js';
import type { Services } from '../services/services.js';
import { type SomeOperations, conditional, contentTag } from './answers.js';
import { reads } from './own-fields.js';

export function postOperations({ posts, ownFields }: Services) {
  const record = showing(ownFields, 'Post', postRecord);
  return {
    async listPosts({ query: { since, limit, ...query }, ...others }, { caller }) {
      allRead(query, others);
      const filter = readFields(ownFields, reads.listPosts, query);
      const { data, pagination } = await posts.listSince(caller, { since, limit }, filter);
      return { status: 200, body: { data: data.map((post) => record(post)), pagination } };
    },

    async getPost(
      { path: { id, ...path }, headers: { 'If-None-Match': ifNoneMatch, ...headers }, ...others },
      { caller, mediaType },
    ) {
      allRead(path, headers, others);
      const body = record(await posts.get(caller, id));
      return conditional(ifNoneMatch, contentTag(body, mediaType), body);
    },

    async getFeed({ query: { lastId, limit, ...query }, ...others }, { caller }) {
      allRead(query, others);
      const { data, ...page } = await posts.listFeed(caller, { lastId, limit });
      return { status: 200, body: { data: data.map((post) => record(post)), ...page } };
    },
  } satisfies SomeOperations;
}

export function postRecord({ id, title, content, authorId, createdAt }: Post): components['schemas']['Post'] {
  return complete<components['schemas']['Post']>({ id, title, content, authorId, createdAt });
}
