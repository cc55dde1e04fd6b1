/** Webhooks and their deliveries, which admins manage. */

import { type Action, Fault, type Refusals, newId, same, sameParts } from '../calls.js';
import { type Webhook, disable, isPage } from '../webhook-model.js';
import { type Model, callerOf, sorted } from '../model.js';
import type { Random } from '../random.js';
import { refusalsOfAdmins } from './keys.js';
import { drawPaging, expectCollection, pagingOf, pathOf, queryOf, sliceOf } from './paging.js';
import { drawAdmin, drawId, drawSender } from './senders.js';

const day = 24 * 60 * 60_000;
const types = ['user.created', 'user.deleted', 'post.created', 'order.created', 'order.updated'];

const present = ({ webhooks }: Model): Map<string, Webhook> =>
  new Map([...webhooks].filter(([, { status }]) => status !== 'deleted'));

const drawWho = (random: Random, model: Model) =>
  random.chance(0.85) ? (drawAdmin(random, model) ?? drawSender(random, model)) : drawSender(random, model);

const drawPath = (random: Random, model: Model): string =>
  `/api/webhooks/${drawId(random, present(model), model.last['webhook'])}`;

const idOf = (path: string): string => path.split('/')[3]?.split('?')[0] ?? '';

const found = (model: Model, path: string): Webhook | undefined => present(model).get(idOf(path));

function expectWebhook(what: string, one: unknown, { id, url, types, status }: Webhook): void {
  sameParts(what, one, { id, url, types, ...(status !== 'unsure' && { status }) });
}

/** Without an outbox, there are no webhooks: 501. */
function refusalsOf(model: Model, call: Parameters<Action['judge']>[1]): Refusals {
  return refusalsOfAdmins(callerOf(model, call.sender, false)).when(!model.hasOutbox, 501);
}

/** Whether all deliveries are to be repeated, or one that was listed in the last minute. */
function wasListed({ now }: Model, webhook: Webhook | undefined, body: unknown): boolean {
  const { deliveryId } = Object(body) as { readonly deliveryId?: string };
  const { ids, at } = webhook?.listed ?? { ids: [], at: 0 };
  return deliveryId === undefined || (ids.includes(deliveryId) && now >= at && now - at < 60_000);
}

/** An action on one webhook. */
function onOne(
  name: string,
  weight: number,
  request: (random: Random, model: Model, path: string) => { method: string; path: string; body?: unknown },
  status: number,
  judge: (
    model: Model,
    webhook: Webhook,
    call: Parameters<Action['judge']>[1],
    answer: Parameters<Action['judge']>[2],
  ) => void,
): Action {
  return {
    name,
    weight,
    draw: (random, model) => ({
      ...request(random, model, drawPath(random, model)),
      sender: drawWho(random, model),
    }),
    judge(model, call, answer) {
      const webhook = found(model, call.path);
      // The deliveries are read after the webhook, which may have been deleted in between.
      const isGone = model.webhooks.get(idOf(call.path))?.deletedIn === model.steps;
      if (name === 'listWebhookDeliveries' && isGone && answer.text === '[]') return;
      const refusals = refusalsOf(model, call).when(webhook === undefined, 404);
      const { url } = Object(call.body) as { readonly url?: string };
      refusals.when(url?.includes('private') === true, 400);
      if (name === 'redeliverWebhook') refusals.perhaps(!wasListed(model, webhook, call.body), 404);
      if (refusals.judge(answer, status) && webhook !== undefined) judge(model, webhook, call, answer);
    },
  };
}

const createWebhook: Action = {
  name: 'createWebhook',
  weight: 2,
  draw(random, model) {
    const url = random.chance(0.1)
      ? 'https://private.example/'
      : `https://hook-${String(model.webhooks.size)}-${String(random.whole(0, 2 ** 30))}.example/`;
    const chosen = random.chance(0.5)
      ? { types: types.filter((_, place) => place === 0 || random.chance(0.5)) }
      : {};
    return {
      method: 'POST',
      path: '/api/webhooks',
      sender: drawWho(random, model),
      body: { url, ...chosen },
    };
  },
  judge(model, call, answer) {
    const { url, types } = call.body as { readonly url: string; readonly types?: readonly string[] };
    if (!refusalsOf(model, call).when(url.includes('private'), 400).judge(answer, 201)) return;
    const id = newId(model, 'webhook', answer.body);
    const { secret } = answer.body as { readonly secret?: string };
    if (secret?.startsWith('whsec_') !== true) throw new Fault('a new webhook has no secret');
    const secrets = [{ secret, since: 0, until: Infinity }];
    const webhook: Webhook = { id, url, types, secrets, status: 'active', isRepeated: false, due: [] };
    model.webhooks.set(id, webhook);
    expectWebhook('body', answer.body, webhook);
  },
};

const listWebhooks: Action = {
  name: 'listWebhooks',
  weight: 1,
  draw: (random, model) => ({
    method: 'GET',
    path: pathOf('/api/webhooks', drawPaging(random)),
    sender: drawWho(random, model),
  }),
  judge(model, call, answer) {
    if (refusalsOf(model, call).judge(answer, 200))
      expectCollection(call, answer, sorted(present(model)), expectWebhook);
  },
};

/** All that was not delivered comes, and what follows. */
function activate(webhook: Webhook): void {
  if (webhook.status !== 'active') webhook.isRepeated = true;
  webhook.status = 'active';
}

