/** What an adapter of a broker supplies: connections. Everything else is the same for all brokers. */
import type { Id } from '../../model/id.js';
import type { Topic } from '../../ports/events.js';

/** A connection from when it stands until it is lost. Its methods reject with whatever the broker or the network said. */
export interface BrokerConnection {
  /** Resolves when the broker has the subscription. */
  listen(topic: Topic): Promise<void>;
  /** Resolves when the broker has the event. Never sends it a second time by itself. */
  publish(topic: Topic, id: Id): Promise<void>;
  /** Resolves when the broker has answered, on every connection that this one is made of. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Whom a connection tells. */
export interface ConnectionHandlers {
  readonly received: (topic: string, id: Id) => void;
  /** May be called more than once, and after `close`. */
  readonly lost: (cause: unknown) => void;
}

/** Makes one connection, and does not try again. */
export type ConnectToBroker = (handlers: ConnectionHandlers) => Promise<BrokerConnection>;
