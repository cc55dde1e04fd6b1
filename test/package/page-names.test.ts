/** Names of guides outside of the guides: in commands, messages, notes of changes and in the guides of other packages. Each names one that exists. */

import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import { ROOT, readTree } from '../architecture/source-tree.js';
import { runProgram } from '../../src/codegen/cli/program.js';
import { runInProcess } from '../support/run-program.js';
import { packages } from './packages.js';
import { anchorsOf, pages, proseOf } from './pages.js';

const names = new Set([...pages.keys()].map((page) => page.replace(/^.*\/(.*)\.md$/, '$1')));
const changes = packages.map(({ folder }) => `${folder}/CHANGELOG.md`);
const texts = new Map([
  ...pages,
  ...readTree('src'),
  ...[...changes, 'src/codegen/init/templates/AGENTS.md'].map(
    (file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const,
  ),
]);

describe('names of guides', () => {
  it('in messages, help and notes are those of guides that exist', () => {
    const named = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/\bguides? ["`]([a-z-]+)(?:\.md)?["`]/g)].map(([, name = '']) => `${file}: ${name}`),
    );
    expect(named.length).to.be.above(3);
    expect(named.filter((each) => !names.has(each.replace(/^.*: /, '')))).to.deep.equal([]);
  });

  it('of another package, in a guide, are those of its guides', () => {
    const named = [...pages].flatMap(([page, text]) =>
      [...proseOf(text).matchAll(/`([a-z-]+)`\sof\s`(@concordat\/\w+|concordat)`/g)].map(
        ([, name = '', owner = '']) => ({ page, name, owner }),
      ),
    );
    const folderOf = (owner: string) =>
      packages.find(({ manifest }) => manifest.name === owner)?.folder ?? '';
    const missing = named.filter(({ name, owner }) => !pages.has(`${folderOf(owner)}/guides/${name}.md`));
    expect(named.length).to.be.above(5);
    expect(missing).to.deep.equal([]);
  });

  it('after "concordat docs" are found, and so are the words of tasks', async () => {
    const commands = [...texts].flatMap(([, text]) =>
      [...text.matchAll(/['`](?:npx |__NPX__ )?concordat docs ([\w@/][\w@/. -]*?)(?: \|[^'`]*)?['`]/g)].map(
        ([, words = '']) => words,
      ),
    );
    expect(commands.length).to.be.above(5);
    for (const words of new Set(commands)) {
      const { exitCode, stderr } = await runInProcess(runProgram, ['docs', ...words.split(' ')]);
      expect([exitCode, stderr], words).to.deep.equal([0, '']);
    }
  });

  it('in notes of changes lead to pages and headings', () => {
    const broken = changes.flatMap((file) =>
      [...(texts.get(file) ?? '').matchAll(/\]\(([^)]+\.md)(?:#([^)]+))?\)/g)]
        .filter(([, path = '', anchor]) => {
          const target = posix.join(posix.dirname(file), path);
          const text = pages.get(target);
          return (
            !existsSync(join(ROOT, target)) ||
            (anchor !== undefined && !anchorsOf(text ?? '').includes(anchor))
          );
        })
        .map(([link]) => `${file}: ${link}`),
    );
    expect(broken).to.deep.equal([]);
  });
});
