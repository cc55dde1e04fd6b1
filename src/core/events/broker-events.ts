/** Events over a broker: one connection per process, with reconnection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../model/error.js';
import type { Id } from '../model/id.js';
import { timestampOf, type Timestamp } from '../model/timestamp.js';
import type { EventListener, Events, EventsObserver } from '../ports/events.js';

/** An established connection, until it is lost. Its methods reject with the error of the broker or the network. */
export interface BrokerConnection {
  /** Resolves when the broker has accepted the subscription. */
  listen(topic: string): Promise<void>;
  /** Resolves when the broker has accepted the event. It never retries by itself. */
  publish(topic: string, id: Id): Promise<void>;
  /** Resolves when the broker has answered on every underlying connection. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The callbacks of a connection. */
export interface ConnectionHandlers {
  readonly received: (topic: string, id: Id) => void;
  /** May be called more than once, and after `close`. */
  readonly lost: (cause: unknown) => void;
}

/** Opens one connection, and does not retry. */
export type ConnectToBroker = (handlers: ConnectionHandlers) => Promise<BrokerConnection>;

const shortestMs = 100;
const longestMs = 5_000;

/**
 * Doubles the pause each time, up to a bound, and shortens it randomly, so that the processes of a deployment do not all
 * reconnect at once.
 *
 * @param attempt from 0
 * @param chance from 0 to 1
 * @returns milliseconds
 */
export function pauseBefore(attempt: number, chance = Math.random()): number {
  return Math.min(longestMs, shortestMs * 2 ** attempt) * (0.5 + chance / 2);
}

export interface BrokerEventsOptions {
  /** Called when the connection is lost and restored. */
  readonly observer?: EventsObserver | undefined;
  /** The time between pings of a silent connection, in milliseconds; 15 seconds unless given. */
  readonly heartbeatMs?: number | undefined;
}

/** The maximum time for any answer of the broker. */
const patienceMs = 5_000;

/** The entry points of the brokers give it the types of their topics. */
export class BrokerEvents implements Events<string> {
  readonly #connect: ConnectToBroker;
  readonly #observer: EventsObserver | undefined;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #listeners = new TopicListeners();
  /** Per topic, resolves when the broker has accepted the subscription. */
  readonly #topics = new Map<string, Promise<void>>();
  /** Per topic, the last event that the broker did not accept. */
  readonly #owed = new Map<string, Id>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  #connection: BrokerConnection | undefined;
  /** When the connection was last known to work: events published until then have been received. */
  #aliveMs = Date.now();
  #closed: Promise<void> | undefined;

  private constructor(connect: ConnectToBroker, { observer, heartbeatMs = 15_000 }: BrokerEventsOptions) {
    this.#connect = connect;
    this.#observer = observer;
    this.#heartbeat = setInterval(() => void this.ping().catch(() => undefined), heartbeatMs);
    this.#heartbeat.unref();
  }

