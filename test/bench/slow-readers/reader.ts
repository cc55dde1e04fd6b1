/** Subscribers to new posts: some read everything, and some stall. */

import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { WebSocket } from 'ws';

const query = 'subscription { postAdded { id content } }';

/** The posts that a subscriber has received. The store was empty before, so their ids are `1`, `2` and so on. */
export class Tally {
  received = 0;
  bytes = 0;
  /** The problems found. */
  readonly faults: string[] = [];

  /** @param contentBytes - the expected length of each post's content */
  constructor(
    readonly name: string,
    readonly contentBytes: number,
  ) {}

  /** Reads only the id: parsing two million events would slow the readers down. */
  take(event: Buffer): void {
    this.bytes += event.length;
    const number = Number(/"postAdded":\{"id":"(\d+)"/.exec(event.toString('latin1', 0, 200))?.[1]);
    if (Number.isNaN(number)) {
      this.faults.push(`heard ${event.toString('utf8', 0, 200)}`);
      return;
    }
    this.received += 1;
    if (number !== this.received) this.faults.push(`post ${number} came as event ${this.received}`);
    if (event.length < this.contentBytes) this.faults.push(`post ${number} was cut to ${event.length} bytes`);
  }
}

export interface Reader {
  readonly tally: Tally;
  /** How the service ended the subscription, once it has. */
  ending: string | undefined;
  /** Stops reading, like a process that hangs. */
  stall(): void;
  readOn(): void;
  leave(): void;
}

/** Resolves once it is subscribed. */
export async function webSocketReader(url: string, tally: Tally): Promise<Reader> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await once(socket, 'message');
  const reader: Reader = {
    tally,
    ending: undefined,
    stall: () => socket.pause(),
    readOn: () => socket.resume(),
    leave: () => socket.terminate(),
  };
  socket.on('error', () => undefined);
  socket.on('close', (code, reason) => (reader.ending = `${code} ${String(reason)}`.trim()));
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query } }));
  // Operations are served in order: once the second is answered, the first is subscribed.
  socket.send(JSON.stringify({ type: 'subscribe', id: '2', payload: { query: '{ __typename }' } }));
  await new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      if (data.includes('"postAdded"')) tally.take(data);
      else resolve();
    });
  });
  return reader;
}

/** Resolves once it is subscribed. */
export async function eventStreamReader(url: string, tally: Tally): Promise<Reader> {
  const asking = request(`${url}/graphql?query=${encodeURIComponent(query)}`, {
    headers: { Accept: 'text/event-stream' },
    agent: false,
  });
  const [response] = (await once(asking.end(), 'response')) as [IncomingMessage];
  const reader: Reader = {
    tally,
    ending: undefined,
    stall: () => void response.pause(),
    readOn: () => void response.resume(),
    leave: () => response.destroy(),
  };
  asking.on('error', () => undefined);
  response.on('error', () => (reader.ending ??= 'disconnected'));
  response.on('end', () => (reader.ending ??= 'ended'));
  readLines(response, (line) => {
    if (line.includes('{"errors"')) reader.ending = line.toString('utf8', 'data: '.length);
    else if (line.includes('{"data"')) tally.take(line);
  });
  return reader;
}

/** Every event has its data on one line. */
function readLines(response: IncomingMessage, take: (line: Buffer) => void): void {
  let pieces: Buffer[] = [];
  response.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      pieces.push(chunk.subarray(start, end));
      take(Buffer.concat(pieces));
      pieces = [];
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
}
