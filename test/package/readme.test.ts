/** The READMEs and guides as texts: what they name exists, and every code block in them is run by a test. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
import { entryPoints, neededBeside } from './entry-points.js';
import { rootManifest } from './packages.js';
import { block, rows } from './readme-blocks.js';
import { anchorsOf, blocks, pages, proseOf } from './pages.js';

const README = pages.get('README.md') ?? '';

/** The lines of the lists of entry points: `- import (with packages): export: …`. */
const entryPointRows = [...pages.values()]
  .flatMap((text) => [
    ...text.matchAll(/^- `(@concordat\/[\w/-]*)`(?:\s\(with\s([^)]*)\))?:\s`(\w+)`(?:,\s…)?:/gm),
  ])
  .map(([, specifier = '', others = '', name = '']) => ({
    specifier,
    name,
    beside: [...others.matchAll(/`([^`]+)`/g)].map(([, beside]) => beside),
  }));

/** The most words of a guide, beside its blocks of code: one that needs more answers two questions. */
const MOST_WORDS = 600;

/** What the README and the guides may have in all, as `wc -w` counts. */
const BUDGET = { pages: 50, words: 28_000 };

describe('READMEs and guides', () => {
  it('have no block of code that no test runs', () => {
    for (const page of new Set([...pages.keys(), ...Object.keys(rows)])) {
      const names = Object.keys(rows[page] ?? {});
      const found = blocks.filter((each) => each.page === page);
      expect(
        found.length,
        `${page} has blocks below ${found.map(({ heading }) => heading).join(', ')}`,
      ).to.equal(names.length);
      // A block of a file has its name in the first line.
      for (const [index, { text }] of found.entries()) {
        const [, file = names[index]] = /^(?:\/\/|#) ([\w-]+(?:\.[\w-]+)+)\n/.exec(text) ?? [];
        expect(names[index], page).to.equal(file);
      }
    }
    const all = Object.values(rows).flatMap((names) => Object.entries(names));
    expect(new Set(all.map(([name]) => name)).size).to.equal(all.length);
    for (const [name, runBy] of all) {
      const test = readFileSync(join(import.meta.dirname, runBy), 'utf8');
      expect(test, `${runBy} runs ${name}`).to.match(new RegExp(`[[( ]'${name}'`));
    }
  });

  it('have log lines with the members of every line', () => {
    for (const line of block('log lines').trimEnd().split('\n')) {
      expect(JSON.parse(line)).to.include.keys('level', 'time', 'pid', 'hostname', 'msg');
    }
  });

  for (const [page, text] of pages) {
    it(`${page} is short, and its links lead to pages and headings`, () => {
      const words = wordsOf(proseOf(text));
      if (!page.endsWith('/reference.md')) expect(words).to.be.at.most(MOST_WORDS);
      for (const [, link = ''] of proseOf(text).matchAll(/\]\(([^)]+)\)/g)) {
        if (/^https?:/.test(link)) continue;
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? page : normalize(join(dirname(page), file));
        expect(existsSync(join(ROOT, target)), link).to.equal(true);
        if (anchor !== undefined) expect(anchorsOf(pages.get(target) ?? ''), link).to.include(anchor);
        // A published package has its README and its guides, without the sources and without the other packages.
        if (page !== 'README.md') expect(target.split('/')[1], link).to.equal(page.split('/')[1]);
        const isShipped =
          pages.has(target) || /^src\/(?:service\/deploy|\w+\/guides\/examples\/)/.test(target);
        if (page !== 'README.md') expect(isShipped, link).to.equal(true);
      }
    });
  }

  it('are listed in the README of their package, each name once', () => {
    const guides = [...pages.keys()].filter((page) => page.includes('/guides/'));
    for (const page of guides) {
      const [, folder = '', name = ''] = /^(.*)\/guides\/(.*)\.md$/.exec(page) ?? [];
      expect(pages.get(`${folder}/README.md`), page).to.include(`](guides/${name}.md): `);
    }
    const names = guides.map((page) => page.replace(/^.*\//, '')).filter((name) => name !== 'reference.md');
    expect(names).to.have.length(new Set(names).size);
  });

  it('are few and short in all, code and tables included', () => {
    expect(pages.size).to.be.at.most(BUDGET.pages);
    expect(wordsOf([...pages.values()].join('\n'))).to.be.at.most(BUDGET.words);
  });

  it('name every entry point of the packages', () => {
    const text = [...pages.values()].join('\n');
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
      /^@concordat\/(?:runtime|tools|core)/.test(specifier),
    );
    expect(Object.fromEntries(listed)).to.deep.equal(
      Object.fromEntries(libraries.map((each) => [each.specifier, neededBeside(each)])),
    );
  });

  it('show the recipes for other hosts as they are tested', () => {
    const recipe = (name: string) => readFileSync(join(ROOT, 'test/recipes', `${name}.ts`), 'utf8');
    expect(block('koa')).to.equal(recipe('koa'));
    expect(block('keep-errors')).to.equal(recipe('keep-errors'));
    expect(block('express')).to.equal(recipe('express'));
    expect(block('fastify')).to.equal(recipe('fastify'));
    expect(block('hono')).to.equal(recipe('hono'));
    expect(block('node')).to.equal(recipe('node'));
  });

  it('name only scripts that there are; the notes for contributors name every benchmark', () => {
    const named = [...README.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named).to.include('bench');
    expect(rootManifest.scripts).to.include.all.keys(named);
    const source = readFileSync(join(ROOT, 'test/bench/bench.ts'), 'utf8');
    const [, list = ''] = /BENCHMARKS[^]*?= \{([^]*?)^\};/m.exec(source) ?? [];
    const benchmarks = [...list.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name = '']) => name);
    expect(benchmarks).to.include('peers');
    const notes = readFileSync(join(ROOT, '.github/CONTRIBUTING.md'), 'utf8');
    for (const name of benchmarks) expect(notes).to.match(new RegExp(`^\\| \`${name}\` `, 'm'));
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

/** The number of words of a text, as `wc -w` counts. */
function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
