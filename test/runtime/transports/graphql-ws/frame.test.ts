/** Frames of every length are read by another implementation as one message of the same text. */
import { expect } from 'chai';
import fc from 'fast-check';
import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { createHash } from 'node:crypto';
import { WebSocket } from 'ws';
import { textFrame } from '../../../../src/runtime/transports/graphql-ws/slow-socket.js';

const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

describe('a text frame', () => {
  let client: WebSocket;
  let stream: Socket;
  const server = createServer((socket) => {
    stream = socket;
    socket.once('data', (head) => {
      const key = /Sec-WebSocket-Key: (\S+)/i.exec(String(head))?.[1] ?? '';
      const accept = createHash('sha1')
        .update(key + ACCEPT_SUFFIX)
        .digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
    });
  });

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    client = new WebSocket(`ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    await once(client, 'open');
  });
  after(() => {
    client.terminate();
    server.close();
  });

  async function read(frame: Buffer): Promise<string> {
    const message = once(client, 'message');
    stream.write(frame);
    const [data, isBinary] = (await message) as [Buffer, boolean];
    expect(isBinary).to.equal(false);
    return String(data);
  }

  for (const length of [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]) {
    it(`of ${String(length)} bytes has the shortest header`, async () => {
      const text = 'x'.repeat(length);
      const frame = textFrame(Buffer.from(text));
      expect(frame.length - length).to.equal(length < 126 ? 2 : length < 65_536 ? 4 : 10);
      expect(await read(frame)).to.equal(text);
    });
  }

  it('is its parts, one after the other', async () => {
    const parts = fc.array(fc.string({ unit: 'grapheme', maxLength: 100 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(parts, async (texts) => {
        const frame = textFrame(...texts.map((text) => Buffer.from(text)));
        expect(await read(frame)).to.equal(texts.join(''));
      }),
    );
  });
});
