/** A writer that is made of an operation writes what JSON.stringify does. */

import { expect } from 'chai';
import { parse } from 'graphql';
import { compileResultWriter } from '../../../src/runtime/graphql/compiler/result-writer.js';

function written(query: string, data: unknown, operationName?: string): string | undefined {
  const write = compileResultWriter(parse(query), operationName);
  const body = write?.({ data }, Infinity);
  return typeof body === 'object' ? new TextDecoder().decode(body) : body;
}

/** Without a prototype, as results are. */
function object(fields: Readonly<Record<string, unknown>>): object {
  return Object.assign(Object.create(null) as object, fields);
}

describe('a writer of results', () => {
  const results: readonly (readonly [what: string, query: string, data: unknown])[] = [
    ['fields', '{ id name }', object({ id: '1', name: 'Ada' })],
    ['aliases', '{ first: id __proto: name }', object({ first: '1', __proto: 'Ada' })],
    ['an object in an object', '{ user { id } }', object({ user: object({ id: '1' }) })],
    ['null for an object', '{ user { id } }', object({ user: null })],
    ['no data', '{ user { id } }', null],
    [
      'a list of lists with nothing in it',
      '{ grid { id } }',
      object({ grid: [[], [object({ id: '1' }), null], null] }),
    ],
    ['numbers, booleans and null', '{ a b c d }', object({ a: 1.5, b: false, c: null, d: NaN })],
    ['texts that need escapes', '{ a b }', object({ a: '"\\\u0001', b: 'ä\ud800' })],
    ['a long text', '{ a }', object({ a: 'a'.repeat(100_000) })],
    ['objects of a scalar', '{ a b }', object({ a: { x: [1, { y: 'z' }] }, b: [true] })],
    [
      'an object of a scalar that says itself what it is',
      '{ a { at } b }',
      object({ a: object({ at: new Date(0) }), b: 1 }),
    ],
    ['a field that was skipped', '{ a { b @skip(if: true) c } }', object({ a: object({ c: 1 }) })],
    ['an object that has none of its fields', '{ a { b } c }', object({ a: undefined, c: 1 })],
    ['a text where objects were selected', '{ a { b } }', object({ a: 'text' })],
    [
      'fields that are selected in several places',
      '{ a { b ...F } ... { a { e } } } fragment F on T { c { d } } ',
      object({ a: object({ b: 1, c: object({ d: 2 }), e: 3 }) }),
    ],
  ];
  for (const [what, query, data] of results) {
    it(`writes ${what}`, () => {
      expect(written(query, data)).to.equal(JSON.stringify({ data }));
    });
  }

  it('is of the operation that has the name', () => {
    const query = 'query A { a } query B { b }';
    expect(written(query, { b: 1 }, 'B')).to.equal('{"data":{"b":1}}');
    expect(written(query, { b: 1 }, 'C')).to.equal(undefined);
  });
});
