/** Guides: the steps from other servers are those that the tests of the adoption take, and their commands work. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Project, readProject } from '../adoption/project.js';
import { ROOT } from '../architecture/source-tree.js';
import { programCommands } from './installed-packages.js';
import { type BlockName, block } from './readme-blocks.js';

/** Code without its layout, which differs with the indentation. */
const withoutLayout = (code: string): string => code.replaceAll(/\s+/g, '').replaceAll(/,(?=[)\]}]|$)/g, '');

describe('guides: moving in', () => {
  const isPartOf = (name: BlockName, file: string): void => {
    it(`show ${name} as it is tested`, () => {
      const source = readFileSync(join(ROOT, 'test/adoption', file), 'utf8');
      expect(withoutLayout(source)).to.include(withoutLayout(block(name)));
    });
  };
  isPartOf('observe the routes', 'observed/app.ts');
  isPartOf('choose a part', 'part/codegen.ts');
  isPartOf('engine of a part', 'part/engine.ts');
  isPartOf('signed in by Koa', 'part/signed-in.ts');
  isPartOf('old Koa route', 'legacy-app/routes/customers.ts');
  isPartOf('handler of the route', 'part/customers.ts');
  isPartOf('mount on Koa', 'part/app.ts');
  isPartOf('types of Koa', 'part/complete-types.ts');
  isPartOf('write errors', 'part/problems.ts');
  isPartOf('explain errors', 'part/problems.ts');
  isPartOf('old backend handler', 'five/openapi-backend.ts');
  isPartOf('handler of the backend', 'five/engine.ts');
  isPartOf('bearer tokens', 'five/engine.ts');
  isPartOf('format of errors', 'five/engine.ts');
  isPartOf('part before the backend', 'five/part.ts');
  isPartOf('old Express route', 'five/express-openapi-validator.ts');
  isPartOf('handler of the Express route', 'five/engine.ts');
  isPartOf('old security of Express', 'five/express-openapi-validator.ts');
  isPartOf('security of the handler', 'five/engine.ts');
  isPartOf('part before the validator', 'five/part.ts');
  isPartOf('handlers of the part', 'five/part.ts');
  isPartOf('all of Express', 'five/moved.ts');

  /** Runs the commands of a block; each must succeed. @param further - options beside those of the block, by command */
  async function runAll(project: Project, name: BlockName, further: Readonly<Record<string, string>> = {}) {
    for (const [program, command = '', ...parameters] of programCommands(block(name))) {
      expect(program).to.equal('concordat');
      const { exitCode, stderr } = await project.run(
        [command, ...parameters, further[command] ?? ''].join(' '),
      );
      expect(exitCode, stderr).to.equal(0);
    }
  }

  it('have commands that work on the Koa application', async () => {
    const sources = { 'openapi.yaml': 'openapi.yaml', 'codegen.ts': 'part/codegen.ts' };
    const project = await readProject(sources);
    const git = (...parameters: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters], {
        cwd: project.directory,
      });
    try {
      git('init', '--quiet', '--initial-branch', 'main');
      git('commit', '--quiet', '--allow-empty', '-m', 'Before');
      await runAll(project, 'list the others');
      const list = readFileSync(join(project.directory, 'concordat.json'), 'utf8');
      expect(list).to.equal(readFileSync(join(ROOT, 'test/adoption/part/concordat.json'), 'utf8'));
      await runAll(project, 'record the routes', { record: '--port 0' });
    } finally {
      await project.remove();
    }
  });

  it('have commands that work on the documents of other libraries', async () => {
    const project = await readProject({ '.': 'five' }, '--openapi openapi.yaml --lenient');
    try {
      await runAll(project, 'generate the same document');
      await runAll(project, 'generate what was validated');
    } finally {
      await project.remove();
    }
  });
});
