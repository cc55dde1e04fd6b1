/** A summary of the deliveries to webhooks that wait, and of those that failed. */
import type { Timestamp } from '../../model/timestamp.js';
import type { Delivery, Webhook } from '../../model/webhook.js';
import type { OutboxStore } from '../../ports/outbox.js';
import { countWaiting } from './steps.js';

interface WebhookFailure {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
}

export interface WebhookQueue {
  readonly waiting: number;
  /** The time of the oldest event that waits. */
  readonly oldest: Timestamp | undefined;
  /** The last deliveries that failed or are to be tried again, the newest first. */
  readonly failures: readonly WebhookFailure[];
}

const mostFailures = 20;
const slice = { offset: 0, limit: mostFailures };

/** @param webhooks - those of which the caller may know */
export async function webhookQueue(store: OutboxStore, webhooks: readonly Webhook[]): Promise<WebhookQueue> {
  const { count: waiting, oldest } = await countWaiting(store);
  const failures: WebhookFailure[] = [];
  for (const webhook of webhooks) {
    const failed = await store.listDeliveries(webhook.id, slice, 'failed');
    // Those that were tried are the oldest: the others wait behind them, and may be millions.
    const pending = await store.listDeliveries(webhook.id, slice, 'pending', 'oldest first');
    for (const delivery of [...failed, ...pending])
      if (delivery.answer !== undefined) failures.push({ webhook, delivery });
  }
  const byTime = failures.toSorted((one, other) =>
    one.delivery.changedAt < other.delivery.changedAt ? 1 : -1,
  );
  return { waiting, oldest, failures: byTime.slice(0, mostFailures) };
}
