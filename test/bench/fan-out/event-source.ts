/** A subscriber over server-sent events that counts events without reading them, like `EventSocket`. */

import { connect } from 'node:net';

const START = 'event: next';

export class EventSource {
  /** The end of what has come, which may be the beginning of an event's first line. */
  #rest = '';
  #isSubscribed = false;

  private constructor(private readonly take: (message: Buffer | undefined) => void) {}

  /** @param take - called with every event; the message only of the first one. Resolves once it is subscribed */
  static async subscribe(
    url: string,
    query: string,
    take: (message: Buffer | undefined) => void,
    token?: string,
  ): Promise<EventSource> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', (error) => {
      throw error;
    });
    const subscriber = new EventSource(take);
    const credential = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
    socket.write(
      `GET /graphql?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
        `Accept: text/event-stream\r\n${credential}\r\n`,
    );
    // The piece before the first event comes once the subscription is there.
    await new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        subscriber.#read(data);
        if (subscriber.#isSubscribed) resolve();
      });
    });
    return subscriber;
  }

  #read(data: Buffer): void {
    const text = this.#rest + data.toString('latin1');
    if (!this.#isSubscribed) {
      const end = text.indexOf('\r\n\r\n');
      if (end === -1 || !/\n\n/.test(text.slice(end + 4))) {
        this.#rest = text;
        return;
      }
      if (!text.startsWith('HTTP/1.1 200')) throw new Error(`no event stream: ${text}`);
      this.#isSubscribed = true;
    }
    let at = 0;
    for (let found = text.indexOf(START); found !== -1; found = text.indexOf(START, at)) {
      at = found + START.length;
      this.take(undefined);
    }
    if (text.includes('event: complete')) throw new Error(`the stream has ended: ${text}`);
    this.#rest = text.slice(Math.max(at, text.length - START.length + 1));
  }
}
