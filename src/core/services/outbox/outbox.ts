/**
 * Delivers events to their receivers: at least once, and for each record in the order of its writes. A process claims deliveries for the
 * time of a lease, so if it ends, another process delivers them after that. What fails is tried again after growing delays.
 */
import { createHmac } from 'node:crypto';
import type { Id } from '../../model/id.js';
import { secondsOf, timestampOf, type Timestamp } from '../../model/timestamp.js';
import type { Delivery, OutboxEvent, Receiver } from '../../model/webhook.js';
import type { OutboxStore } from '../../ports/outbox.js';
import type { OutboxOptions, ServiceContext } from '../context/service-context.js';

/** Takes an event as the contract describes it. If it throws, or the process ends before it has ended, it gets the event again. */
export type Consume = (event: object) => unknown;

const minuteMs = 60_000;
const hoursMs = [2, 5, 10, 14, 18, 22].map((hours) => hours * 60 * minuteMs);
/** The delays before the next attempts, three days in all. After them, a webhook is disabled. */
const delaysMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs, ...hoursMs];
/** A consumer is the team's own code, and is tried until it works. */
const longestConsumerDelayMs = minuteMs;
/** Longer than an attempt may take. */
const leaseMs = minuteMs;
const mostAtOnce = 20;
/** Fewer, so that a slow receiver leaves room for others. */
const mostPerReceiver = 4;
/** The events of this time are claimed together. */
const gatheringMs = 20;

export class Outbox {
  readonly #context: ServiceContext<'outbox'>;
  readonly #store: OutboxStore;
  readonly #consumers = new Map<string, Consume>();
  /** The deliveries of this process that are on their way, with their receivers. */
  readonly #running = new Map<Promise<void>, Id>();
  #rounds: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #isGathering = false;

  constructor(context: ServiceContext<'outbox'>) {
    this.#context = context;
    this.#store = context.storage.outbox;
  }

  /**
   * Registers code of the application that gets the events of all writes from now on. What it has got is stored under its name, so that it
   * continues after a restart, and processes share the events.
   */
  async consume(name: string, consume: Consume): Promise<void> {
    this.#consumers.set(name, consume);
    await this.#store.create({ consumer: name, url: '' }, this.#context.clock.now());
    this.wake();
  }

  /** Delivers, until {@link stop}, what is due or becomes due, which it looks for once a second. */
  start(everyMs = 1_000): void {
    this.#timer = setInterval(() => void this.#next(), everyMs).unref();
  }

