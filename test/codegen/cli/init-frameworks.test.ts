/** Documents as frameworks write them go the way of a user: `init`, the compiler, the start, `mock --state` and `verify`. */

import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { type HttpHandler, memoryRequest } from '@concordat/runtime';
import { sampleRequests } from '@concordat/tools/mock';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { runInProcess } from '../../support/run-program.js';
import { whileMocking } from '../../tools/mock/mock-server.js';
import { frameworkContracts } from '../contract-list.js';
import { ERASABLE, complaintsOfMany } from '../strict-compiler.js';
import { NewProject, useProjects } from './new-project.js';

function schemesOf(document: string): readonly string[] {
  const { components } = parse(document) as { readonly components: { readonly securitySchemes?: object } };
  return Object.keys(components.securitySchemes ?? {});
}

describe('a project from a document as a framework writes it', function () {
  this.timeout(300_000);
  const newProject = useProjects();
  let root: NewProject;
  const projectOf = (name: string): NewProject => new NewProject(join(root.directory, name));

  before(async () => {
    root = await newProject();
    for (const { name, file, accept } of frameworkContracts) {
      const project = projectOf(name);
      await mkdir(project.directory);
      await copyFile(file, join(project.directory, 'openapi.yaml'));
      const accepted = accept.flatMap((feature) => ['--accept', feature]);
      expect((await project.init('openapi.yaml', ...accepted)).notes, name).to.deep.equal([]);
    }
  });

  it('compiles', () => {
    const files = frameworkContracts.flatMap(({ name }) =>
      projectOf(name)
        .roots()
        .map((file) => `${name}/${file}`),
    );
    expect(complaintsOfMany(root.directory, files, ERASABLE)).to.deep.equal([]);
  });

  for (const { name, file } of frameworkContracts) {
    it(`of ${name} starts, and answers a valid request of each operation with 501`, async () => {
      const module = pathToFileURL(join(projectOf(name).directory, 'src/rest/engine.ts')).href;
      const { engine } = (await import(module)) as { readonly engine: HttpHandler };
      for (const [id, sample] of Object.entries(await sampleRequests(file))) {
        if (sample === undefined) throw new Error(`${id} has no sample`);
        expect((await engine(memoryRequest(sample))).status, id).to.equal(501);
      }
    });

    it(`of ${name} is mocked with state, and verified`, async () => {
      await whileMocking([file, '--state'], async (url, line) => {
        const budget = ['--requests', '600', '--seed', '1', '--seconds', '600'];
        const credentials = schemesOf(await readFile(file, 'utf8')).flatMap((scheme) => [
          '--credential',
          `${scheme}=ada:secret`,
        ]);
        const prefix = /under (\/\S+)/.exec(line)?.[1] ?? '';
        const parameters = ['verify', url + prefix, '--openapi', file, ...budget, ...credentials];
        const { stdout, stderr, exitCode } = await runInProcess(runProgram, parameters);
        expect([stderr, exitCode], stdout).to.deep.equal(['', 0]);
      });
    });
  }
});
