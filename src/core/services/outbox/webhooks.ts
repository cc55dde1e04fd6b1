/** The use cases around webhooks. */
import { randomBytes, randomUUID } from 'node:crypto';
import { invalidInput, notFound, ServiceError } from '../../model/error.js';
import {
  anyPage,
  type OffsetArguments,
  offsetPage,
  type OffsetPage,
  offsetWindow,
} from '../../model/page.js';
import { timestampOf } from '../../model/timestamp.js';
import type { Delivery, EventType, Receiver, Webhook } from '../../model/webhook.js';
import type { OutboxStore } from '../../ports/outbox.js';
import type { OutboxOptions, ServiceContext } from '../context/service-context.js';
import type { Caller } from '../rights/caller.js';
import { attempt } from './outbox.js';

/** For how long a replaced secret still signs. */
const overlapMs = 24 * 60 * 60 * 1000;

/** A webhook, and its new secret, which cannot be read again. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** Every method throws `unauthenticated` or `forbidden` if the policy refuses, and `not-implemented` if the services have no outbox. */
export class WebhooksService {
  readonly #context: ServiceContext<'outbox'>;
  readonly #store: OutboxStore;

  constructor(context: ServiceContext<'outbox'>) {
    this.#context = context;
    this.#store = context.storage.outbox;
  }

  /** @throws ServiceError `invalid-input` for an address to which nothing is sent */
  async create(
    caller: Caller,
    { url, types }: { readonly url: string; readonly types: readonly EventType[] | undefined },
  ): Promise<WebhookWithSecret> {
    const { rights, clock } = this.#context;
    rights.require(caller, 'webhooks.manage', undefined, { url });
    const refusal = await this.#outbox.sender.refusal(url);
    if (refusal !== undefined) throw invalidInput('url', refusal);
    const secret = newSecret();
    const webhook = await this.#store.create(
      { consumer: undefined, url, types, secrets: [{ secret }] },
      clock.now(),
    );
    await this.#record(caller, 'webhooks.create', webhook.id);
    return { webhook, secret };
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(caller: Caller, asked: OffsetArguments = anyPage): Promise<OffsetPage<Webhook>> {
    const webhooks = await this.#webhooks(caller);
    const window = offsetWindow(asked);
    const page = webhooks.slice(window.offset, window.offset + window.limit);
    return offsetPage(page, webhooks.length, window);
  }

  /** Deletes a webhook with its deliveries. @throws ServiceError `not-found` */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.#find(caller, id);
    await this.#store.delete(id);
    await this.#record(caller, 'webhooks.delete', id);
  }

  /** Adds a secret, beside which the former ones sign for a day. @throws ServiceError `not-found` */
  async rotate(caller: Caller, id: string): Promise<WebhookWithSecret> {
    const webhook = await this.#find(caller, id);
    const now = this.#context.clock.now();
    const secret = newSecret();
    const end = timestampOf(Date.parse(now) + overlapMs);
    const former = (webhook.secrets ?? []).map(({ until = end, ...each }) => ({ ...each, until }));
    const secrets = [{ secret }, ...former.filter(({ until }) => until > now)];
    await this.#store.change(id, { secrets }, now);
    await this.#record(caller, 'webhooks.rotate', id);
    return { webhook, secret };
  }

  /** Sends a test event at once and once. @throws ServiceError `not-found` */
  async test(caller: Caller, id: string): Promise<{ readonly delivered: boolean; readonly answer: string }> {
    const webhook = await this.#find(caller, id);
    const time = this.#context.clock.now();
    const event = {
      eventId: randomUUID(),
      type: 'webhook.test',
      subject: `webhook:${id}`,
      time,
      data: { id },
    };
    const { outcome, answer } = await attempt(this.#context, webhook, event);
    return { delivered: outcome === 'taken', answer };
  }

  /** A page by offset, the newest first; by default 100. @throws ServiceError `not-found` */
  async listDeliveries(
    caller: Caller,
    id: string,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<Delivery>> {
    await this.#find(caller, id);
    const window = offsetWindow(asked);
    const total = await this.#store.countDeliveries(id);
    return offsetPage(await this.#store.listDeliveries(id, window), total, window);
  }

  /**
   * Delivers one event again, or all that failed, and makes the webhook active.
   *
   * @returns the number of events
   * @throws ServiceError `not-found`, also for a delivery that is pending
   */
  async redeliver(caller: Caller, id: string, deliveryId: string | undefined): Promise<number> {
    await this.#find(caller, id);
    const now = this.#context.clock.now();
    const count = await this.#store.redeliver(id, deliveryId, now);
    if (count === 0 && deliveryId !== undefined) throw notFound('Delivery');
    await this.#store.change(id, { status: 'active' }, now);
    return count;
  }

  get #outbox(): OutboxOptions {
    const { outbox } = this.#context;
    if (outbox !== undefined) return outbox;
    throw new ServiceError('not-implemented', 'This service publishes no events');
  }

  async #webhooks(caller: Caller): Promise<readonly Receiver[]> {
    const passes = this.#context.rights.filter(caller, 'webhooks.manage');
    void this.#outbox;
    const receivers = await this.#store.receivers();
    return receivers.filter((each) => each.consumer === undefined && passes?.(each) !== false);
  }

  async #find(caller: Caller, id: string): Promise<Receiver> {
    const found = (await this.#webhooks(caller)).find((webhook) => webhook.id === id);
    if (found === undefined) throw notFound('Webhook');
    return found;
  }

  async #record(
    caller: Caller,
    action: `webhooks.${'create' | 'delete' | 'rotate'}`,
    id: string,
  ): Promise<void> {
    await this.#context.writes.record(caller, { action, target: `webhook:${id}` });
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
