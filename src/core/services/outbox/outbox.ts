/**
 * Delivers events to their receivers: at least once, and for each record in the order of its writes. A process claims deliveries for the
 * time of a lease, so if it ends, another process delivers them after that. What fails is tried again after growing delays.
 */
import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Id } from '../../model/id.js';
import { secondsOf, timestampOf, type Timestamp } from '../../model/timestamp.js';
import type { Delivery, OutboxEvent, Receiver } from '../../model/webhook.js';
import { Semaphore, within } from '../../pacing/pacing.js';
import type { OutboxStore } from '../../ports/outbox.js';
import type { ServiceContext } from '../context/service-context.js';
import { delayAfter, firstDelayMs } from './retry-delays.js';
import { countWaiting, deleteReceiver } from './steps.js';

/** Takes an event as the contract describes it. If it throws, or the process ends before it has ended, it gets the event again. */
export type Consume = (event: object) => unknown;

/** Of any attempt. Less than the lease, with the time of a batch: then no receiver gets two events of a record at once. */
const attemptMs = 30_000;
const mostAtOnce = 20;
/** Fewer, so that a slow receiver leaves room for others. */
const mostPerReceiver = 4;
/** The receivers at once whose last attempt failed. If all of them hang, half of the attempts are left for others. */
const mostFailing = 10;
/** The deliveries that are claimed, and settled, together: a write to the database for each would take longer than the requests. */
const mostPerBatch = 100;
/** No attempt of a batch begins later. The last one then ends within the lease. */
const batchMs = 10_000;
const leaseMs = 60_000;
/** The pause between batches of a process that is busy and has been started to deliver beside its requests, which come first. */
const pauseMs = 100;
/** The events of this time are claimed together. */
const gatheringMs = 20;

