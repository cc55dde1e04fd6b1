/** Events over a broker: one connection per process, with reconnection. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServerAddress, ServiceError, withAddress } from '../model/error.js';
import type { Id } from '../model/id.js';
import { timestampOf, type Timestamp } from '../model/timestamp.js';
import type { EventListener, Events, EventsObserver } from '../ports/events.js';
import { within } from '../pacing/pacing.js';

/** An established connection, until it is lost. Its methods reject with the error of the broker or the network. */
export interface BrokerConnection {
  /** The address of the broker, which errors name. */
  readonly server?: ServerAddress;
  /** Resolves when the broker has accepted the subscription. */
  listen(topic: string): Promise<void>;
  /** Resolves when the broker has accepted the event. It never retries by itself. */
  publish(topic: string, id: Id): Promise<void>;
  /** Reports the connection as lost if its server no longer passes events on to those that others are connected to. */
  check?(): Promise<void>;
  close(): Promise<void>;
}

/** The callbacks of a connection. */
export interface ConnectionHandlers {
  readonly received: (topic: string, id: Id) => void;
  /** May be called more than once, and after `close`. */
  readonly lost: (cause: unknown) => void;
}

/** Opens one connection, and does not retry. */
type ConnectToBroker = (handlers: ConnectionHandlers) => Promise<BrokerConnection>;

const shortestMs = 100;
const longestMs = 5_000;

/**
 * Doubles the pause each time, up to a bound, and shortens it randomly, so that the processes of a deployment do not all
 * reconnect at once.
 *
 * @param attempt from 0
 * @returns milliseconds
 */
function pauseBefore(attempt: number): number {
  return Math.min(longestMs, shortestMs * 2 ** attempt) * (0.5 + Math.random() / 2);
}

export interface BrokerEventsOptions {
  /** Called when the connection is lost and restored. */
  readonly observer?: EventsObserver | undefined;
}

interface ConnectionOptions extends BrokerEventsOptions {
  /** The address of the broker, which errors name. */
  readonly server?: ServerAddress;
  /** The maximum time for any answer of the broker, in milliseconds; 5 seconds unless given. */
  readonly patienceMs?: number;
}

/** The time between the pings, which show that a silent connection still works. */
const heartbeatMs = 15_000;

/** The maximum time for the answer to a ping: a probe that waits longer has given up. */
const pingPatienceMs = 1_000;

/** The entry points of the brokers give it the types of their topics. */
export class BrokerEvents implements Events<string> {
  readonly #connect: ConnectToBroker;
  readonly #observer: EventsObserver | undefined;
  #server: ServerAddress | undefined;
  readonly #patienceMs: number;
  /** Only this process publishes and receives events of this topic: the pings. */
  readonly #pings = `concordat_ping_${randomUUID()}`;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #listeners = new TopicListeners();
  /** By topic: resolves when the broker has accepted the subscription. */
  readonly #topics = new Map<string, Promise<void>>();
  /** By topic: the last event that the broker did not accept, which is published again when the connection is restored. */
  readonly #unpublished = new Map<string, Id>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  #connection: BrokerConnection | undefined;
  /** Why there is no connection. */
  #fault: unknown;
  /** When the connection was last known to work: events published until then have been received. */
  #aliveMs = Date.now();
  #closed: Promise<void> | undefined;

  private constructor(connect: ConnectToBroker, { observer, server, patienceMs = 5_000 }: ConnectionOptions) {
    this.#connect = connect;
    this.#observer = observer;
    this.#server = server;
    this.#patienceMs = patienceMs;
    this.#heartbeat = setInterval(() => void this.ping().catch(() => undefined), heartbeatMs);
    this.#heartbeat.unref();
  }

