/** The comment operations. */
import type { components } from '../../../generated/openapi.js';
import { allRead, complete } from '../model/fields.js';
import type { Comment } from '../model/order.js';
import type { Services } from '../services/services.js';
import { type SomeOperations, conditional, listed, replayed, entityTag } from './answers.js';

/** A comment never changes, so its entity tag has a constant version. */
const ONLY_VERSION = 1;

export function commentOperations({ comments }: Services) {
  return {
    async listComments({ query: { orderId, page, limit, ...query }, ...others }, { caller, request }) {
      allRead(query, others);
      return listed(await comments.list(caller, { orderId }, { page, limit }), request, commentRecord);
    },

    async createComment(request, { caller, mediaType }) {
      const {
        headers: { 'Idempotency-Key': key, ...headers },
        body: { orderId, userId, text, ...body },
        ...others
      } = request;
      allRead(headers, body, others);
      const input = { orderId, userId, text };
      const { record: comment, isReplay } = await comments.createOnce(caller, input, key);
      const tags = { Location: `/api/comments/${comment.id}`, ETag: entityTag(ONLY_VERSION, mediaType) };
      return { status: 201, headers: { ...tags, ...replayed(isReplay) }, body: commentRecord(comment) };
    },

    async getComment(
      { path: { id, ...path }, headers: { 'If-None-Match': ifNoneMatch, ...headers }, ...others },
      { caller, mediaType },
    ) {
      allRead(path, headers, others);
      const comment = await comments.get(caller, id);
      return conditional(ifNoneMatch, entityTag(ONLY_VERSION, mediaType), commentRecord(comment));
    },
  } satisfies SomeOperations;
}

function commentRecord({ id, orderId, userId, text, createdAt }: Comment): components['schemas']['Comment'] {
  return complete<components['schemas']['Comment']>({ id, orderId, userId, text, createdAt });
}
