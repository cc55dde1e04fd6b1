/** The comment operations. */

import type { components } from '../../../generated/openapi.js';
import type { Operations } from '../../../generated/operations.js';
import type { CallContext } from 'concordat';
import type { Comment } from '../model/comment.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { conditional, listed } from './answers.js';
import { entityTag } from './etag.js';

type CommentOperations = Pick<
  Operations<CallContext<Caller>>,
  'listComments' | 'createComment' | 'getComment'
>;

/** A comment never changes, so neither does its tag. */
const ONLY_VERSION = 1;

export function commentOperations({ comments }: Services): CommentOperations {
  return {
    async listComments({ query }, { caller, request }) {
      return listed(await comments.list(caller, query, query), request, commentRecord);
    },

    async createComment({ body }, { caller, mediaType }) {
      const comment = await comments.create(caller, body);
      const headers = { Location: `/api/comments/${comment.id}`, ETag: entityTag(ONLY_VERSION, mediaType) };
      return { status: 201, headers, body: commentRecord(comment) };
    },

    async getComment({ path, headers }, { caller, mediaType }) {
      const comment = await comments.get(caller, path.id);
      return conditional(
        headers['If-None-Match'],
        entityTag(ONLY_VERSION, mediaType),
        commentRecord(comment),
      );
    },
  };
}

function commentRecord({ id, orderId, userId, text, createdAt }: Comment): components['schemas']['Comment'] {
  return { id, orderId, userId, text, createdAt };
}
