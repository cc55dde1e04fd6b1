/** What a file exports is used by another: a function for tests alone is tested through what uses it. */

import { expect } from 'chai';
import { packages } from '../package/packages.js';
import { readTree } from './source-tree.js';
import { unusedExports } from './unused-exports.js';

/** What tests call by itself, because whatever uses it would need a server or a whole schema for each case. */
const TESTED_ALONE = [
  'src/codegen/init/project.ts: filled',
  'src/core/conformance/events.ts: Recorder',
  'src/core/resolvers/graphql-engine.ts: executableSchema',
  'src/runtime/failures/sentences.ts: sentenceOf',
  'src/runtime/transports/graphql-ws/protocol.ts: ConnectedClient',
  'src/tools/traffic/passing-server.ts: passingServer',
  'src/tools/verify/run/violations.ts: curlLine',
];

describe('architecture: exports', () => {
  const entries = packages.flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [] : [`${folder}/${target['@concordat/source'].slice(2)}`],
    ),
  );

  it('are used by other files, by the tables of the guides or by other packages', () => {
    expect(entries).to.have.length.above(30);
    // The generated files have all that an application may need.
    const unused = unusedExports(readTree('src', 'generated', 'test/guides'), new Set(entries));
    const ofSource = unused.filter((place) => place.startsWith('src/'));
    expect(ofSource.sort()).to.deep.equal(TESTED_ALONE);
  });

  /** The unused names of `one.ts`, which is imported by a file with a text. */
  const unusedBy = (text: string): readonly string[] =>
    unusedExports(
      new Map([
        [
          'src/a/one.ts',
          'export const { a, b: [c] } = x; export type T = 1; function f() {} export { f as g }; const own = 1;',
        ],
        ['src/two.ts', text],
      ]),
      new Set(),
    ).map((place) => place.replace('src/a/one.ts: ', ''));

  for (const [text, unused] of [
    ['', ['a', 'c', 'T', 'g']],
    ["import { a, c as d } from './a/one.js';", ['T', 'g']],
    ["import type { T } from './a/one.js';", ['a', 'c', 'g']],
    ["export { g } from './a/one.js';", ['a', 'c', 'T', 'src/two.ts: g']],
    ["export type * from './a/one.js';", ['a', 'c', 'g']],
    ["export * from './a/one.js';", []],
    ["import * as one from './a/one.js';", []],
    ["const one = () => import('./a/one.js');", []],
    ["type X = import('./a/one.js').T;", []],
    ["import { a } from './one.js';", ['a', 'c', 'T', 'g']],
  ] as const) {
    it(`that are left unused by ${text || 'nothing'}`, () => {
      expect(unusedBy(text)).to.deep.equal(unused);
    });
  }

  it('of entry points are for others', () => {
    const tree = new Map([['src/index.ts', 'export const a = 1;']]);
    expect(unusedExports(tree, new Set())).to.deep.equal(['src/index.ts: a']);
    expect(unusedExports(tree, new Set(['src/index.ts']))).to.deep.equal([]);
  });
});
