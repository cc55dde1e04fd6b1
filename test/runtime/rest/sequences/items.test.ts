/** Sequential media types: what is written is read again, however it is cut, and what is malformed is refused. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Check, Sequence } from '../../../../src/runtime/contract/contract.js';
import { compileItems } from '../../../../src/runtime/rest/sequences/read-items.js';
import { ItemBody } from '../../../../src/runtime/rest/sequences/write-items.js';
import { all, inPieces, readUntilProblem, splits } from './pieces.js';

const LIMIT = 10_000;

async function* given(items: readonly unknown[]): AsyncGenerator<unknown, void, void> {
  yield* items;
  await Promise.resolve();
}

/** A body of items and the Content-Type that it is sent with. */
async function written(
  sequence: Sequence,
  items: readonly unknown[],
): Promise<{ readonly bytes: Uint8Array; readonly contentType: string }> {
  const body = new ItemBody(given(items), sequence, undefined);
  const bytes = Buffer.concat(await all(body));
  return { bytes, contentType: `multipart/mixed; boundary=${body.boundary ?? ''}` };
}

const read = (sequence: Sequence, body: string, check?: Check): Promise<readonly unknown[]> =>
  readUntilProblem(compileItems(sequence, check)(inPieces(body), 'multipart/mixed; boundary=b', LIMIT));

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n\0]/g, ''));
const event = fc.record(
  {
    // A carriage return is a line end too, and is read as a line feed.
    data: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\r', '')),
    event: line,
    id: line,
    retry: fc.nat(),
  },
  { requiredKeys: ['data'] },
);
const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => new Uint8Array(each));
// Bytes that look like the beginning of a boundary.
const tricky = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '-', '--', '\r\n--', 'a'), { maxLength: 12 })
  .map((parts) => new Uint8Array(Buffer.from(parts.join(''))));

const sequences: readonly (readonly [name: string, sequence: Sequence, item: fc.Arbitrary<unknown>])[] = [
  ['JSON Lines', { format: 'json-lines' }, json],
  ['a JSON text sequence', { format: 'json-seq' }, json],
  ['events', { format: 'events' }, event],
  ['events with JSON', { format: 'events', data: 'json' }, fc.record({ data: json })],
  [
    'parts of JSON',
    { format: 'multipart', part: { kind: 'json', contentTypes: ['application/json'] } },
    json,
  ],
  [
    'parts of bytes',
    { format: 'multipart', part: { kind: 'bytes', contentTypes: ['image/png'] } },
    fc.oneof(bytes, tricky),
  ],
  [
    'parts of text',
    { format: 'multipart', part: { kind: 'text', contentTypes: ['text/plain'] } },
    fc.string({ unit: 'grapheme' }),
  ],
];

