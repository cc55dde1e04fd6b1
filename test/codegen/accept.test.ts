/** Unsupported features and acceptances are held against each other, both ways. */

import { expect } from 'chai';
import { applyAcceptances } from '../../src/codegen/problems/contract-problem.js';

const callbacksAtA = { feature: 'callbacks', pointer: '#/a', message: 'not called' };
const callbacksAtB = { feature: 'callbacks', pointer: '#/b', message: 'not called' };
const servers = { feature: 'servers', pointer: '#/a', message: 'not served' };
const found = [callbacksAtA, callbacksAtB, servers];

describe('accepting unsupported features', () => {
  const rows: readonly (readonly [
    accepted: readonly string[],
    open: readonly object[],
    unused: readonly string[],
  ])[] = [
    [[], found, []],
    [['callbacks', 'servers'], [], []],
    [['callbacks at #/a', 'callbacks at #/b', 'servers at #/a'], [], []],
    [['callbacks at #/a'], [callbacksAtB, servers], []],
    [['callbacks', 'servers', 'callback', 'servers at #/b'], [], ['callback', 'servers at #/b']],
  ];
  for (const [accepted, open, unused] of rows) {
    it(`${accepted.join(', ') || 'none'} leaves ${String(open.length)}, and ${String(unused.length)} unused`, () => {
      const applied = applyAcceptances('a.yaml', found, accepted);
      expect(applied.open).to.deep.equal(open);
      expect(applied.unused.map(({ message }) => /^"(.*)" is accepted/.exec(message)?.[1])).to.deep.equal(
        unused,
      );
    });
  }
});
