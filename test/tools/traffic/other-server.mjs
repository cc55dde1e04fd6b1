/** A server that knows nothing of its contract, in a process of its own. It prints its port. */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const json = { 'content-type': 'application/json' };
const answers = {
  '/things/1': [200, json, '{"id":1,"name":"Lamp"}'],
  '/things/2': [200, json, '{"id":"hunter-2-3f9a8b7c6d5e4f3a2b1c","name":"Lamp"}'],
  '/things/3': [200, { ...json, 'content-encoding': 'gzip' }, gzipSync('{"id":3,"name":5}')],
  '/things/4': [404, json, '{}'],
};

const server = createServer((request, response) => {
  const { method, url, rawHeaders } = request;
  const path = url.replace(/\?.*/, '');
  if (path in answers && method === 'GET') {
    const [status, headers, body] = answers[path];
    response.writeHead(status, headers).end(body);
    return;
  }
  if (path === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    request.once('close', () => process.stdout.write('closed\n'));
    // The second event is sent when the client has asked for it elsewhere.
    server.once('next', () => response.write('data: 2\n\n'));
    return;
  }
  if (path === '/next') server.emit('next');
  const hash = createHash('sha256');
  let size = 0;
  request.on('data', (piece) => {
    hash.update(piece);
    size += piece.length;
  });
  request.on('end', () => {
    process.stdout.write(`${method} ${url}\n`);
    response.writeHead(method === 'POST' ? 201 : 200, {
      ...json,
      'set-cookie': ['a=1', 'b=2'],
      ...(method !== 'HEAD' && { trailer: 'x-end' }),
    });
    const { trailers } = request;
    response.write(
      JSON.stringify({
        id: 7,
        name: 'seen',
        method,
        url,
        rawHeaders,
        trailers,
        size,
        hash: hash.digest('hex'),
      }),
    );
    if (method !== 'HEAD') response.addTrailers({ 'x-end': 'yes' });
    response.end();
  });
});
server.on('upgrade', (request, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  socket.pipe(socket);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${String(server.address().port)}\n`));
