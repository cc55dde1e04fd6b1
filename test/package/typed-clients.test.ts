/** The README's typed clients of the service: they compile, get what they ask for, and cannot ask for what there is not. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useService } from '../support/service.js';
import { Consumer } from './consumer.js';
import { installed } from './installed-packages.js';
import { type BlockName, block, blockAt } from './readme-blocks.js';

const run = promisify(execFile);

describe('README: typed clients', () => {
  const service = useService({ demoData: true });
  let team: Consumer;

  before(() => {
    const names = installed(block('generate the client')).flatMap((each) => each.names);
    team = new Consumer(names);
    team.write('client.codegen.ts', block('client.codegen.ts'));
    team.write('graphql-client.ts', block('graphql-client.ts'));
    expect(block('generate the client')).to.match(/\nnpx graphql-codegen --config client\.codegen\.ts\n$/);
    const { status, stderr } = generate();
    expect(status, stderr).to.equal(0);
  });
  after(() => {
    team.remove();
  });

  const generate = () =>
    team.node('node_modules/@graphql-codegen/cli/esm/bin.js', '--config', 'client.codegen.ts');

  /** Runs a client beside this process, in which the service is. */
  async function outputOf(name: BlockName): Promise<string> {
    team.write(name, blockAt(name, Number(new URL(service.url).port)));
    expect(team.typeProblems(name)).to.deep.equal([]);
    team.compile(name, '.');
    const { stdout } = await run(process.execPath, [name.replace('.ts', '.js')], { cwd: team.directory });
    return stdout;
  }

  type Change = readonly [what: string, text: string, replacement: string, problem: RegExp];

  /** Tests that a client does not compile with something in place of something else. */
  function refuses(name: BlockName, changes: readonly Change[]): void {
    const said = new Map<string, readonly string[]>();
    before(() => {
      const files = changes.map((_, index) => `wrong-${String(index)}-${name}`);
      for (const [index, [, text, replacement]] of changes.entries()) {
        expect(block(name)).to.include(text);
        team.write(files[index] ?? '', block(name).replace(text, replacement));
      }
      for (const [index, problems] of team.typeProblemsOf(files).entries()) {
        said.set(changes[index]?.[0] ?? '', problems);
      }
    });
    for (const [what, , , problem] of changes) {
      it(`does not compile with ${what}`, () => {
        const problems = said.get(what) ?? [];
        expect(problems).to.have.length.above(0);
        expect(problems.join('\n')).to.match(problem);
      });
    }
  }

  describe('over REST', () => {
    it('asks with openapi-fetch', async () => {
      expect(await outputOf('rest-client.ts')).to.equal('Ada Lovelace /api/users/1/orders\ntrue false\n');
    });

    refuses('rest-client.ts', [
      ['a path that there is not', '/api/users/{id}', '/api/people/{id}', /'"\/api\/people\/\{id\}"'/],
      ['a method that there is not', 'api.GET', 'api.PATCH', /not assignable/],
      ['a parameter that there is not', "id: '1'", "key: '1'", /'key' does not exist/],
      ['a field that there is not', 'user.name', 'user.nam', /'nam' does not exist/],
      ['a page without its check', "'pagination' in users", 'true', /'data' does not exist/],
      ['a field that a page has not', 'pagination.hasNext', 'pagination.pages', /'pages' does not exist/],
      ['a field that an error has not', 'error.error', 'error.message', /'message' does not exist/],
    ]);
  });

  describe('over GraphQL', () => {
    it('asks with a typed document', async () => {
      expect(await outputOf('graphql-client.ts')).to.equal("Ada Lovelace [ 'On the Analytical Engine' ]\n");
    });

    refuses('graphql-client.ts', [
      ['a field that was not asked for', 'user?.name', 'user?.email', /'email' does not exist/],
      ['a variable that there is not', "{ id: '1' }", "{ key: '1' }", /'key' does not exist/],
      ['a variable of another type', "{ id: '1' }", '{ id: true }', /'boolean' is not assignable/],
    ]);

    it('is not generated from a query of a field that the schema does not have', () => {
      team.write('graphql-client.ts', block('graphql-client.ts').replace('title\n', 'headline\n'));
      const { status, stdout, stderr } = generate();
      expect(status).to.equal(1);
      expect(stdout + stderr).to.include('Cannot query field "headline" on type "Post"');
    });
  });
});