  /** Looks for due deliveries soon, because a write has stored an event here. Without {@link start}, it does nothing. */
  wake(): void {
    if (this.#timer === undefined || this.#isGathering) return;
    this.#isGathering = true;
    setTimeout(() => {
      this.#isGathering = false;
      void this.#next();
    }, gatheringMs).unref();
  }

  /** Claims no more, and waits for the attempts that are on their way; what is not sent after the grace is cut off, and tried again later. */
  async stop(graceMs = 2_000): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#rounds;
    const cutOff = setTimeout(() => this.#context.outbox?.sender.close(), graceMs);
    await Promise.all(this.#running.keys());
    clearTimeout(cutOff);
    this.#context.outbox?.sender.close();
  }

  /** Delivers all that is due, and waits for it. */
  async deliverDue(): Promise<void> {
    do {
      await this.#next();
      await Promise.all(this.#running.keys());
    } while (this.#rounds !== undefined || this.#running.size > 0);
  }

  /** Never rejects. A call during a round is followed by another round. */
  #next(): Promise<void> {
    this.#isWanted = true;
    const run = async (): Promise<void> => {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        await this.#claim().catch(this.#report);
      }
    };
    return (this.#rounds ??= run().finally(() => (this.#rounds = undefined)));
  }

  readonly #report = (error: unknown): void => this.#context.report?.(error);

  async #claim(): Promise<void> {
    const now = this.#context.clock.now();
    const due = (await this.#store.receivers(now)).map((receiver) => {
      const own = [...this.#running.values()].filter((id) => id === receiver.id).length;
      const consume = this.#consumers.get(receiver.consumer ?? '');
      return { receiver, own, consume };
    });
    // Those first that have the least, so that none waits for ever.
    for (const { receiver, own, consume } of due.sort((a, b) => a.own - b.own)) {
      const room = Math.min(mostAtOnce - this.#running.size, mostPerReceiver - own);
      if (room <= 0 || (receiver.consumer !== undefined && consume === undefined)) continue;
      for (const claimed of await this.#store.claim(receiver.id, now, later(now, leaseMs), room)) {
        const delivery = this.#deliver(receiver, claimed, consume)
          .catch(this.#report)
          .finally(() => {
            this.#running.delete(delivery);
            void this.#next();
          });
        this.#running.set(delivery, receiver.id);
      }
    }
  }

  async #deliver(receiver: Receiver, event: Delivery, consume: Consume | undefined): Promise<void> {
    const { clock, outbox } = this.#context;
    if (outbox === undefined) return;
    const { outcome, answer } = await attempt(outbox, receiver, event, clock.now(), consume);
    const changedAt = clock.now();
    const settle = (fields: Pick<Delivery, 'status' | 'attempts'>, dueAt = changedAt) =>
      this.#store.settle(event.id, { ...fields, changedAt, dueAt, answer });
    outbox.noted?.(outcome === 'taken' ? 'delivered' : 'failed', receiver, answer);
    if (outcome === 'taken') {
      await settle({ status: 'delivered', attempts: event.attempts });
      return;
    }
    const attempts = event.attempts + 1;
    const delayMs = delaysMs[event.attempts] ?? Infinity;
    if (consume === undefined && (outcome === 'gone' || delayMs === Infinity)) {
      await settle({ status: 'failed', attempts });
      await this.#store.change(receiver.id, { status: 'disabled' }, changedAt);
      outbox.noted?.('disabled', receiver, answer);
      return;
    }
    const waitMs = consume === undefined ? delayMs : Math.min(delayMs, longestConsumerDelayMs);
    // A tenth more or less, so that what failed together does not come back together.
    const jitter = 0.9 + 0.2 * (outbox.random ?? Math.random)();
    await settle({ status: 'pending', attempts }, later(changedAt, waitMs * jitter));
  }
}

/** What came of an attempt. */
interface Attempt {
  readonly outcome: 'taken' | 'gone' | 'refused';
  /** What the receiver answered, in words. */
  readonly answer: string;
}

/** Passes an event to a consumer, or sends it with a signature by each secret in use (Standard Webhooks). Never rejects. */
export async function attempt(
  { sender, encode }: OutboxOptions,
  { url, secrets = [] }: Receiver,
  event: OutboxEvent<string>,
  now: Timestamp,
  consume?: Consume,
): Promise<Attempt> {
  try {
    const encoded = encode(event);
    if (consume !== undefined) {
      await consume(encoded);
      return { outcome: 'taken', answer: 'consumed' };
    }
    const body = JSON.stringify(encoded);
    const timestamp = String(secondsOf(now));
    const signed = `${event.eventId}.${timestamp}.${body}`;
    const signatures = secrets.flatMap(({ secret, until = now }) => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      return until < now ? [] : [`v1,${createHmac('sha256', key).update(signed).digest('base64')}`];
    });
    const headers = {
      'Content-Type': 'application/cloudevents+json',
      'webhook-id': event.eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    };
    const status = await sender.send(url, headers, body);
    const outcome = status >= 200 && status < 300 ? 'taken' : status === 410 ? 'gone' : 'refused';
    return { outcome, answer: `status ${String(status)}` };
  } catch (error) {
    return {
      outcome: 'refused',
      answer: (error instanceof Error ? error.message : String(error)).slice(0, 500),
    };
  }
}

function later(time: Timestamp, ms: number): Timestamp {
  return timestampOf(Date.parse(time) + ms);
}