describe('the items of a sequential media type', () => {
  for (const [name, sequence, item] of sequences) {
    it(`${name}: what is written is read, however it is cut`, () =>
      fc.assert(
        fc.asyncProperty(fc.array(item, { maxLength: 5 }), splits, async (items, lengths) => {
          const body = await written(sequence, items);
          const reader = compileItems(sequence);
          const found = await all(reader(inPieces(body.bytes, lengths), body.contentType, LIMIT));
          expect(found).to.deep.equal(items);
        }),
      ));
  }

  it('are as their specifications write them', async () => {
    const text = async (sequence: Sequence, item: unknown): Promise<string> =>
      Buffer.from((await written(sequence, [item])).bytes).toString();
    expect(await text({ format: 'json-lines' }, { a: 1 })).to.equal('{"a":1}\n');
    expect(await text({ format: 'json-seq' }, { a: 1 })).to.equal('\x1e{"a":1}\n');
    expect(await text({ format: 'events' }, { event: 'e', data: 'a\nb', id: '1', retry: 5 })).to.equal(
      'event: e\nid: 1\nretry: 5\ndata: a\ndata: b\n\n',
    );
  });

  it('end with a problem that names the item, after the items in front of it', async () => {
    const check: Check = (value) => typeof value === 'number';
    const format = 'json-lines';
    expect(await read({ format }, '1\n2\n\n"x"\n4\n', check)).to.deep.equal([
      1,
      2,
      '400 body/2 is not valid',
    ]);
    expect(await read({ format }, '1\n{"a":\n')).to.deep.equal([1, '400 body/1 must be valid JSON']);
    expect(await read({ format }, '1')).to.deep.equal([1]);
    expect(await read({ format }, '\ufeff1\r\n2\r\n')).to.deep.equal([1, 2]);
    const latin = compileItems({ format })(inPieces(Buffer.from([0x22, 0xe9, 0x22])), '', LIMIT);
    expect(await readUntilProblem(latin)).to.deep.equal(['400 body must be UTF-8 text']);
    const cutOff = compileItems({ format })(inPieces(Buffer.from([0x31, 0x0a, 0xc3])), '', LIMIT);
    expect(await readUntilProblem(cutOff)).to.deep.equal([1, '400 body must be UTF-8 text']);
  });

  it('refuse an integer that would be rounded', async () => {
    const check: Check = Object.assign(Number.isInteger, { schema: () => ({ type: 'integer' }) });
    for (const [format, start] of [
      ['json-lines', ''],
      ['json-seq', '\x1e'],
    ] as const) {
      expect(await read({ format }, `${start}1\n${start}9007199254740993\n`, check)).to.deep.equal([
        1,
        '400 body/1 must be integer from -9007199254740991 to 9007199254740991',
      ]);
    }
  });

  it('are limited, each by itself', async () => {
    const format = 'json-lines';
    const short = '"aaaaaaaa"\n'.repeat(100);
    const reader = compileItems({ format });
    expect(await readUntilProblem(reader(inPieces(short), '', 20))).to.have.length(100);
    const long = `1\n"${'a'.repeat(30)}`;
    expect(await readUntilProblem(reader(inPieces(long, [3, 3, 3, 3, 3, 3, 3, 3]), '', 20))).to.deep.equal([
      1,
      '413 The body must not be larger than 20 bytes',
    ]);
    const event = 'data: aaaaa\n'.repeat(3);
    const events = compileItems({ format: 'events' });
    expect(await readUntilProblem(events(inPieces(`${event}\n`), '', 20))).to.deep.equal([
      '413 The body must not be larger than 20 bytes',
    ]);
    expect(await readUntilProblem(events(inPieces('data: a\n\n'.repeat(9)), '', 20))).to.have.length(9);
  });

  it('of a JSON text sequence start with a separator, and are whole (RFC 7464)', async () => {
    const format = 'json-seq';
    expect(await read({ format }, '\x1e{"a":\n1}\n\x1e\n\x1e"x"')).to.deep.equal([{ a: 1 }, 'x']);
    expect(await read({ format }, '1\n\x1e2\n')).to.deep.equal([
      '400 body/0 must start with a record separator',
    ]);
    expect(await read({ format }, '\x1e12')).to.deep.equal(['400 body/0 must end with a line feed']);
    expect(await read({ format }, '\x1etrue\x1e1\n')).to.deep.equal(['400 body/0 must end with a line feed']);
  });

  it('of an event stream are read as HTML says', async () => {
    const format = 'events';
    const body = [
      ': comment',
      'event: addString',
      'data: formatted',
      'data:  across two lines',
      'retry: 5',
      '',
      'event: none',
      '',
      'data',
      'unknown: x',
      'retry: soon',
      'id: a\0b',
      '',
      'data:not ended',
    ];
    const events = [{ event: 'addString', data: 'formatted\n across two lines', retry: 5 }, { data: '' }];
    for (const end of ['\n', '\r\n', '\r']) {
      const text = body.join(end);
      expect(await read({ format }, text)).to.deep.equal(events);
      const apart = compileItems({ format })(inPieces(text, Array<number>(text.length).fill(1)), '', LIMIT);
      expect(await all(apart)).to.deep.equal(events);
    }
  });

  it('of an event stream have their data decoded where the contract says that it is JSON', async () => {
    const check: Check = (value) => typeof (value as { data: unknown }).data === 'object';
    const body = 'data: {"a":1}\n\ndata: 7\n\ndata: x\n\n';
    expect(await read({ format: 'events', data: 'json' }, body)).to.deep.equal([
      { data: { a: 1 } },
      { data: 7 },
      '400 body/2/data must be valid JSON',
    ]);
    // The check refuses a number, and nothing refuses text.
    const either: Check = (value) => check(value) || typeof (value as { data: unknown }).data === 'string';
    expect(await read({ format: 'events', data: 'mixed' }, body, either)).to.deep.equal([
      { data: { a: 1 } },
      { data: '7' },
      { data: 'x' },
    ]);
    const mixed = await written({ format: 'events', data: 'mixed' }, [{ data: 'x' }, { data: { a: 1 } }]);
    expect(Buffer.from(mixed.bytes).toString()).to.equal('data: x\n\ndata: {"a":1}\n\n');
  });

  it('are sent together where they are there at once, and alone where the next one is late', async () => {
    const format = 'json-lines';
    const texts = async (items: AsyncIterable<unknown>): Promise<readonly string[]> =>
      (await all(new ItemBody(items, { format }, undefined))).map((piece) => Buffer.from(piece).toString());
    expect(await texts(given([1, 2, 3]))).to.deep.equal(['1\n2\n3\n']);
    async function* late(): AsyncGenerator<unknown, void, void> {
      yield 1;
      yield 2;
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield 3;
      throw new Error('no more');
    }
    const body = new ItemBody(late(), { format }, undefined);
    const found = await readUntilProblem(body);
    expect(
      found.map((each) => (each instanceof Uint8Array ? Buffer.from(each).toString() : each)),
    ).to.deep.equal(['1\n2\n', '3\n', 'undefined no more']);
    const long = 'x'.repeat(10_000);
    expect(await texts(given([long, long, long]))).to.have.length(2);
  });

  it('that cannot be written break the body off, and release what gives them', async () => {
    const impossible: readonly (readonly [Sequence, unknown])[] = [
      [{ format: 'json-lines' }, undefined],
      [{ format: 'events' }, 'text'],
      [{ format: 'events' }, { data: 7 }],
      [{ format: 'events' }, { data: '', id: 'a\nb' }],
      [{ format: 'events' }, { data: '', retry: -1 }],
      [{ format: 'multipart', part: { kind: 'bytes', contentTypes: ['image/png'] } }, 'text'],
      [{ format: 'multipart', part: { kind: 'text', contentTypes: ['text/plain'] } }, 7],
    ];
    for (const [sequence, item] of impossible) {
      let isReleased = false;
      const items = async function* (): AsyncGenerator<unknown, void, void> {
        try {
          yield item;
          await Promise.resolve();
        } finally {
          isReleased = true;
        }
      };
      const body = new ItemBody(items(), sequence, undefined);
      const failure = await all(body).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure, JSON.stringify(sequence)).to.be.instanceOf(TypeError);
      expect(isReleased, JSON.stringify(sequence)).to.equal(true);
      expect(await body.next()).to.deep.equal({ done: true, value: undefined });
    }
    expect(() => new ItemBody([1], { format: 'json-lines' }, undefined)).to.throw(TypeError, 'object');
  });

  it('are checked as they are written, where a check is given', async () => {
    const check: Check = (value) => typeof value === 'number';
    const found: string[] = [];
    const body = new ItemBody(given([1, 'x', 2]), { format: 'json-lines' }, check);
    const failure = await (async () => {
      for await (const piece of body) found.push(Buffer.from(piece).toString());
    })().catch((error: unknown) => String(error));
    expect(found).to.deep.equal(['1\n']);
    expect(failure).to.include('body/1');
  });
});
