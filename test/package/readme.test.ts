/** The READMEs as texts: what they name exists, and every code block in them is run by a test. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
import { entryPoints, neededBeside } from './entry-points.js';
import { rootManifest } from './packages.js';
import { block, rows } from './readme-blocks.js';
import { blocks, readmes } from './readmes.js';

const README = readmes.get('README.md') ?? '';

/** The rows of the tables of entry points: `| import | export: … | packages |`. */
const entryPointRows = [...readmes.values()]
  .flatMap((text) => [
    ...text.matchAll(/^\| `((?:@concordat\/|concordat)[\w/-]*)` *\| `(\w+)`(?:, …)?:[^|]*\|([^|]*)\|$/gm),
  ])
  .map(([, specifier = '', name = '', cell = '']) => ({
    specifier,
    name,
    beside: [...cell.matchAll(/`([^`]+)`/g)].map(([, beside]) => beside),
  }));

describe('READMEs', () => {
  it('have no block of code that no test runs', () => {
    const places = blocks.map(({ readme, heading }) => `${readme}: ${heading}`);
    expect(places).to.deep.equal(rows.map(({ readme, heading }) => `${readme}: ${heading}`));
    expect(new Set(rows.map(({ name }) => name)).size).to.equal(rows.length);
    for (const { name, runBy } of rows) {
      const test = readFileSync(join(import.meta.dirname, runBy), 'utf8');
      expect(test, `${runBy} runs ${name}`).to.match(new RegExp(`[( ]'${name}'`));
    }
  });

  it('have blocks with the name that their first line has', () => {
    for (const [index, { name }] of rows.entries()) {
      const [, file = name] = /^(?:\/\/|#) ([\w-]+(?:\.[\w-]+)+)\n/.exec(blocks[index]?.text ?? '') ?? [];
      expect(name).to.equal(file);
    }
  });

  for (const [file, text] of readmes) {
    it(`${file} has no dead links`, () => {
      const prose = text.replaceAll(/^```[^]*?^```$/gm, '');
      const links = [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
      const files = links.filter((link) => !/^(https?:|#)/.test(link));
      expect(files.filter((link) => !existsSync(join(ROOT, dirname(file), link)))).to.deep.equal([]);
      // A published package has its README without the sources.
      if (file !== 'README.md') expect(files).to.deep.equal([]);
      const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
      const anchors = links.filter((link) => link.startsWith('#'));
      expect(anchors.filter((anchor) => !headings.includes(anchor))).to.deep.equal([]);
    });
  }

  it('name every entry point of the packages', () => {
    const text = [...readmes.values()].join('\n');
    const unnamed = entryPoints.filter(({ specifier }) => !text.includes(`\`${specifier}\``));
    expect(unnamed.map(({ specifier }) => specifier)).to.deep.equal([]);
  });

  it('say what each entry point is made of as it is exported', async () => {
    for (const { specifier, name } of entryPointRows) {
      expect(await import(specifier), specifier).to.include.all.keys([name]);
    }
  });

  it('list, for the packages that are imported, every entry point with what is installed beside it', () => {
    const listed = entryPointRows.map(({ specifier, beside }) => [specifier, beside]);
    const libraries = entryPoints.filter(({ specifier }) =>
      /^(?:concordat|@concordat\/core)/.test(specifier),
    );
    expect(Object.fromEntries(listed)).to.deep.equal(
      Object.fromEntries(libraries.map((each) => [each.specifier, neededBeside(each)])),
    );
  });

  it('show the recipes for other hosts as they are tested', () => {
    const recipe = (name: string) => readFileSync(join(ROOT, 'test/recipes', `${name}.ts`), 'utf8');
    expect(block('express')).to.equal(recipe('express'));
    expect(block('fastify')).to.equal(recipe('fastify'));
    expect(block('nest')).to.equal(recipe('nest'));
    expect(block('hono')).to.equal(recipe('hono'));
    expect(block('node')).to.equal(recipe('node'));
  });

  it('are short at the root', () => {
    expect(README.split('\n')).to.have.length.below(250);
  });

  it('name only scripts that there are, and every benchmark', () => {
    const named = [...README.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named).to.include('bench');
    expect(rootManifest.scripts).to.include.all.keys(named);
    const source = readFileSync(join(ROOT, 'test/bench/bench.ts'), 'utf8');
    const [, list = ''] = /BENCHMARKS[^]*?= \{([^]*?)^\};/m.exec(source) ?? [];
    const benchmarks = [...list.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name = '']) => name);
    expect(benchmarks).to.include('peers');
    for (const name of benchmarks) expect(README).to.match(new RegExp(`^\\| \`${name}\` `, 'm'));
  });

  it('show the folders as they are', () => {
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

/** The anchor that GitHub makes of a heading. */
function anchorOf(heading: string): string {
  return `#${heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`;
}
