/** What happens to subscriptions as time goes by: they are kept open, end with their token, and leave with their client. */
import { expect } from 'chai';
import { RawSocket } from '../../support/raw-socket.js';
import { until } from '../../support/until.js';
import { GraphqlServer, postAdded } from './graphql-server.js';

const keepAliveMs = 40;
/** So long that a busy machine lets the client answer in between. */
const patientKeepAliveMs = 250;

describe('a subscription that stays open', () => {
  let server: GraphqlServer;
  afterEach(() => server.stop());

  it('is pinged over a WebSocket, and stays as long as its client answers', async () => {
    server = await GraphqlServer.start({ keepAliveMs: patientKeepAliveMs });
    const client = await RawSocket.connect(server.url);
    let pings = 0;
    client.socket.on('ping', () => (pings += 1));
    await until('it was pinged three times', () => pings >= 3);
    client.subscribe('1', '{ __typename }');
    expect((await client.hear()).type).to.equal('next');
    await client.close();
  });

  it('is cut off over a WebSocket when its client does not answer pings', async () => {
    server = await GraphqlServer.start({ keepAliveMs });
    const client = await RawSocket.connect(server.url, undefined, { autoPong: false });
    client.subscribe('1', postAdded);
    expect((await client.closed)[0]).to.equal(1006);
    await until('the connection is gone', () => server.sockets.size === 0);
  });

  it('has comments in a stream, one an interval', async () => {
    server = await GraphqlServer.start({ keepAliveMs });
    const start = performance.now();
    const stream = await server.stream();
    await until('there were five comments', () => stream.text.startsWith(`id: 0\n\n${':\n\n'.repeat(4)}`));
    expect(performance.now() - start).to.be.at.least(4 * keepAliveMs - 5);
    stream.response.destroy();
  });

  it('ends with its token, over both, and not before', async () => {
    server = await GraphqlServer.start();
    const authorization = server.tokenFor(4);
    const expiry = Math.floor(Date.now() / 1000) * 1000 + 4000;
    const socket = await RawSocket.connect(server.url, { authorization });
    socket.subscribe('1', postAdded);
    const stream = await server.stream({ authorization });
    const lasting = await RawSocket.connect(server.url, { authorization: server.tokenFor(60 * 24 * 3600) });
    expect(await socket.closed).to.deep.equal([4403, 'Invalid token']);
    expect(Date.now()).to.be.at.least(expiry - 2);
    expect(await stream.ended).to.equal('ended');
    expect(stream.text).to.equal(
      'id: 0\n\nevent: next\ndata: {"errors":[{"message":"Invalid token","extensions":{"code":"UNAUTHENTICATED"}}]}\n\n' +
        'event: complete\ndata: \n\n',
    );
    // Longer than a timer can wait is not at once.
    lasting.subscribe('1', '{ __typename }');
    expect((await lasting.hear()).type).to.equal('next');
    await lasting.close();
  });

  it('ends when its client disconnected before it was established, over both', async () => {
    const gate: { open?: () => void } = {};
    const opened = new Promise<void>((resolve) => (gate.open = resolve));
    let waiting = 0;
    server = await GraphqlServer.start({ beforeSession: () => (++waiting, opened) });
    const stream = server.stream().catch(() => 'gone');
    const socket = await RawSocket.open(server.url);
    socket.say({ type: 'connection_init' });
    socket.subscribe('1', postAdded);
    await until('both are being let in', () => waiting === 2);
    for (const each of server.sockets) each.destroy();
    expect(await stream).to.equal('gone');
    await socket.closed;
    await until('the server knows', () => server.sockets.size === 0);
    gate.open?.();
    // Another, who comes later, stands later: by then those who went would stand too.
    const later = await server.stream();
    const before = server.readings;
    await server.write(1);
    await until('the later one is told', () => later.ids.length === 1);
    expect(server.readings).to.be.greaterThan(before);
    later.response.destroy();
    await until('that one is gone too', () => server.sockets.size === 0);
    const last = server.readings;
    await server.write(3);
    expect(server.readings).to.equal(last);
  });
});
