/** The audit log, which admins read. */

import { type Action, Fault, same } from '../calls.js';
import { callerOf, isAfter } from '../model.js';
import { refusalsOfAdmins } from './keys.js';
import { pagingOf, pathOf, queryOf } from './paging.js';
import { drawAdmin, drawSender } from './senders.js';

interface Entry {
  readonly id: string;
  readonly actor: string;
  readonly action: string;
}

const listEntries: Action = {
  name: 'listAuditEntries',
  weight: 1,
  draw(random, model) {
    const query = {
      ...(random.chance(0.3) && {
        action: random.pick(['sessions.signIn', 'webhooks.create', 'users.delete']),
      }),
      ...(random.chance(0.2) && { actor: random.pick(['user:1', 'anonymous']) }),
      ...(random.chance(0.3) && { lastId: random.pick(['1', '5', '999999999999999999', 'x']) }),
      ...(random.chance(0.5) && { limit: random.pick(['1', '100', '0']) }),
    };
    const sender = drawAdmin(random, model) ?? drawSender(random, model);
    return { method: 'GET', path: pathOf('/api/audit', query), sender };
  },
  judge(model, call, answer) {
    const query = queryOf(call.path);
    const last = query.get('lastId');
    const refusals = refusalsOfAdmins(callerOf(model, call.sender, false));
    if (!refusals.when(last === 'x', 400).judge(answer, 200)) return;
    const { data, hasMore, lastId } = answer.body as {
      readonly data: readonly Entry[];
      readonly hasMore: boolean;
      readonly lastId: string | null;
    };
    const { limit } = pagingOf(query, 20);
    if (data.length > limit || (hasMore && data.length < limit))
      throw new Fault(`${String(data.length)} entries`);
    same('lastId', lastId, data.at(-1)?.id ?? null);
    let before = last;
    for (const { id, actor, action } of data) {
      if (before !== null && !isAfter(before, id)) throw new Fault(`entry ${id} comes after ${before}`);
      before = id;
      same('the action', action, query.get('action') ?? action);
      same('the actor', actor, query.get('actor') ?? actor);
    }
  },
};

export const auditActions: readonly Action[] = [listEntries];
