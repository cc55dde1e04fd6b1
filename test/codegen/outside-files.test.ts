/** Files outside the project are read only where the user allows it, and the generator writes through no link. */

import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ContractError, generate } from 'concordat';
import { runProgram } from '../../src/codegen/cli/program.js';
import { writeFiles } from '../../src/codegen/generator/generated-files.js';
import { runInProcess } from '../support/run-program.js';
import { removeDirectory } from './generated-contract.js';
import { bodyOf, textOf } from './written-contract.js';

const taking = (ref: string): string => textOf(bodyOf('application/json', { schema: { $ref: ref } }));

describe('a file outside the project', () => {
  let directory = '';
  let shared = '';
  const at = (name: string): string => join(directory, 'api', name);

  before(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'concordat-outside-')));
    shared = join(directory, 'shared');
    for (const folder of [shared, join(directory, 'shared-too'), at('parts'), at('out')])
      await mkdir(folder, { recursive: true });
    for (const file of [join(shared, 't.json'), join(directory, 'shared-too/t.json'), at('parts/t.json')])
      await writeFile(file, textOf({ enum: ['secret'] }));
    await writeFile(at('inside.json'), taking('parts/t.json'));
    await symlink(join(shared, 't.json'), at('link.json'));
    await symlink(shared, at('folder'));
    await symlink(at('parts'), at('near'));
    await symlink(at('inside.json'), join(shared, 'linked.json'));
    await symlink(at('parts'), join(shared, 'parts'));
  });
  after(() => removeDirectory(directory));

  async function problemsOf(text: string, allowOrigins: readonly string[] = []): Promise<readonly string[]> {
    await writeFile(at('openapi.json'), text);
    return generate({ openapi: at('openapi.json'), allowOrigins }).then(
      () => [],
      (error: unknown) => {
        if (!(error instanceof ContractError)) throw error;
        return error.problems.map(({ message }) => message);
      },
    );
  }

  for (const ref of [
    '../shared/t.json',
    './parts/../../shared/t.json',
    'link.json',
    'folder/t.json',
    '../shared-too/t.json',
  ]) {
    it(`is not read by ${ref}`, async () => {
      const [problem = '', ...others] = await problemsOf(taking(ref));
      expect(others).to.deep.equal([]);
      expect(problem)
        .to.include('it is outside the project, unless --allow-origin ')
        .and.not.include('secret');
    });
  }

  it('is not read by its URL, nor as the document that an overlay extends', async () => {
    expect(await problemsOf(taking(`file://${shared}/t.json`))).to.have.length(1);
    await writeFile(join(shared, 'base.json'), taking('t.json'));
    const overlay = { overlay: '1.0.0', info: { title: 'A', version: '1' }, extends: '../shared/base.json' };
    const actions = [{ target: '$.info', update: { title: 'B' } }];
    const [problem] = await problemsOf(textOf({ ...overlay, actions }));
    expect(problem).to.include('outside the project');
    expect(await problemsOf(textOf({ ...overlay, actions }), [shared])).to.deep.equal([]);
  });

  it('is read in a folder that is allowed by name, and files in the folder of the contract always are', async () => {
    expect(await problemsOf(taking('../shared/t.json'), [shared])).to.deep.equal([]);
    expect(await problemsOf(taking('folder/t.json'), [`${shared}/`])).to.deep.equal([]);
    expect(await problemsOf(taking('../shared-too/t.json'), [shared])).to.have.length(1);
    for (const ref of ['parts/t.json', 'near/t.json', '../api/parts/t.json'])
      expect(await problemsOf(taking(ref)), ref).to.deep.equal([]);
    // The contract that is named may be outside, or a link.
    await generate({ openapi: at('inside.json') });
    await generate({ openapi: join(shared, 'linked.json') });
  });

  it('is read from a package that is installed for the working directory, and for no other', async () => {
    const [before, project] = [process.cwd(), join(directory, 'project')];
    await mkdir(join(project, 'app'), { recursive: true });
    for (const folder of [project, join(project, 'app')]) {
      await mkdir(join(folder, 'node_modules'));
      await symlink(shared, join(folder, 'node_modules/shared'));
    }
    process.chdir(join(project, 'app'));
    try {
      for (const start of ['../project/app', '../project'])
        expect(await problemsOf(taking(`${start}/node_modules/shared/t.json`))).to.deep.equal([]);
      process.chdir(directory);
      expect(await problemsOf(taking('../project/node_modules/shared/t.json'))).to.have.length(1);
      expect(await problemsOf(taking('../node_modules/../shared/t.json'))).to.have.length(1);
    } finally {
      process.chdir(before);
    }
  });

  it('is allowed by the option of each command', async () => {
    await writeFile(at('openapi.json'), taking('../shared/t.json'));
    const parameters = ['mock', at('openapi.json'), '--state', '--explain'];
    const refused = await runInProcess(runProgram, parameters);
    expect([refused.exitCode, refused.stderr]).to.deep.equal([2, refused.stderr]);
    expect(refused.stderr).to.include('it is outside the project');
    const allowed = await runInProcess(runProgram, [...parameters, '--allow-origin', shared]);
    expect([allowed.exitCode, allowed.stderr]).to.deep.equal([0, '']);
  });

  it('is not written by a link in the folder of the generated files', async () => {
    const openapi = at('inside.json');
    for (const [name, content] of [
      ['validators.ts', 'kept'],
      ['validators.js', '// Generated by concordat from elsewhere'],
    ] as const) {
      const outside = join(shared, name);
      await writeFile(outside, content);
      const out = at(`out/${name}`);
      await mkdir(out);
      await symlink(outside, join(out, name));
      const failed = await writeFiles([{ openapi, out }]).catch(String);
      expect(failed).to.equal(`Error: ${join(out, name)} is no file, but a link or a folder: remove it.`);
      expect(await readFile(outside, 'utf8')).to.equal(content);
    }
    const out = at('out/dangling');
    await mkdir(out);
    await symlink(join(shared, 'made.ts'), join(out, 'routing.ts'));
    expect(await writeFiles([{ openapi, out }]).catch(String)).to.include('routing.ts is no file');
    await symlink(at('out'), join(shared, 'out'));
    await writeFiles([{ openapi, out: join(shared, 'out/good') }]);
  });
});
