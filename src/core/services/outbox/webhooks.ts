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
import type { Id } from '../../model/id.js';
import type { OutboxStore } from '../../ports/outbox.js';
import type { Stores } from '../../ports/storage.js';
import type { AuditedAction } from '../writes/audit.js';
import { type Created, createOnce } from '../writes/idempotency.js';
import { inTime } from '../context/patience.js';
import type { OutboxOptions, ServiceContext } from '../context/service-context.js';
import type { Caller } from '../rights/caller.js';
import { attempt } from './outbox.js';
import { countDeliveries, deleteReceiver, hastenAll, redeliverAll, stepSize } from './steps.js';
import { type WebhookQueue, webhookQueue } from './webhook-queue.js';

/** For how long a replaced secret still signs. */
const overlapMs = 24 * 60 * 60 * 1000;
/** How long the check of an address may take. */
const patienceMs = 10_000;

export type WebhookInput = Pick<Webhook, 'url'> & { readonly types: readonly EventType[] | undefined };

/** Undefined fields do not change. */
export interface WebhookChange {
  readonly url: string | undefined;
  readonly status: Webhook['status'] | undefined;
}

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
  async create(caller: Caller, input: WebhookInput): Promise<WebhookWithSecret> {
    const secret = newSecret();
    return { webhook: (await this.#create(caller, input, undefined, secret)).record, secret };
  }

  /**
   * Like {@link create}, at most once per idempotency key.
   *
   * @returns the secret too, unless an earlier request has created the webhook
   * @throws ServiceError also as `Idempotency.run`
   */
  async createOnce(
    caller: Caller,
    input: WebhookInput,
    key: string | undefined,
  ): Promise<Created<Webhook> & { readonly secret: string | undefined }> {
    const secret = newSecret();
    const created = await this.#create(caller, input, key, secret);
    return { ...created, secret: created.isReplay ? undefined : secret };
  }

  async #create(
    caller: Caller,
    { url, types }: WebhookInput,
    key: string | undefined,
    secret: string,
  ): Promise<Created<Webhook>> {
    this.#context.rights.require(caller, 'webhooks.manage', undefined, { url });
    void this.#outbox;
    const { writes, clock } = this.#context;
    const audited = [{ action: 'webhooks.create', detail: hostOf(url) }] as const;
    const write = { caller, operation: 'webhooks.create', audited, creates: 'webhook' } as const;
    const find = (id: string) => this.#store.find(id);
    const input = { url, types };
    return await createOnce<Webhook>(this.#context, write, { key, input }, find, async (keyed) => {
      await this.#check(url);
      const webhook = { consumer: undefined, url, types, secrets: [{ secret }] };
      return await writes.create(write, keyed, ({ outbox }) => outbox.create(webhook, clock.now()));
    });
  }

  /**
   * Changes the address of a webhook, or whether it is active. What waits is delivered to a new address at once; to a webhook that
   * becomes active, with all that failed, as by {@link redeliver}.
   *
   * @throws ServiceError `not-found`, and `invalid-input` for an address to which nothing is sent
   */
  async update(caller: Caller, id: string, { url, status }: WebhookChange): Promise<Webhook> {
    const old = await this.#find(caller, id);
    if (url !== undefined) {
      this.#context.rights.require(caller, 'webhooks.manage', undefined, { url });
      await this.#check(url);
    }
    const webhook = { ...old, url: url ?? old.url, status: status ?? old.status };
    if (webhook.status === 'active' && old.status !== 'active') await this.#makeDue(id);
    const now = this.#context.clock.now();
    let left: Id | undefined;
    await this.#write(caller, 'webhooks.update', webhook, async (outbox) => {
      // Only the given fields: another call may change the others meanwhile.
      if ((url ?? status) !== undefined)
        await outbox.change(id, {
          ...(url !== undefined && { url }),
          ...(status !== undefined && { status }),
        });
      if (webhook.status === 'active' && url !== undefined)
        ({ last: left } = await outbox.hasten(id, undefined, now, stepSize));
    });
    if (left !== undefined) await hastenAll(this.#store, id, now, left);
    return webhook;
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(caller: Caller, asked: OffsetArguments = anyPage): Promise<OffsetPage<Webhook>> {
    const passes = this.#context.rights.filter(caller, 'webhooks.manage');
    void this.#outbox;
    const receivers = await this.#store.receivers();
    const webhooks = receivers.filter((each) => each.consumer === undefined && passes?.(each) !== false);
    const window = offsetWindow(asked);
    const page = webhooks.slice(window.offset, window.offset + window.limit);
    return offsetPage(page, webhooks.length, window);
  }

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<Webhook> {
    return await this.#find(caller, id);
  }

  /** Counts the deliveries that wait for active receivers, and lists the last ones that failed or are to be tried again, the newest first. */
  async queue(caller: Caller): Promise<WebhookQueue> {
    return await webhookQueue(this.#store, (await this.list(caller)).data);
  }

  /** Deletes a webhook with its deliveries. @throws ServiceError `not-found` */
  async delete(caller: Caller, id: string): Promise<void> {
    const webhook = await this.#find(caller, id);
    // The entry is stored with the last step.
    await deleteReceiver((limit) =>
      this.#write(caller, 'webhooks.delete', webhook, (outbox) => outbox.delete(id, limit)),
    );
  }

  /** Adds a secret, beside which the former ones sign for a day. @throws ServiceError `not-found` */
  async rotate(caller: Caller, id: string): Promise<WebhookWithSecret> {
    const webhook = await this.#find(caller, id);
    const now = this.#context.clock.now();
    const secret = newSecret();
    const end = timestampOf(Date.parse(now) + overlapMs);
    const rotated = ({ secrets = [] }: Receiver) => {
      const former = secrets.map(({ until = end, ...each }) => ({ ...each, until }));
      return { secrets: [{ secret }, ...former.filter(({ until }) => until > now)] };
    };
    await this.#write(caller, 'webhooks.rotate', webhook, (outbox) => outbox.change(id, rotated));
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
    const audited = {
      action: 'webhooks.test',
      target: `webhook:${id}`,
      detail: hostOf(webhook.url),
    } as const;
    await this.#context.writes.record(caller, audited);
    return { delivered: outcome === 'taken', answer };
  }

  /** A page by offset, the newest first; by default 100. @throws ServiceError `not-found` */
  async listDeliveries(
    caller: Caller,
    id: string,
    asked: OffsetArguments = anyPage,
    only?: Delivery['status'],
  ): Promise<OffsetPage<Delivery>> {
    const { status } = await this.#find(caller, id);
    const window = offsetWindow(asked);
    const total = await countDeliveries(this.#store, id, only);
    const page = await this.#store.listDeliveries(id, window, only);
    // Deliveries that wait for a disabled webhook are not tried again.
    const isLeft = (each: Delivery) => status === 'disabled' && each.status === 'pending';
    const shown = page.map((each) => (isLeft(each) ? { ...each, status: 'failed' as const } : each));
    return offsetPage(shown, total, window);
  }

  /**
   * Delivers one event again, or all that failed or wait: at once, in their order. A webhook that was disabled becomes active, and gets all.
   *
   * @returns the number of events
   * @throws ServiceError `not-found`
   */
  async redeliver(caller: Caller, id: string, deliveryId: string | undefined): Promise<number> {
    const webhook = await this.#find(caller, id);
    const now = this.#context.clock.now();
    const isOne = deliveryId !== undefined && webhook.status === 'active';
    const redeliverOne = async (outbox: OutboxStore) => {
      if (deliveryId === undefined || (await outbox.redeliver(id, deliveryId, now, 1)) > 0) return;
      if ((await outbox.hastenOne(id, deliveryId, now)) === 'not-found') throw notFound('Delivery');
    };
    if (!isOne) await redeliverOne(this.#store);
    const count = isOne ? 1 : await this.#makeDue(id);
    await this.#write(caller, 'webhooks.redeliver', webhook, async (outbox) => {
      if (isOne) await redeliverOne(outbox);
      else await outbox.change(id, { status: 'active' });
    });
    return count;
  }

  /** Makes due all that is not delivered, before the webhook becomes active, so that what follows waits for it. */
  async #makeDue(id: string): Promise<number> {
    const now = this.#context.clock.now();
    return (await hastenAll(this.#store, id, now)) + (await redeliverAll(this.#store, id, now));
  }

  async #check(url: string): Promise<void> {
    const { sender } = this.#outbox;
    const sentence = 'The address cannot be checked: try again in a moment';
    const refusal = await inTime(sender.refusal(url), sentence, patienceMs);
    if (refusal !== undefined) throw invalidInput('url', refusal);
  }

  get #outbox(): OutboxOptions {
    const { outbox } = this.#context;
    if (outbox !== undefined) return outbox;
    throw new ServiceError('not-implemented', 'This service publishes no events: OUTBOX=on makes it do so');
  }

  async #find(caller: Caller, id: string): Promise<Receiver> {
    const passes = this.#context.rights.filter(caller, 'webhooks.manage');
    void this.#outbox;
    const found = await this.#store.find(id);
    if (found === undefined || found.consumer !== undefined || passes?.(found) === false)
      throw notFound('Webhook');
    return found;
  }

  /**
   * Stores a change with its entry in the audit log, whose detail is the host only, because paths of addresses may hold tokens.
   *
   * @returns `more` if that is the outcome of the work, which then has no entry
   */
  async #write(
    caller: Caller,
    action: AuditedAction['action'],
    { id, url }: Webhook,
    work: (outbox: OutboxStore) => Promise<unknown>,
  ): Promise<'more' | 'done'> {
    const audited = [{ action, target: `webhook:${id}`, detail: hostOf(url) }] as const;
    const write = { caller, operation: action, audited };
    const step = async ({ outbox }: Pick<Stores, 'outbox'>) =>
      (await work(outbox)) === 'more' ? 'changed' : 'done';
    return (await this.#context.writes.store(write, undefined, step)) === 'done' ? 'done' : 'more';
  }
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
