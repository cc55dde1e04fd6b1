/** API keys. */

import { type Action, Fault, Refusals, newId, sameParts } from '../calls.js';
import { type Caller, callerOf, isAdmin, sorted } from '../model.js';
import { drawEnvelope, drawPaging, expectCollection, pathOf } from './paging.js';
import { drawAdmin, drawId, drawSender } from './senders.js';

const createKey: Action = {
  name: 'createApiKey',
  weight: 1,
  draw: (random, model) => ({
    method: 'POST',
    path: '/api/keys',
    sender: drawAdmin(random, model) ?? drawSender(random, model),
    body: { name: random.text(100) },
  }),
  judge(model, call, answer) {
    const caller = callerOf(model, call.sender, false);
    const refusals = refusalsOfAdmins(caller);
    if (!refusals.judge(answer, 201) || caller.kind !== 'user') return;
    const id = newId(model, 'key', answer.body);
    const { key, ...record } = answer.body as { readonly key?: string };
    if (key === undefined) throw new Fault('a new key is not answered');
    const { name } = call.body as { readonly name: string };
    sameParts('body', record, { id, name, active: true });
    model.keys.set(id, { id, name, ownerId: caller.user.id, key, isActive: true });
  },
};

/** Only admins may. */
export function refusalsOfAdmins(caller: Caller): Refusals {
  return new Refusals()
    .when(caller.kind === 'refused' || caller.kind === 'nobody', 401)
    .when(caller.kind === 'user' && !isAdmin(caller), 403);
}

const deleteKey: Action = {
  name: 'deleteApiKey',
  weight: 1,
  draw(random, model) {
    const id = drawId(random, model.keys, model.last['key']);
    return { method: 'DELETE', path: `/api/keys/${id}`, sender: drawSender(random, model) };
  },
  judge(model, call, answer) {
    const key = model.keys.get(call.path.split('/')[3] ?? '');
    const refusals = refusalsOfAdmins(callerOf(model, call.sender, false)).when(key === undefined, 404);
    if (refusals.judge(answer, 204) && key !== undefined) key.isActive = false;
  },
};

const currentKey: Action = {
  name: 'getCurrentApiKey',
  weight: 1,
  draw: (random, model) => ({ method: 'GET', path: '/api/keys/current', sender: drawSender(random, model) }),
  judge(model, call, answer) {
    const key = call.sender.kind === 'key' ? model.keys.get(call.sender.id) : undefined;
    const isKey = new Refusals().when(key?.isActive !== true, 401).judge(answer, 200);
    if (isKey) sameParts('body', answer.body, { id: key?.id, name: key?.name, active: true, key: undefined });
  },
};

const listKeys: Action = {
  name: 'listApiKeys',
  weight: 1,
  draw(random, model) {
    const sender = drawAdmin(random, model) ?? drawSender(random, model);
    return {
      method: 'GET',
      path: pathOf('/api/keys', { ...drawEnvelope(random), ...drawPaging(random, model.keys.size) }),
      sender,
    };
  },
  judge(model, call, answer) {
    if (!refusalsOfAdmins(callerOf(model, call.sender, false)).judge(answer, 200)) return;
    expectCollection(call, answer, sorted(model.keys), (what, one, { id, name, isActive }) => {
      sameParts(what, one, { id, name, active: isActive, key: undefined });
    });
  },
};

export const keyActions: readonly Action[] = [createKey, deleteKey, currentKey, listKeys];
