/** Which documents are remembered, and how many. */

import { expect } from 'chai';
import fc from 'fast-check';
import { DocumentCache } from '../../../src/runtime/graphql/document/document-cache.js';

describe('GraphQL document cache', () => {
  it('forgets what was used longest ago', () => {
    const cache = new DocumentCache<number>({ documents: 2, bytes: 1_000_000 });
    cache.add('a', 1, 1);
    cache.add('b', 1, 2);
    expect(cache.get('a')).to.equal(1);
    cache.add('c', 1, 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).to.deep.equal([1, undefined, 3]);
  });

  it('does not remember a document that is larger than its memory, nor forget others for it', () => {
    const cache = new DocumentCache<number>({ documents: 10, bytes: 10_000 });
    cache.add('small', 1, 1);
    cache.add('large', 100, 2);
    expect([cache.get('small'), cache.get('large')]).to.deep.equal([1, undefined]);
  });

  it('keeps both bounds for any sequence of adding and reading', () => {
    const step = fc.record({
      name: fc.integer({ min: 0, max: 50 }),
      tokens: fc.integer({ min: 0, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = new DocumentCache<string>({ documents: 8, bytes: 60_000 });
        for (const { name, tokens } of steps) {
          const source = String(name);
          const found = cache.get(source);
          if (found === undefined) cache.add(source, tokens, source);
          else expect(found).to.equal(source);
          expect(cache.documents).to.be.at.most(8);
          expect(cache.bytes).to.be.within(0, 60_000);
          // What was added last is there, and what is not there takes no room.
          if (found === undefined) expect(cache.get(source)).to.equal(source);
          if (cache.documents === 0) expect(cache.bytes).to.equal(0);
        }
      }),
    );
  });
});
