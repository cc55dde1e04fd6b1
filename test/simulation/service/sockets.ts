/** Subscribers of new posts over WebSocket: they read, stop reading, leave without a word, and come back for what they have missed. */

import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Fault } from '../calls.js';
import type { Model } from '../model.js';
import { type Subscriber, Subscribers, lastOf, subscriptionTo } from '../neighbours/subscribers.js';
import type { ServiceWorld } from './service-world.js';

interface Message {
  readonly type: string;
  readonly payload?: {
    readonly data?: { readonly postAdded?: { readonly id: string } };
    readonly errors?: unknown;
  };
}

export class SocketSubscribers extends Subscribers {
  readonly #open = new Map<Subscriber, WebSocket>();

  constructor(private readonly service: ServiceWorld) {
    super(service);
  }

  protected override pause(subscriber: Subscriber): void {
    const socket = this.#open.get(subscriber);
    socket?.pause();
    subscriber.goOn = () => {
      socket?.resume();
      subscriber.goOn = undefined;
    };
  }

  protected override async open(subscriber: Subscriber, _: Model, instance: number): Promise<void> {
    const { url } = this.service.instance(instance);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, ['graphql-transport-ws']);
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        this.#open.delete(subscriber);
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
          subscriber.received.push(id);
        // What could not be read of a post is lost with it: the client asks for it again.
        else if (type !== 'pong') socket.terminate();
      });
    });
    socket.once('open', () => socket.send('{"type":"connection_init"}'));
    await Promise.race([acknowledged, closed]);
    if (socket.readyState !== WebSocket.OPEN)
      throw new Fault(`a subscriber over WebSocket was refused: ${String(failure)}`);
    this.#open.set(subscriber, socket);
    const payload = subscriptionTo(subscriber.authorId, lastOf(subscriber));
    socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload }));
    subscriber.leave = async () => {
      socket.terminate();
      await closed;
    };
    // What was sent before is answered in order, so that the subscription has begun.
    socket.send('{"type":"ping"}');
    await Promise.race([once(socket, 'message'), closed]);
  }
}
