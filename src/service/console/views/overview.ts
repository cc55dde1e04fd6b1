/** The state of the service: whether it is ready, its versions, and what waits to be delivered or failed. */

import { age, all, h, link, time } from '../parts/dom.js';
import { badge, facts, heading, table } from '../parts/parts.js';
import { client, expecting, isAdmin } from '../parts/session.js';

export async function overviewView(): Promise<Node> {
  const [readiness, queue] = await Promise.all([askReadiness(), isAdmin() ? queueView() : undefined]);
  const { version, contract } = document.body.dataset;
  const now = time(new Date().toISOString());
  const service = facts({
    Readiness: shownReadiness(readiness),
    ...Object.fromEntries(
      Object.entries(readiness.dependencies ?? {}).map(([name, state]) => [`The ${name}`, badge(state)]),
    ),
    Service: version,
    Contract: contract,
    'As of': now,
  });
  return all(heading('Overview'), h('h2', {}, 'Service'), service, queue);
}

interface Readiness {
  readonly isReady: boolean;
  readonly error?: string;
  readonly dependencies?: Readonly<Record<string, 'up' | 'down'>>;
  readonly warnings?: readonly string[];
}

/** The probe is no part of the contract: load balancers read it. */
async function askReadiness(): Promise<Readiness> {
  const answer = await fetch('readyz', { cache: 'no-store' });
  return { ...((await answer.json()) as Omit<Readiness, 'isReady'>), isReady: answer.ok };
}

function shownReadiness({ isReady, error, warnings = [] }: Readiness): Node {
  if (!isReady) return all(badge('not ready'), ` ${error ?? ''}`);
  return all(badge('ready'), ...warnings.map((each) => h('p', { class: 'problem' }, each)));
}

async function queueView(): Promise<Node> {
  const title = h('h2', {}, 'Deliveries to webhooks');
  const answer = await client.getWebhookQueue();
  if (answer.status === 501) return all(title, h('p', { class: 'quiet' }, answer.body.error));
  const { waiting, oldestAt, failures } = expecting(answer, 200).body;
  return all(
    title,
    facts({ Waiting: String(waiting), Oldest: oldestAt === undefined ? '–' : `${age(oldestAt)} old` }),
    h('h3', {}, 'Last failures'),
    table('Failures', failures, {
      Webhook: ({ webhookId, url }) => link(url, `webhooks/${webhookId}`),
      Event: ({ delivery }) => `${delivery.type} ${delivery.subject}`,
      Status: ({ delivery }) => badge(delivery.status),
      Answer: ({ delivery }) => delivery.answer,
      When: ({ delivery }) => time(delivery.changedAt),
    }),
  );
}
