/** Unsupported features and acceptances are held against each other, both ways. */

import { expect } from 'chai';
import { applyAcceptances } from '../../src/codegen/contract/problems/contract-problem.js';

const methodAtA = { feature: 'method', pointer: '#/a' } as const;
const methodAtB = { feature: 'method', pointer: '#/b' } as const;
const servers = { feature: 'servers', pointer: '#/a' } as const;
const found = [methodAtA, methodAtB, servers];

describe('accepting unsupported features', () => {
  const rows: readonly (readonly [
    accepted: readonly string[],
    open: readonly object[],
    unused: readonly string[],
  ])[] = [
    [[], found, []],
    [['method', 'servers'], [], []],
    [['method at #/a', 'method at #/b', 'servers at #/a'], [], []],
    [['method at #/a'], [methodAtB, servers], []],
    [['method', 'servers', 'methods', 'servers at #/b'], [], ['methods', 'servers at #/b']],
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