export class Outbox {
  readonly #context: ServiceContext<'outbox'>;
  readonly #store: OutboxStore;
  readonly #consumers = new Map<string, Consume>();
  /** The deliveries to each receiver that has some, until it has none. */
  readonly #lanes = new Map<Id, Promise<void>>();
  readonly #attempts = new Semaphore(mostAtOnce, Infinity);
  readonly #retries = new Semaphore(mostFailing, Infinity);
  /** Whether the last delivery succeeded, by receiver. A new lane forgets the successes. */
  readonly #took = new Map<Id, boolean>();
  #used = performance.eventLoopUtilization();
  /** Each attempt begins in a turn of the event loop of its own, so that a request waits for one at most. */
  #turn: Promise<void> = Promise.resolve();
  #looking: Promise<void> | undefined;
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
   *
   * @throws an error for an empty name, and for one that has been registered here
   */
  async consume(name: string, consume: Consume): Promise<void> {
    if (name === '') throw new Error('a consumer of events needs a name');
    if (this.#consumers.has(name)) throw new Error(`the consumer ${name} has been registered already`);
    this.#consumers.set(name, consume);
    try {
      await this.#store.create({ consumer: name, url: '' }, this.#context.clock.now());
    } catch (error) {
      this.#consumers.delete(name);
      throw error;
    }
    this.wake();
  }

  /** Deletes what is stored for a consumer, which would otherwise wait for it for ever. */
  async forget(name: string): Promise<void> {
    this.#consumers.delete(name);
    for (const { id, consumer } of await this.#store.receivers())
      if (consumer === name) await deleteReceiver((limit) => this.#store.delete(id, limit));
  }

  /** Delivers, until {@link stop}, what is due or becomes due, which it looks for once a second. */
  start(everyMs = 1_000): void {
    this.#timer = setInterval(() => void this.#look(), everyMs).unref();
  }

  /** Looks for due deliveries soon, because a write has stored an event here. Without {@link start}, it does nothing. */
  wake(): void {
    if (this.#timer === undefined || this.#isGathering) return;
    this.#isGathering = true;
    setTimeout(() => {
      this.#isGathering = false;
      void this.#look();
    }, gatheringMs).unref();
  }

  /** Claims no more, and waits for the attempts that are on their way; what is not sent after the grace is cut off, and tried again later. */
  async stop(graceMs = 2_000): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    const sender = this.#context.outbox?.sender;
    sender?.close(graceMs);
    await this.#looking;
    await Promise.all(this.#lanes.values());
    sender?.close();
  }

  /** Counts the deliveries that wait for active receivers, with the time of their oldest event. */
  readonly waiting = (): ReturnType<typeof countWaiting> => countWaiting(this.#store);

  /** Delivers all that is due, and waits for it. Without {@link start}, it makes no pauses. */
  async deliverDue(): Promise<void> {
    await this.#look();
    await Promise.all(this.#lanes.values());
  }

  /** Begins to deliver to the receivers with something due. Never rejects. A call while it looks makes it look again. */
  #look(): Promise<void> {
    this.#isWanted = true;
    const look = async (): Promise<void> => {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        for (const receiver of await this.#store.receivers(this.#context.clock.now())) {
          const { id, consumer } = receiver;
          const consume = this.#consumers.get(consumer ?? '');
          if (this.#lanes.has(id) || (consumer !== undefined && consume === undefined)) continue;
          const lane = this.#deliverAll(receiver, consume).catch(this.#report);
          this.#lanes.set(
            id,
            lane.finally(() => this.#lanes.delete(id)),
          );
        }
      }
    };
    return (this.#looking ??= look()
      .catch(this.#report)
      .finally(() => (this.#looking = undefined)));
  }

  readonly #report = (error: unknown): void => this.#context.report?.(error);

  /** Delivers to a receiver until nothing is due. */
  async #deliverAll(receiver: Receiver, consume: Consume | undefined): Promise<void> {
    const { clock } = this.#context;
    const isFailing = () => this.#took.get(receiver.id) === false;
    if (!isFailing()) this.#took.delete(receiver.id);
    let current: Receiver | undefined = receiver;
    const deliverBatch = async (): Promise<boolean> => {
      if (this.#isStopped || current === undefined) return false;
      const now = clock.now();
      const batch = await this.#store.claim(receiver.id, now, later(now, leaseMs), mostPerBatch);
      if (batch.length > 0) return await this.#deliver(current, batch, consume);
      // Those that it found wait for others. The next one finds more, while something is due.
      await nextTurn();
      return true;
    };
    while (await (isFailing() ? this.#retries.run(deliverBatch) : deliverBatch())) {
      const used = performance.eventLoopUtilization();
      const isBusy = performance.eventLoopUtilization(used, this.#used).utilization > 0.5;
      if (isBusy && this.#timer !== undefined) await sleep(pauseMs);
      this.#used = used;
      // Its secrets may have changed. If nothing is due, it is not found.
      current = (await this.#store.receivers(clock.now())).find(({ id }) => id === receiver.id);
    }
  }

  /** @returns whether the receiver took all of it */
  async #deliver(receiver: Receiver, batch: readonly Delivery[], consume?: Consume): Promise<boolean> {
    const { clock, outbox } = this.#context;
    const began = performance.now();
    const left = [...batch];
    /** By their answer. */
    const delivered = new Map<string, Id[]>();
    const state = { isFailing: false, isEnded: false };
    /** @returns whether there may be more */
    const deliverNext = async (): Promise<boolean> => {
      await (this.#turn = this.#turn.then(() => nextTurn()));
      // Asked after the wait for an attempt, which may be long.
      if (state.isFailing || this.#isStopped || performance.now() - began > batchMs) return false;
      const event = left.shift();
      if (event === undefined) return false;
      const { outcome, answer } = await attempt(this.#context, receiver, event, consume);
      const isTaken = outcome === 'taken';
      // It was cut off, which is no failure of the receiver.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes during the attempt
      if (!isTaken && this.#isStopped) {
        left.push(event);
        return false;
      }
      outbox?.noted?.(isTaken ? 'delivered' : 'failed', receiver, answer);
      this.#took.set(receiver.id, isTaken);
      if (isTaken) delivered.set(answer, [...(delivered.get(answer) ?? []), event.id]);
      else {
        state.isFailing = true;
        if (await this.#fail(receiver, event, outcome, answer)) state.isEnded = true;
      }
      return isTaken;
    };
    const next = () => this.#attempts.run(deliverNext, receiver.id);
    const work = async (): Promise<void> => {
      while (left.length > 0 && (await next()));
    };
    // The first attempt goes alone, so that a receiver that hangs takes up one.
    if (this.#took.get(receiver.id) === true || (await next()))
      await Promise.all(Array.from({ length: mostPerReceiver }, work));
    const changedAt = clock.now();
    for (const [answer, ids] of delivered)
      await this.#store.settle(ids, { status: 'delivered', changedAt, answer, isAttempt: true });
    // If an event failed, those that were not tried wait for the first delay; otherwise they are due at once.
    const dueAt = state.isFailing ? later(changedAt, firstDelayMs) : changedAt;
    // After the lease, another process may have claimed them.
    if (left.length > 0 && performance.now() - began < leaseMs)
      await this.#store.settle(
        left.map(({ id }) => id),
        { dueAt },
      );
    if (state.isEnded) await this.#store.change(receiver.id, { status: 'disabled' });
    return !state.isFailing;
  }

  /** Stores when a delivery is tried again. @returns whether it is not, because its webhook is to be disabled */
  async #fail(
    receiver: Receiver,
    { id, attempts }: Delivery,
    outcome: string,
    answer: string,
  ): Promise<boolean> {
    const { clock, outbox } = this.#context;
    const changedAt = clock.now();
    const isConsumer = receiver.consumer !== undefined;
    const delayMs = delayAfter(attempts, isConsumer);
    const state = { isAttempt: true, changedAt, answer };
    if (!isConsumer && (outcome === 'gone' || delayMs === Infinity)) {
      await this.#store.settle([id], { ...state, status: 'failed' });
      outbox?.noted?.('disabled', receiver, answer);
      return true;
    }
    // An address that has changed in the meantime is tried at once.
    const waitMs = (await this.#store.find(receiver.id))?.url === receiver.url ? delayMs : 0;
    // A tenth more or less, so that what failed together does not come back together.
    const jitter = 0.9 + 0.2 * (outbox?.random ?? Math.random)();
    await this.#store.settle([id], { ...state, dueAt: later(changedAt, waitMs * jitter) });
    return false;
  }
}

/** The result of an attempt. */
interface Attempt {
  readonly outcome: 'taken' | 'gone' | 'refused';
  /** The receiver's answer as a text: its status, or why none came. */
  readonly answer: string;
}

/** Passes an event to a consumer, or sends it with a signature by each secret in use (Standard Webhooks). Never rejects. */
export async function attempt(
  { outbox, clock, storage }: ServiceContext<'outbox'>,
  { url, secrets = [] }: Receiver,
  event: OutboxEvent<string>,
  consume?: Consume,
): Promise<Attempt> {
  try {
    if (outbox === undefined) throw new Error('the services have no outbox');
    const encoded = outbox.encode(event, storage.ownFields);
    if (consume !== undefined) {
      await within(attemptMs, (async () => await consume(encoded))(), { fault: 'the consumer did not end' });
      return { outcome: 'taken', answer: 'consumed' };
    }
    const body = JSON.stringify(encoded);
    const now = clock.now();
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
    // The sender gives up before that.
    const status = await within(attemptMs, outbox.sender.send(url, headers, body));
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
