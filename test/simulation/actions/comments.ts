/** Comments on orders. */

import { type Action, Refusals, newId, same, sameParts } from '../calls.js';
import { type Comment, callerOf, wrote, isRefused, maySee, mayTouch } from '../model.js';
import { changed, judgeRead, unlessKnown } from '../records.js';
import { drawId, drawOrderId, drawSender, drawUserId } from './senders.js';

export const createComment: Action = {
  name: 'createComment',
  weight: 3,
  draw(random, model) {
    const userId = random.chance(0.6) ? { userId: drawUserId(random, model) } : {};
    const body = {
      ...userId,
      orderId: drawOrderId(random, model),
      text: random.text(5000),
    };
    const sender = drawSender(random, model, model.orders.get(body.orderId)?.userId);
    return { method: 'POST', path: '/api/comments', sender, body };
  },
  judge(model, call, answer) {
    const given = call.body as { readonly orderId: string; readonly userId?: string; readonly text: string };
    const caller = callerOf(model, call.sender, false);
    const userId = given.userId ?? (caller.kind === 'user' ? caller.user.id : undefined);
    const order = model.orders.get(given.orderId);
    const refusals = new Refusals()
      .when(isRefused(model, caller), 401)
      .when(userId === undefined || !model.users.has(userId) || order === undefined, 400)
      .when(order !== undefined && caller.kind === 'user' && !mayTouch(model, caller, order.userId), 400)
      .when(caller.kind === 'user' && userId !== undefined && !mayTouch(model, caller, userId), 403);
    if (!refusals.judge(answer, 201) || userId === undefined) return;
    const id = newId(model, 'comment', answer.body);
    const comment: Comment = { id, orderId: given.orderId, userId, text: given.text };
    model.comments.set(id, comment);
    wrote(model, 'comment.created', `comment:${id}`);
    sameParts('body', answer.body, { ...comment });
    same('location', answer.headers.get('location'), `/api/comments/${id}`);
    changed(model, `/api/comments/${id}`, answer);
  },
};

const getComment: Action = {
  name: 'getComment',
  weight: 2,
  draw(random, model) {
    const id = drawId(random, model.comments, model.last['comment']);
    const path = `/api/comments/${id}`;
    const comment = model.comments.get(id);
    const owner = model.orders.get(comment?.orderId ?? '')?.userId;
    const sender = drawSender(random, model, random.pick([comment?.userId, owner]));
    return { method: 'GET', path, sender, headers: unlessKnown(random, model, path) };
  },
  judge(model, call, answer) {
    const comment = model.comments.get(call.path.split('/')[3] ?? '');
    const caller = callerOf(model, call.sender, true);
    const owner = comment && model.orders.get(comment.orderId)?.userId;
    const isSeen =
      comment !== undefined &&
      (maySee(model, caller, comment.userId) || (owner !== undefined && maySee(model, caller, owner)));
    const refusals = new Refusals().when(isRefused(model, caller), 401).when(!isSeen, 404);
    const isRead = judgeRead(model, call.path, call, answer, refusals);
    if (isRead && comment !== undefined) sameParts('body', answer.body, { ...comment });
  },
};

export const commentActions: readonly Action[] = [createComment, getComment];
