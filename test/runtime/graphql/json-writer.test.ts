/** Tests that the JSON writer equals the built-in one. */

import { expect } from 'chai';
import fc from 'fast-check';
import { jsonBody } from '../../../src/runtime/graphql/json-writer.js';

const textOf = (value: object): string => {
  const body = jsonBody(value);
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
};

describe('JSON in bytes', () => {
  it('gives the same bytes as JSON.stringify, for every value and every text', () => {
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
      fc.property(tree, (data) => {
        const result = { data };
        expect(textOf(result)).to.equal(
          new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(result))),
        );
      }),
    );
  });

  const others: readonly (readonly [name: string, value: object])[] = [
    ['a date', { data: { at: new Date(0) } }],
    ['an object with a toJSON', { data: { toJSON: () => 'mine' } }],
    ['a function', { data: { run: () => 1, next: 2 } }],
    [
      'an instance of a class',
      {
        data: new (class Row {
          id = 1;
        })(),
      },
    ],
    ['a long text', { data: 'ä"\\\u0001'.repeat(100_000) }],
    ['many names', Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`name${String(n)}`, n]))],
    ['undefined in a list', { data: [undefined, 1] }],
    ['half a character', { data: '\ud800' }],
  ];
  for (const [name, value] of others) {
    it(`also for ${name}`, () => {
      expect(textOf(value)).to.equal(JSON.stringify(value));
    });
  }

  it('gives bytes that stay as they are when the next are written', () => {
    const value = { data: ['first'.repeat(10_000)] };
    const first = jsonBody(value);
    jsonBody({ data: ['second'.repeat(10_000)] });
    expect(first).to.deep.equal(new TextEncoder().encode(JSON.stringify(value)));
  });
});
