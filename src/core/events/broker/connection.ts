/** The connection to a broker, which each adapter implements. Everything else is the same for all brokers. */
import type { Id } from '../../model/id.js';
import type { Topic } from '../../ports/events.js';

/** An established connection, until it is lost. Its methods reject with the error of the broker or the network. */
export interface BrokerConnection {
  /** Resolves when the broker has the subscription. */
  listen(topic: Topic): Promise<void>;
  /** Resolves when the broker has the event. It never retries by itself. */
  publish(topic: Topic, id: Id): Promise<void>;
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