  /** @throws ServiceError `unavailable` when the broker does not answer: only an established connection is restored */
  static async open(connect: ConnectToBroker, options: ConnectionOptions): Promise<BrokerEvents> {
    const events = new BrokerEvents(connect, options);
    try {
      await events.#open();
    } catch (error) {
      clearInterval(events.#heartbeat);
      throw events.#unavailable(error);
    }
    return events;
  }

  async publish(topic: string, id: Id): Promise<void> {
    try {
      await this.#ask((connection) => connection.publish(topic, id));
      this.#unpublished.delete(topic);
    } catch (error) {
      this.#unpublished.set(topic, id);
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
    this.#connected();
    return this.#listeners.add(topic, listener);
  }

  /** Publishes an event and receives it. A broker that only answers may deliver nothing, as behind a transaction pooler. */
  async ping(): Promise<void> {
    const id = randomUUID();
    let stop = (): void => undefined;
    const received = new Promise<void>((resolve) => {
      const listener = { received: (each: Id) => each === id && resolve(), interrupted: () => undefined };
      stop = this.#listeners.add(this.#pings, listener);
    });
    const answer = this.#ask(async (connection) => {
      await connection.check?.();
      await connection.publish(this.#pings, id);
      await received;
    }).finally(stop);
    try {
      // The connection itself is given more time: it is lost only if this is in vain.
      await within(pingPatienceMs, answer);
    } catch (error) {
      throw this.#unavailable(error);
    }
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
    const connection = this.#connected();
    const onLate = (): void => this.#lose(connection, new Error('no answer in time'));
    const answer = within(this.#patienceMs, work(connection), { onLate });
    this.#underWay.add(answer);
    try {
      await answer;
    } catch (error) {
      throw this.#unavailable(error);
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /** @throws ServiceError `unavailable` when there is no connection */
  #connected(): BrokerConnection {
    if (this.#closed !== undefined) throw this.#unavailable(new Error('the events are closed'));
    if (this.#connection === undefined) throw this.#unavailable(this.#fault);
    return this.#connection;
  }

  #unavailable(cause: unknown): ServiceError {
    if (cause instanceof ServiceError) return cause;
    const detail = cause instanceof Error ? cause.message : String(cause);
    return new ServiceError('unavailable', 'The events do not answer: try again later', {
      detail,
      cause: withAddress(cause, this.#server),
    });
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
      for (const topic of [this.#pings, ...this.#topics.keys()])
        await within(this.#patienceMs, connection.listen(topic));
      if (made.lost !== undefined) throw new Error('the connection was lost at once', { cause: made.lost });
    } catch (error) {
      void connection.close().catch(() => undefined);
      throw error;
    }
    this.#server = connection.server ?? this.#server;
    this.#connection = made.connection = connection;
    this.#aliveMs = Date.now();
  }

  #lose(connection: BrokerConnection, cause: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#fault = cause;
    void connection.close().catch(() => undefined);
    if (this.#closed !== undefined) return;
    this.#observer?.lost(withAddress(cause, this.#server));
    void this.#reopen(timestampOf(this.#aliveMs));
  }

  async #reopen(since: string): Promise<void> {
    for (let attempt = 0; this.#connection === undefined; attempt++) {
      try {
        await sleep(pauseBefore(attempt), undefined, { ref: false, signal: this.#ending.signal });
      } catch {
        return; // closed in the meantime
      }
      await this.#open().catch((error: unknown) => (this.#fault = error));
    }
    if (this.#closed !== undefined) {
      await this.#close();
      return;
    }
    this.#observer?.restored(since);
    this.#listeners.interrupted(since);
    for (const [topic, id] of [...this.#unpublished]) await this.publish(topic, id).catch(() => undefined);
  }
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
    for (const { listener } of this.#listenersOf(topic)) listener.received(id);
  }

  interrupted(since: Timestamp): void {
    for (const topic of this.#byTopic.keys()) {
      for (const { listener } of this.#listenersOf(topic)) listener.interrupted(since);
    }
  }

  clear(): void {
    this.#byTopic.clear();
  }

  /** A copy, because listeners may be added or removed while others are called. */
  #listenersOf(topic: string): readonly { readonly listener: EventListener }[] {
    return [...(this.#byTopic.get(topic) ?? [])];
  }
}
