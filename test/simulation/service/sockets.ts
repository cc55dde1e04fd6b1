/** Subscribers of new posts over WebSocket: they read, stop reading, leave without a word, and come back for what they have missed. */

import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Fault } from '../calls.js';
import type { Model } from '../model.js';
import { type Subscriber, Subscribers } from '../subscribers.js';

const query = 'subscription ($since: ID) { postAdded(since: $since) { id title content author { id } } }';

interface Message {
  readonly type: string;
  readonly payload?: {
    readonly data?: { readonly postAdded?: { readonly id: string } };
    readonly errors?: unknown;
  };
}

export class SocketSubscribers extends Subscribers {
  readonly #open = new Set<WebSocket>();

  /** @param urlOf - the address of an instance */
  constructor(private readonly urlOf: (instance: number) => string) {
    super({ fetch: () => Promise.reject(new Error('these subscribers have sockets')) });
  }

  /** One that is there stops reading, or all read again. */
  stall(index: number): void {
    [...this.#open][index % Math.max(1, this.#open.size)]?.pause();
  }

  resume(): void {
    for (const socket of this.#open) socket.resume();
  }

  protected override async open(subscriber: Subscriber, _: Model, instance: number): Promise<void> {
    const socket = new WebSocket(`${this.urlOf(instance).replace('http', 'ws')}/graphql`, [
      'graphql-transport-ws',
    ]);
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        this.#open.delete(socket);
        subscriber.leave = undefined;
        resolve();
      });
    });
    let failure: Error | undefined;
    socket.on('error', (error) => (failure = error));
    const acknowledged = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const { type, payload } = JSON.parse((data as Buffer).toString()) as Message;
        const id = payload?.data?.postAdded?.id;
        if (type === 'connection_ack') resolve();
        else if (type === 'ping') socket.send('{"type":"pong"}');
        else if (type === 'next' && id !== undefined && payload?.errors === undefined)
          subscriber.received.push(Number(id));
        // What could not be read of a post is lost with it: the client asks for it again.
        else if (type !== 'pong') socket.terminate();
      });
    });
    socket.once('open', () => socket.send('{"type":"connection_init"}'));
    await Promise.race([acknowledged, closed]);
    if (socket.readyState !== WebSocket.OPEN)
      throw new Fault(`a subscriber over WebSocket was refused: ${String(failure)}`);
    this.#open.add(socket);
    const since = String(subscriber.received.at(-1) ?? subscriber.after);
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query, variables: { since } } }));
    subscriber.leave = async () => {
      socket.terminate();
      await closed;
    };
    // What was sent before is answered in order, so that the subscription has begun.
    socket.send('{"type":"ping"}');
    await Promise.race([once(socket, 'message'), closed]);
  }
}
