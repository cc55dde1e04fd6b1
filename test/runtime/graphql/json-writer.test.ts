/** Tests that the writer of a result's leaves equals the built-in one. */

import { expect } from 'chai';
import fc from 'fast-check';
import {
  closeObject,
  encodeText,
  jsonBody,
  moveTo,
  position,
  roomFor,
  SHORT_ROOM,
  writeBytes,
  writeOther,
  writeShort,
} from '../../../src/runtime/graphql/compiler/json-writer.js';

const prefix = encodeText('{"leaf":');

/** As the code of a compiled query writes it. */
function written(leaf: unknown): string | Uint8Array | undefined {
  const write = (): void => {
    writeBytes(prefix);
    const end = writeShort(roomFor(SHORT_ROOM), position(), leaf);
    moveTo(end === -1 ? writeOther(position(), leaf) : end);
    closeObject();
  };
  return jsonBody({ leaf }, write, Infinity);
}

const textOf = (leaf: unknown): string | undefined => {
  const body = written(leaf);
  return typeof body === 'object' ? new TextDecoder().decode(body) : body;
};

const expected = (leaf: unknown): string => JSON.stringify({ leaf });

describe('a leaf of a result', () => {
  it('is written as JSON.stringify does, for every value and every text', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.boolean(),
        fc.constantFrom(null, undefined),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('tree'), { maxKeys: 4 }),
        fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4, noNullPrototype: false }),
      ),
    }));
    fc.assert(
      fc.property(tree, (leaf) => {
        expect(textOf(leaf)).to.equal(expected(leaf));
      }),
    );
  });

  const others: readonly (readonly [name: string, value: unknown])[] = [
    ['a date', new Date(0)],
    ['an object with a toJSON', { toJSON: () => 'mine' }],
    ['an object whose toJSON gives nothing', { toJSON: () => undefined }],
    ['a function', { run: () => 1, next: 2 }],
    ['nothing', undefined],
    [
      'an instance of a class',
      {
        data: new (class Row {
          id = 1;
        })(),
      },
    ],
    ['a long text', 'ä"\\\u0001'.repeat(100_000)],
    ['characters of one to four bytes', 'a\u007f\u0080\u07ff\u0800\uffff\ud83d\ude00'],
    ['many names', Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`name${String(n)}`, n]))],
    ['undefined in a list', [undefined, 1]],
    ['half a character', '\ud800'],
    ['the last half of a character', '\udfff'],
  ];
  for (const [name, value] of others) {
    it(`also for ${name}`, () => {
      expect(textOf(value)).to.equal(expected(value));
    });
  }

  it('is in bytes that stay as they are when the next are written', () => {
    const value = 'fïrst'.repeat(10_000);
    const first = written(value);
    written('sëcond'.repeat(10_000));
    expect(first).to.deep.equal(new TextEncoder().encode(expected(value)));
  });
});
