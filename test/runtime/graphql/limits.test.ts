/** Tests how documents are measured, and which are refused. */

import { expect } from 'chai';
import { parse } from 'graphql';
import { exceededLimit, measureDocument } from '../../../src/runtime/graphql/document/limits.js';

const measure = (source: string): ReturnType<typeof measureDocument> => measureDocument(parse(source));

describe('GraphQL limits', () => {
  const depths: readonly (readonly [source: string, depth: number])[] = [
    ['{ a }', 1],
    ['{ a { b { c } } d }', 3],
    ['{ a { ... on T { b { ...F } } } } fragment F on T { c { d } }', 4],
    ['{ __schema { types { fields { name } } } }', 0],
    ['{ a { __typename } }', 1],
    ['query A { a } query B { a { b } }', 2],
  ];
  for (const [source, depth] of depths) {
    it(`counts ${String(depth)} levels in ${source}`, () => {
      expect(measure(source).depth).to.equal(depth);
    });
  }

  it('counts the aliases of a fragment wherever it is spread', () => {
    const source = '{ a { ...F } b: a { ...F } } fragment F on T { x: y z: y }';
    expect(measure(source).aliases).to.equal(5);
  });

  it('measures fragments of fragments once, however much they would amount to', () => {
    const levels = Array.from({ length: 200 }, (_, n) => {
      const next = `...F${String(n + 1)}`;
      return `fragment F${String(n)} on T { x: y ${next} ${next} }`;
    });
    const { aliases, selections } = measure(`{ ...F0 } ${levels.join(' ')} fragment F200 on T { y }`);
    // Twice as many a level: far past what could be counted one by one.
    expect(aliases).to.be.greaterThan(2 ** 199);
    expect(selections).to.be.greaterThan(2 ** 199);
  });

  it('comes to an end where fragments spread each other', () => {
    expect(measure('{ ...A } fragment A on T { a ...B } fragment B on T { b ...A }').depth).to.equal(1);
  });

  it('says which limit a document is past', () => {
    const limits = { depth: 2, aliases: 1, repeats: 5, tokens: 100 };
    const within = { depth: 2, aliases: 1, repeats: 5, selections: 9 };
    expect(exceededLimit(within, limits)).to.equal(undefined);
    expect(exceededLimit({ ...within, depth: 3 }, limits)).to.match(/depth 3; the limit is 2/);
    expect(exceededLimit({ ...within, aliases: 2 }, limits)).to.match(/aliases 2; the limit is 1/);
    expect(exceededLimit({ ...within, repeats: 6 }, limits)).to.match(/repeats 6; the limit is 5/);
  });

  it('counts the fields of one name or alias, those of a fragment once', () => {
    expect(measure('{ a { b } b: c ...F ...F } fragment F on T { b d }').repeats).to.equal(3);
  });
});