const updateWebhook = onOne(
  'updateWebhook',
  2,
  (random, model, path) => {
    const old = found(model, path)?.url ?? 'https://other.example/';
    const url = random.chance(0.1)
      ? 'https://private.example/'
      : `${new URL(old).origin}/${String(random.whole(0, 9))}`;
    const change = random.pick<object>([
      { url },
      { status: 'active' },
      { status: 'disabled' },
      { url, status: 'active' },
    ]);
    return { method: 'PATCH', path, body: change };
  },
  200,
  (_, webhook, call, answer) => {
    const { url, status } = call.body as { readonly url?: string; readonly status?: string };
    webhook.url = url ?? webhook.url;
    if (status === 'active') activate(webhook);
    if (status === 'disabled') disable(webhook, 'disabled');
    expectWebhook('body', answer.body, webhook);
  },
);

const deleteWebhook = onOne(
  'deleteWebhook',
  1,
  (_random, _model, path) => ({ method: 'DELETE', path }),
  204,
  (model, webhook) => {
    webhook.deletedIn = model.steps;
    disable(webhook, 'deleted');
  },
);

const rotate = onOne(
  'rotateWebhookSecret',
  1,
  (_random, _model, path) => ({ method: 'POST', path: `${path}/rotate` }),
  200,
  (model, webhook, _, answer) => {
    const { secret } = answer.body as { readonly secret?: string };
    if (secret?.startsWith('whsec_') !== true || webhook.secrets.some((each) => each.secret === secret))
      throw new Fault('a rotation gave no new secret');
    const former = webhook.secrets.map((each) => ({ ...each, until: Math.min(each.until, model.now + day) }));
    // The clock may have gone back.
    webhook.secrets = [...former, { secret, since: model.now - 60_000, until: Infinity }];
    expectWebhook('body', answer.body, webhook);
  },
);

const test = onOne(
  'testWebhook',
  1,
  (_random, _model, path) => ({ method: 'POST', path: `${path}/test` }),
  200,
  (_model, _webhook, _call, answer) => {
    const { delivered, answer: text } = answer.body as {
      readonly delivered: boolean;
      readonly answer: string;
    };
    same('delivered', delivered, text === 'status 204');
  },
);

const listDeliveries = onOne(
  'listWebhookDeliveries',
  2,
  (random, _model, path) => ({ method: 'GET', path: pathOf(`${path}/deliveries`, drawPaging(random)) }),
  200,
  ({ now }, webhook, call, answer) => {
    const { due, status } = webhook;
    webhook.listed = {
      ids: (answer.body as readonly { readonly id: string }[]).map(({ id }) => id),
      at: now,
    };
    const query = queryOf(call.path);
    const listed = answer.body as readonly {
      readonly type: string;
      readonly subject: string;
      readonly status: string;
    }[];
    // Which events were written for one that was disabled in between is not known.
    if (status !== 'active' || due.some(({ isSure }) => !isSure)) return;
    const paging = pagingOf(query, query.has('page') || query.has('limit') ? 10 : 100);
    const expected = sliceOf([...due].reverse(), paging);
    const shown = (events: readonly { readonly type: string; readonly subject: string }[]) =>
      events.map(({ type, subject }) => `${type} ${subject}`).join(', ');
    if (!isPage(listed, expected, due))
      throw new Fault(`the deliveries are ${shown(listed)}, expected ${shown(expected)}`);
    // They are counted before they are listed, and may be more in between.
    const total = Number(answer.headers.get('x-total-count'));
    if (total > due.length || total < due.length - 3) throw new Fault(`X-Total-Count is ${String(total)}`);
  },
);

const redeliver = onOne(
  'redeliverWebhook',
  2,
  (random, model, path) => {
    const id = random.pick(found(model, path)?.listed?.ids ?? []) ?? String(random.whole(1, 40));
    return { method: 'POST', path: `${path}/redeliver`, body: random.chance(0.4) ? {} : { deliveryId: id } };
  },
  200,
  (_model, webhook, call, answer) => {
    const { events } = answer.body as { readonly events: number };
    const isOne = 'deliveryId' in (call.body as object) && webhook.status === 'active';
    if (isOne) same('events', events, 1);
    if (events > webhook.due.length) throw new Fault(`${String(events)} events were delivered again`);
    webhook.isRepeated = true;
    activate(webhook);
  },
);

const getWebhook = onOne(
  'getWebhook',
  1,
  (_random, _model, path) => ({ method: 'GET', path }),
  200,
  (_model, webhook, _call, answer) => {
    expectWebhook('body', answer.body, webhook);
  },
);

const getQueue: Action = {
  name: 'getWebhookQueue',
  weight: 1,
  draw: (random, model) => ({ method: 'GET', path: '/api/webhooks/queue', sender: drawWho(random, model) }),
  judge(model, call, answer) {
    if (!refusalsOf(model, call).judge(answer, 200)) return;
    const { waiting, failures } = answer.body as {
      readonly waiting: number;
      readonly failures: readonly unknown[];
    };
    const most = [...model.webhooks.values()].reduce((sum, { due }) => sum + due.length, 0);
    if (waiting > most || failures.length > 20)
      throw new Fault(`${String(waiting)} events wait of ${String(most)}`);
  },
};

export const webhookActions: readonly Action[] = [
  getWebhook,
  getQueue,
  createWebhook,
  listWebhooks,
  updateWebhook,
  deleteWebhook,
  rotate,
  test,
  listDeliveries,
  redeliver,
];
