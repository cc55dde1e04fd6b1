/** The house style, over the whole source. */

import { expect } from 'chai';
import { faces } from '../package/entry-points.js';
import { styleProblems } from './house-style.js';
import { readTree } from './source-tree.js';

describe('architecture: house style', () => {
  const tree = readTree('src');

  it('is kept by every source file', () => {
    const problems = [...tree].flatMap(([file, text]) => styleProblems(file, text, faces.has(file)));
    expect(problems).to.deep.equal([]);
  });
});

describe('architecture: the check of style finds', () => {
  const opening = '/** Says what it is for. */\n\n';

  const planted: readonly (readonly [problem: string, file: string, text: string])[] = [
    ['has 301 lines', 'long.ts', opening + 'const x = 1;\n'.repeat(299)],
    ['has a name that is not in kebab-case', 'pathMatcher.ts', `${opening}export const x = 1;\n`],
    ['has a name that is not in kebab-case', 'copyFiles.js', `${opening}export const x = 1;\n`],
    ['has a name that says nothing', 'utils.ts', `${opening}export const x = 1;\n`],
    ['does not open with a sentence that says what it is for', 'bare.ts', 'export const x = 1;\n'],
    [
      'does not open with a sentence that says what it is for',
      'late.ts',
      "import './x.js';\n/** Too late. */\nexport const x = 1;\n",
    ],
    ['is a barrel', 'index.ts', `${opening}export { x } from './x.js';\n`],
    ['is a barrel', 'parts.ts', `${opening}export { x } from './x.js';\n`],
    ['has a default export', 'default.ts', `${opening}const x = 1;\nexport default x;\n`],
    ['has a default export', 'default.ts', `${opening}export default function x() {}\n`],
    [
      'exports another file without naming what',
      'star.ts',
      `${opening}export * from './x.js';\nexport const x = 1;\n`,
    ],
    ['marks the interface IStorage with an I', 'storage.ts', `${opening}export interface IStorage {}\n`],
  ];
  for (const [problem, file, text] of planted) {
    it(`a file that ${problem}: ${file}`, () => {
      expect(styleProblems(`src/${file}`, text)).to.deep.equal([`src/${file} ${problem}`]);
    });
  }

  it('no problem with a short file that states its role', () => {
    const program = `#!/usr/bin/env node\n${opening}export const x = 1;\n`;
    expect(styleProblems('src/service/cli/main.ts', program)).to.deep.equal([]);
    expect(
      styleProblems('src/runtime/index.ts', `${opening}export { x } from './x.js';\n`, true),
    ).to.deep.equal([]);
    expect(styleProblems('src/x.ts', opening + 'const x = 1;\n'.repeat(298))).to.deep.equal([]);
  });
});
