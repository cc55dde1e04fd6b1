/** Tests the reading of messages from copies of their bytes. */

import { expect } from 'chai';
import fc from 'fast-check';
import { BodySample, SampleMemory } from '../../../src/runtime/observe/body-sample.js';
import { type MessageHead, MessageReader } from '../../../src/tools/traffic/message-reader.js';

type Seen = readonly [startLine: string, headers: MessageHead['headers'], body: string | undefined];

interface Reading {
  readonly seen: readonly Seen[];
  readonly memory: SampleMemory;
}

/** Reads the pieces of a direction. @param isBare - whether responses have no body, as those to HEAD */
function read(pieces: readonly Buffer[], { limit = 1000, total = 10_000, isBare = false } = {}): Reading {
  const seen: Seen[] = [];
  let head: MessageHead | undefined;
  const memory = new SampleMemory(total);
  let sample = new BodySample(limit, memory);
  const reader = new MessageReader({
    head: (found) => {
      head = found;
      const isRequest = / HTTP\/1\.[01]$/.test(found.startLine);
      if (!isRequest && !found.startLine.startsWith('HTTP/1.')) return undefined;
      sample = new BodySample(limit, memory);
      return { sample, isNone: isBare && !isRequest };
    },
    end: () => {
      const body = sample.isCut ? undefined : Buffer.from(sample.bytes()).toString();
      sample.release();
      seen.push([head?.startLine ?? '', head?.headers ?? [], body]);
    },
  });
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return { seen, memory };
}

const readText = (text: string, options = {}): readonly Seen[] => read([Buffer.from(text)], options).seen;

describe('proxy: reading messages', () => {
  const stream = [
    'GET /a?b=%20 HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nx-a:2\r\n\r\n',
    'POST /c HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello',
    '\r\nPOST /d HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n',
    'DELETE /e HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
  ].join('');
  const expected: readonly Seen[] = [
    [
      'GET /a?b=%20 HTTP/1.1',
      [
        ['Host', 'x'],
        ['X-A', '1'],
        ['x-a', '2'],
      ],
      '',
    ],
    ['POST /c HTTP/1.1', [['Content-Length', '5']], 'hello'],
    ['POST /d HTTP/1.1', [['Transfer-Encoding', 'gzip, chunked']], 'abc0123456789'],
    ['DELETE /e HTTP/1.1', [['Content-Length', '0']], ''],
  ];

  it('finds the messages wherever the bytes are divided', () => {
    const bytes = Buffer.from(stream);
    expect(read([bytes]).seen).to.deep.equal(expected);
    expect(read([...bytes].map((byte) => Buffer.from([byte]))).seen).to.deep.equal(expected);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(read(pieces).seen).to.deep.equal(expected);
      }),
    );
  });

  it('passes over a body that is too large, and reads the next message', () => {
    const large = `POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n${'x'.repeat(1001)}`;
    const chunked = `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1f4\r\n${'x'.repeat(500)}\r\n1f5\r\n${'x'.repeat(501)}\r\n0\r\n\r\n`;
    const bodies = readText(large + chunked + stream).map(([, , body]) => body);
    expect(bodies).to.deep.equal([undefined, undefined, '', 'hello', 'abc0123456789', '']);
  });

  it('keeps no more than the memory that all bodies share, and gives it back', () => {
    const { seen, memory } = read([Buffer.from(stream)], { total: 4 });
    expect(seen.map(([, , body]) => body)).to.deep.equal(['', undefined, undefined, '']);
    expect(memory.take(4)).to.equal(true);
  });

  const lost = {
    'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n\r\n',
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a header that is folded': 'GET / HTTP/1.1\r\nX: 1\r\n Y: 2\r\n\r\n',
    'a header with a line feed': 'GET / HTTP/1.1\r\nX: 1\n\nGET /other HTTP/1.1\r\n\r\n',
    'a space before a colon': 'POST / HTTP/1.1\r\nContent-Length : 5\r\n\r\nhello',
    'two lengths that differ': 'POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    'a length beside chunks':
      'POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'a request in another coding than chunks':
      'POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
    'a header without a colon': 'GET / HTTP/1.1\r\nnonsense\r\n\r\n',
    'a length that is no number': 'POST / HTTP/1.1\r\nContent-Length: +5\r\n\r\nhello',
    'a chunk size that is no number': 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    'a chunk without its end': 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n',
    'endless headers': `GET / HTTP/1.1\r\nX: ${'x'.repeat(200_000)}`,
  };
  for (const [name, text] of Object.entries(lost)) {
    it(`stops reading at ${name}`, () => {
      expect(readText(text + stream)).to.deep.equal([]);
    });
  }
});