  /** @throws ServiceError `unavailable` when the broker does not answer: only an established connection is restored */
  static async open(connect: ConnectToBroker, options: BrokerEventsOptions): Promise<BrokerEvents> {
    const events = new BrokerEvents(connect, options);
    try {
      await events.#open();
    } catch (error) {
      clearInterval(events.#heartbeat);
      throw unavailable(error);
    }
    return events;
  }

  async publish(topic: string, id: Id): Promise<void> {
    try {
      await this.#ask((connection) => connection.publish(topic, id));
      this.#owed.delete(topic);
    } catch (error) {
      this.#owed.set(topic, id);
      throw error;
    }
  }

  async subscribe(topic: string, listener: EventListener): Promise<() => void> {
    const known = this.#topics.get(topic) ?? this.#ask((connection) => connection.listen(topic));
    this.#topics.set(topic, known);
    try {
      await known;
    } catch (error) {
      if (this.#topics.get(topic) === known) this.#topics.delete(topic);
      throw error;
    }
    this.#standing();
    return this.#listeners.add(topic, listener);
  }

  async ping(): Promise<void> {
    await this.#ask((connection) => connection.ping());
    this.#aliveMs = Date.now();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#ending.abort();
    await Promise.allSettled(this.#underWay);
    const connection = this.#connection;
    this.#connection = undefined;
    this.#listeners.clear();
    await connection?.close();
  }

  /** Runs work on the connection. A connection that does not answer in time counts as lost. */
  async #ask(work: (connection: BrokerConnection) => Promise<void>): Promise<void> {
    const connection = this.#standing();
    const onLate = (): void => this.#lose(connection, 'no answer in time');
    const answer = within(patienceMs, work(connection), { onLate });
    this.#underWay.add(answer);
    try {
      await answer;
    } catch (error) {
      throw unavailable(error);
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /** @throws ServiceError `unavailable` when there is no connection */
  #standing(): BrokerConnection {
    if (this.#closed !== undefined) throw unavailable('the events are closed');
    if (this.#connection === undefined) throw unavailable('the connection is lost');
    return this.#connection;
  }

  async #open(): Promise<void> {
    // The connection may be lost before it is established; the handlers then record the cause here.
    const made: { connection?: BrokerConnection; lost?: unknown } = {};
    const connection = await this.#connect({
      received: (topic, id) => {
        this.#aliveMs = Date.now();
        this.#listeners.received(topic, id);
      },
      lost: (cause) => {
        made.lost ??= cause;
        if (made.connection !== undefined) this.#lose(made.connection, cause);
      },
    });
    try {
      for (const topic of this.#topics.keys()) await within(patienceMs, connection.listen(topic));
      if (made.lost !== undefined) throw new Error('the connection was lost at once', { cause: made.lost });
    } catch (error) {
      void connection.close().catch(() => undefined);
      throw error;
    }
    this.#connection = made.connection = connection;
    this.#aliveMs = Date.now();
  }

  #lose(connection: BrokerConnection, cause: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    void connection.close().catch(() => undefined);
    if (this.#closed !== undefined) return;
    this.#observer?.lost(cause);
    void this.#reopen(timestampOf(this.#aliveMs));
  }

  async #reopen(since: string): Promise<void> {
    for (let attempt = 0; this.#connection === undefined; attempt++) {
      try {
        await sleep(pauseBefore(attempt), undefined, { ref: false, signal: this.#ending.signal });
      } catch {
        return; // closed in the meantime
      }
      await this.#open().catch(() => undefined);
    }
    if (this.#closed !== undefined) {
      await this.#close();
      return;
    }
    this.#observer?.restored(since);
    this.#listeners.interrupted(since);
    for (const [topic, id] of [...this.#owed]) await this.publish(topic, id).catch(() => undefined);
  }
}

function unavailable(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new ServiceError('unavailable', 'The events do not answer: try again later', { detail, cause });
}

export class TopicListeners {
  readonly #byTopic = new Map<string, Set<{ readonly listener: EventListener }>>();

  /** The same listener may be added more than once. @returns a function that removes this addition */
  add(topic: string, listener: EventListener): () => void {
    const subscription = { listener };
    const subscriptions = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, subscriptions.add(subscription));
    return () => subscriptions.delete(subscription);
  }

  /** @param topic the broker's name of the topic; a topic without listeners is ignored */
  received(topic: string, id: Id): void {
    for (const { listener } of this.#of(topic)) listener.received(id);
  }

  interrupted(since: Timestamp): void {
    for (const topic of this.#byTopic.keys()) {
      for (const { listener } of this.#of(topic)) listener.interrupted(since);
    }
  }

  clear(): void {
    this.#byTopic.clear();
  }

  /** A copy, because listeners may be added or removed while others are called. */
  #of(topic: string): readonly { readonly listener: EventListener }[] {
    return [...(this.#byTopic.get(topic) ?? [])];
  }
}

export interface Lateness {
  /** The fault that the error of a timeout names; `no answer` unless given. */
  readonly fault?: string;
  /** Called at the timeout. */
  readonly onLate?: () => void;
}

/**
 * @returns the value of `answer`, if it resolves in time
 * @throws the error of `answer`, or an error at the timeout
 */
export function within<T>(
  ms: number,
  answer: Promise<T>,
  { fault = 'no answer', onLate }: Lateness = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`${fault} within ${String(ms)} ms`));
      onLate?.();
    }, ms);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
