/** Tests that a server behind the proxy sees the requests that were checked, and no other, whatever the framing (`FRAMINGS=10000` tries more). */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createRawServer } from 'node:net';
import { expect } from 'chai';
import { type Seen, differences, randomFramings, sendFramings } from './framings.js';

/** Reads requests as strictly as RFC 9112 can be read. @throws an Error for bytes that another reader may read differently */
function strictRequests(bytes: string): readonly Seen[] {
  const found: Seen[] = [];
  let rest = bytes;
  const take = (form: RegExp): RegExpExecArray => {
    const match = form.exec(rest);
    if (match === null) throw new Error(`not strict: ${JSON.stringify(rest.slice(0, 200))}`);
    rest = rest.slice(match[0].length);
    return match;
  };
  while (rest !== '') {
    const [, method = '', target = ''] = take(/^([A-Z]+) ([/*][^\s#]*) HTTP\/1\.1\r\n/);
    const headers = new Map<string, string[]>();
    for (;;) {
      const [line, name = '', value = ''] = take(/^(?:([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*))?\r\n/);
      if (line === '\r\n') break;
      headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value.trim()]);
    }
    const [length, ...lengths] = headers.get('content-length') ?? [];
    const codings = headers.get('transfer-encoding');
    expect([lengths, headers.get('host')?.length]).to.deep.equal([[], 1]);
    expect(headers.get('upgrade')).to.equal(undefined);
    let body = '';
    if (codings !== undefined) {
      expect([codings, length]).to.deep.equal([['chunked'], undefined]);
      for (;;) {
        const size = Number.parseInt(take(/^([0-9a-f]+)\r\n/)[1] ?? '', 16);
        if (size === 0) break;
        body += rest.slice(0, size);
        rest = rest.slice(size);
        take(/^\r\n/);
      }
      while (take(/^(?:[\w-]+:[^\r\n\0]*)?\r\n/)[0] !== '\r\n');
    } else if (length !== undefined) {
      expect(length).to.match(/^\d+$/);
      body = rest.slice(0, Number(length));
      rest = rest.slice(Number(length));
    }
    found.push({ method, target, body });
  }
  return found;
}

describe('proxy: framings', function () {
  this.timeout(600_000);

  it('lets a server see the requests that were checked, and no other', async () => {
    const seen: Seen[] = [];
    const connections: string[] = [];
    const server = createServer((request, response) => {
      const { method = '', url: target = '' } = request;
      let body = '';
      request.setEncoding('latin1').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        seen.push({ method, target, body });
        response.end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const raw = createRawServer((socket) => {
      const index = connections.push('') - 1;
      socket.on(
        'data',
        (piece) => (connections[index] = `${connections[index] ?? ''}${piece.toString('latin1')}`),
      );
      const inner = connect(port, '127.0.0.1');
      for (const end of [socket, inner]) end.on('error', () => undefined);
      socket.pipe(inner).pipe(socket);
    });
    await once(raw.listen(0, '127.0.0.1'), 'listening');
    const target = new URL(`http://127.0.0.1:${String((raw.address() as AddressInfo).port)}`);
    const framings = randomFramings(Number(process.env['FRAMINGS'] ?? 300), 45);
    const { passed, refused } = await sendFramings(target, framings);
    raw.close();
    server.close();
    server.closeAllConnections();
    expect(differences(seen, passed)).to.deep.equal([]);
    expect(differences(connections.flatMap(strictRequests), passed)).to.deep.equal([]);
    // Enough of both to mean something.
    expect([passed.length, refused].map((count) => count > 0)).to.deep.equal([true, true]);
  });
});
