/** The README as a text: what it names is there, and every block of code in it is run by a test. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
import { manifest } from './manifest.js';
import { README, block, blocks, rows } from './readme-blocks.js';

describe('README', () => {
  it('has no block of code that no test runs', () => {
    const starts = blocks.map((text, index) => text.slice(0, rows[index]?.start.length ?? 40));
    expect(starts).to.deep.equal(rows.map(({ start }) => start));
    for (const { name, runBy } of rows) {
      const test = readFileSync(join(import.meta.dirname, runBy), 'utf8');
      expect(test, `${runBy} runs ${name}`).to.match(new RegExp(`[(]'${name}'`));
    }
  });

  it('leads only to what is there', () => {
    const prose = README.replaceAll(/^```[^]*?^```$/gm, '');
    const links = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    const files = links.filter((link) => !/^(https?:|#)/.test(link));
    expect(files).to.have.length.above(20);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).to.deep.equal([]);
    const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    const anchors = links.filter((link) => link.startsWith('#'));
    expect(anchors).to.have.length.above(8);
    expect(anchors.filter((anchor) => !headings.includes(anchor))).to.deep.equal([]);
  });

  it('names every subpath of the package', () => {
    const names = Object.keys(manifest.exports).filter((subpath) => subpath !== './package.json');
    for (const name of names) expect(README).to.include(`\`concordat${name.slice(1)}\``);
  });

  it('says what each subpath is made of as it is exported', async () => {
    const rows = [...README.matchAll(/^\| `(concordat[\w/-]*)`[^|]*\| `(\w+)`(?:, …)?:/gm)];
    expect(rows).to.have.length.above(10);
    for (const [, subpath = '', name] of rows) expect(await import(subpath)).to.include.all.keys([name]);
  });

  it('names only scripts that there are, and every benchmark', () => {
    const named = [...README.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named).to.include('bench');
    expect(manifest.scripts).to.include.all.keys(named);
    const source = readFileSync(join(ROOT, 'test/bench/bench.ts'), 'utf8');
    const [, list = ''] = /BENCHMARKS[^]*?= \{([^]*?)^\};/m.exec(source) ?? [];
    const benchmarks = [...list.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name = '']) => name);
    expect(benchmarks).to.include('rates');
    for (const name of benchmarks) expect(README).to.match(new RegExp(`^\\| \`${name}\` `, 'm'));
  });

  it('shows the house as it stands', () => {
    const directories: string[] = [];
    const missing: string[] = [];
    for (const line of block('house').trimEnd().split('\n')) {
      const [, indent = '', names = ''] = /^( *)(\S+(?:, \S+)*)(?: {2,}|$)/.exec(line) ?? expect.fail(line);
      directories.splice(indent.length / 2);
      missing.push(...names.split(', ').filter((name) => !existsSync(join(ROOT, ...directories, name))));
      directories.push(names);
    }
    expect(missing).to.deep.equal([]);
  });
});

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`;
}
