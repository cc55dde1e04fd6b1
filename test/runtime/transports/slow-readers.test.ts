/** Clients that stop reading: they are given up, with a reason, and neither others nor the process suffer. */
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { quickenTimers } from '../../support/quick-timers.js';
import { RawSocket } from '../../support/raw-socket.js';
import { until } from '../../support/until.js';
import { type EventStreamClient, GraphqlServer, postAdded } from './graphql-server.js';

/** More than the buffers of the system take for a connection over loopback. */
const POSTS = 120;
const BYTES = 100_000;

const TOO_SLOW = (words: string): string =>
  `event: next\ndata: {"errors":[{"message":"${words}","extensions":{"code":"LIMIT_EXCEEDED"}}]}\n\nevent: complete\ndata: \n\n`;

describe('a client that reads slowly', () => {
  let server: GraphqlServer;
  afterEach(() => server.stop());

  async function socket(): Promise<RawSocket> {
    const client = await RawSocket.connect(server.url);
    client.subscribe('posts', postAdded);
    client.subscribe('probe', '{ __typename }');
    while ((await client.hear()).type !== 'complete');
    return client;
  }

  async function idsHeard(client: RawSocket, count: number): Promise<readonly string[]> {
    const ids: string[] = [];
    while (ids.length < count) {
      const { payload } = (await client.hear()) as { payload: { data: { postAdded: { id: string } } } };
      ids.push(payload.data.postAdded.id);
    }
    return ids;
  }

  interface Four {
    readonly healthySocket: RawSocket;
    readonly healthyStream: EventStreamClient;
    readonly stalledSocket: RawSocket;
    readonly stalledStream: EventStreamClient;
  }

  /** Subscribes twice over each, and stalls one of each. */
  async function subscribe(): Promise<Four> {
    const four = {
      healthySocket: await socket(),
      healthyStream: await server.stream(),
      stalledSocket: await socket(),
      stalledStream: await server.stream(),
    };
    four.stalledSocket.socket.pause();
    four.stalledStream.response.pause();
    return four;
  }

  /** Writes more than the stalled can have been sent, and sees the others get all of it. */
  async function writeToAll({ healthySocket, healthyStream }: Four): Promise<number> {
    const heard = idsHeard(healthySocket, POSTS);
    let waiting = 0;
    const watch = setInterval(() => (waiting = Math.max(waiting, server.waitingBytes)), 2);
    const ids = await server.write(POSTS, BYTES);
    expect(await heard).to.deep.equal(ids);
    await until('the other stream has all', () => healthyStream.ids.length === POSTS);
    expect(healthyStream.ids).to.deep.equal(ids);
    clearInterval(watch);
    return waiting;
  }

  it('is told 1013 on a WebSocket, and LIMIT_EXCEEDED in a stream, when it takes longer than it may', async () => {
    const patienceMs = 100;
    server = await GraphqlServer.start({ patienceMs, maxWaitingBytes: 200_000 });
    const four = await subscribe();
    const waiting = await writeToAll(four);
    expect(waiting).to.be.within(BYTES, 200_000 + 2 * BYTES);
    await sleep(2 * patienceMs); // timers of this very process: the server's were set before, and are due before
    four.stalledSocket.socket.resume();
    four.stalledStream.response.resume();
    expect(await four.stalledSocket.closed).to.deep.equal([1013, 'The client reads too slowly']);
    expect(await four.stalledStream.ended).to.equal('ended');
    expect(four.stalledStream.text).to.match(
      new RegExp(`${escaped(TOO_SLOW('The client reads too slowly'))}$`),
    );
    expect(four.stalledStream.ids).to.deep.equal(
      four.healthyStream.ids.slice(0, four.stalledStream.ids.length),
    );
    expect(server.reported).to.deep.equal([]);
  });

  const bounds = { 'too many posts': { items: 5 }, 'too many bytes': { bytes: 5 * BYTES } };
  for (const [what, bound] of Object.entries(bounds)) {
    it(`is told the same when ${what} wait for it`, async () => {
      server = await GraphqlServer.start({ patienceMs: 60_000, bounds: { ...bound, patienceMs: 100 } });
      const four = await subscribe();
      // With such patience nothing but the bound gives anybody up: and before, the others cannot get everything.
      await writeToAll(four);
      four.stalledSocket.socket.resume();
      four.stalledStream.response.resume();
      expect(await four.stalledSocket.closed).to.deep.equal([1013, 'The subscriber reads too slowly']);
      expect(await four.stalledStream.ended).to.equal('ended');
      expect(four.stalledStream.text.endsWith(TOO_SLOW('The subscriber reads too slowly'))).to.equal(true);
    });
  }

  it('is disconnected when it does not even read why, and then nothing is read for it any more', async () => {
    server = await GraphqlServer.start({ patienceMs: 100 });
    // The time that a client has for answering a close.
    const undo = quickenTimers(5000, 'runtime/transports/');
    const four = await subscribe();
    await writeToAll(four);
    await four.healthySocket.close();
    four.healthyStream.response.destroy();
    await until('all connections are gone', () => server.sockets.size === 0);
    undo();
    const before = server.readings;
    await server.write(3);
    expect(server.readings).to.equal(before);
    four.stalledSocket.socket.resume();
    four.stalledStream.response.resume();
    expect((await four.stalledSocket.closed)[0]).to.equal(1006);
    expect(await four.stalledStream.ended).to.equal('cut off');
  });

  it('is never a client that reads as fast as it can, even when posts are written fast', async () => {
    server = await GraphqlServer.start({ bounds: { items: 10 } });
    const [first, second] = [await socket(), await server.stream()];
    const heard = idsHeard(first, 1_000);
    const ids = await server.write(1_000, 8_000);
    expect(await heard).to.deep.equal(ids);
    await until('the stream has all', () => second.ids.length === 1_000);
    await first.close();
    second.response.destroy();
  });
});

function escaped(text: string): string {
  return text.replace(/[{}[\]\\.]/g, '\\$&');
}
