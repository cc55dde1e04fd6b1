/** Webhooks: create, test, rotate and disable them, and see and repeat their deliveries. */

import { all, h, link, time } from '../parts/dom.js';
import {
  action,
  badge,
  facts,
  field,
  filters,
  form,
  heading,
  pageOf,
  pager,
  type Route,
} from '../parts/parts.js';
import { say, showSecret, table } from '../parts/parts.js';
import { client, expecting, given, type Schemas } from '../parts/session.js';

type Webhook = Schemas['Webhook'];
type Status = Schemas['Delivery']['status'];

const TYPES: readonly Schemas['EventType'][] = [
  ...(['user.created', 'user.updated', 'user.deleted', 'post.created', 'comment.created'] as const),
  ...(['order.created', 'order.updated', 'order.deleted'] as const),
  ...(['product.created', 'product.updated', 'product.categorized', 'product.deleted'] as const),
];

export async function webhooksView(route: Route): Promise<Node> {
  const answer = await client.listWebhooks({ query: { ...pageOf(route), envelope: false } });
  const { headers, body } = expecting(answer, 200);
  const boxes = TYPES.map((value) =>
    h('label', { class: 'choice' }, h('input', { type: 'checkbox', name: 'types', value }), value),
  );
  const choices = h('fieldset', {}, h('legend', {}, 'All events, unless some are chosen'), ...boxes);
  const url = field('Address', { name: 'url', type: 'url', placeholder: 'https://…', required: true });
  const types = h('details', {}, h('summary', {}, 'Only some events'), choices);
  return all(
    heading('Webhooks'),
    form('New webhook', 'Create a webhook', [url, types], ({ url = '' }, data) =>
      create(url, data.getAll('types') as Schemas['EventTypes']),
    ),
    h('h2', {}, 'Webhooks'),
    table('Webhooks', body as readonly Webhook[], {
      Id: ({ id }) => id,
      Address: ({ id, url }) => link(url, `webhooks/${id}`),
      Events: ({ types }) => types?.join(', ') ?? 'all',
      Status: ({ status }) => badge(status),
      Created: ({ createdAt }) => time(createdAt),
    }),
    pager(route, headers),
  );
}

async function create(url: string, types: Schemas['EventTypes']): Promise<string> {
  const input = { url, ...(types.length > 0 && { types }) };
  const { body } = expecting(await client.createWebhook({ body: input }), 201);
  await showSecret('The secret of the webhook', body.secret ?? '');
  history.pushState(null, '', `#/webhooks/${body.id}`);
  return 'The webhook is created.';
}

export async function webhookView(id: string, route: Route): Promise<Node> {
  const query = { ...pageOf(route), ...given({ status: route.query['status'] as Status | undefined }) };
  const [found, list] = await Promise.all([
    client.getWebhook({ path: { id } }),
    client.listWebhookDeliveries({ path: { id }, query }),
  ]);
  const { url, types, status, createdAt } = expecting(found, 200).body;
  const { headers, body: deliveries } = expecting(list, 200);
  const address = { name: 'url', type: 'url', value: url, required: true };
  const wanted = types?.join(', ') ?? 'all';
  return all(
    heading(`Webhook ${id}`, link('All webhooks', 'webhooks')),
    facts({ Address: url, Events: wanted, Status: badge(status), Created: time(createdAt) }),
    h('p', { class: 'row' }, ...actionsOn(id, url, status)),
    form('Address', 'Change the address', [field('New address', address)], async ({ url: changed = '' }) => {
      expecting(await client.updateWebhook({ path: { id }, body: { url: changed } }), 200);
      return 'The address is changed. What waits is sent there at once.';
    }),
    h('h2', {}, 'Deliveries'),
    filters(route, { status: { label: 'Status', choices: ['', 'pending', 'delivered', 'failed'] } }),
    table('Deliveries', deliveries, {
      Id: (delivery) => delivery.id,
      Event: ({ type, subject }) => `${type} ${subject}`,
      Status: (delivery) => badge(delivery.status),
      Attempts: ({ attempts }) => String(attempts),
      Answer: ({ answer = '–' }) => answer,
      Changed: ({ changedAt }) => time(changedAt),
      'Next attempt': ({ dueAt }) => time(dueAt),
      Action: (delivery) => redelivery('Redeliver', id, { deliveryId: delivery.id }),
    }),
    pager(route, headers),
  );
}

function redelivery(label: string, id: string, body: Schemas['RedeliveryInput']): HTMLElement {
  return action(label, undefined, async () => {
    const { events } = expecting(await client.redeliverWebhook({ path: { id }, body }), 200).body;
    return `${String(events)} ${events === 1 ? 'event is' : 'events are'} delivered again.`;
  });
}

function actionsOn(id: string, url: string, status: Webhook['status']): readonly HTMLElement[] {
  const path = { id };
  const [verb, other] =
    status === 'active' ? (['Disable', 'disabled'] as const) : (['Enable', 'active'] as const);
  const text = 'It gets no events until you enable it, and never those of the time between.';
  return [
    action('Send a test event', undefined, async () => {
      const { delivered, answer } = expecting(await client.testWebhook({ path }), 200).body;
      if (delivered) return `The receiver took the test event: ${answer}.`;
      say(`The receiver did not take the test event: ${answer}.`, true);
      return undefined;
    }),
    redelivery('Redeliver all that failed or wait', id, {}),
    action('Rotate the secret', { text: 'The old secret signs for a day more.' }, async () => {
      const { secret } = expecting(await client.rotateWebhookSecret({ path }), 200).body;
      await showSecret('The new secret of the webhook', secret);
      return 'The secret is replaced. The old one signs for a day more.';
    }),
    action(verb, other === 'disabled' ? { text } : undefined, async () => {
      expecting(await client.updateWebhook({ path, body: { status: other } }), 200);
      return `The webhook is ${other}.`;
    }),
    action(
      'Delete',
      { text: 'It gets no more events, also none that wait.', typed: new URL(url).host },
      async () => {
        expecting(await client.deleteWebhook({ path }), 204);
        history.replaceState(null, '', '#/webhooks');
        return 'The webhook is deleted.';
      },
    ),
  ];
}
