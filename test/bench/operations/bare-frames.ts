/** A server that writes one prepared WebSocket frame to all of its sockets at each POST: the least that a delivery can cost. */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A text frame (RFC 6455 §5.2) of less than 64 KiB. */
function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), payload]);
}

const frame = textFrame(Buffer.from(process.argv[2] ?? ''));
const sockets = new Set<Duplex>();

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const isAuthor = sockets.size === 0;
    response.setHeader('Content-Type', 'application/json');
    response.end('{"data":{"createUser":{"id":"1"},"createPost":{"id":"1"}}}');
    if (!isAuthor) for (const socket of sockets) socket.write(frame);
  });
});
server.on('upgrade', (request, socket) => {
  const key = `${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  for (const message of [{ type: 'connection_ack' }, { type: 'complete', id: 'probe' }]) {
    socket.write(textFrame(Buffer.from(JSON.stringify(message))));
  }
  socket.resume();
  socket.on('error', () => socket.destroy());
  socket.once('close', () => sockets.delete(socket));
  sockets.add(socket);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});
