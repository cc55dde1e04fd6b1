/** The action for GitHub: its script, as the action runs it, in a project that has the packed packages. */

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source-tree.js';
import { type Consumer, useConsumers } from './consumer.js';

const ACTION = join(ROOT, '.github/actions/concordat');

const CONTRACT = `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 50 } }]
      responses: { '204': { description: None. } }
`;

describe('the action for GitHub', () => {
  const consumerWith = useConsumers();
  let team: Consumer;
  let summary: string;

  before(() => {
    team = consumerWith(['concordat', '@concordat/tools']);
    summary = join(team.directory, 'summary.md');
    team.write('openapi.yaml', CONTRACT);
    team.write('.gitignore', 'node_modules\nsummary.md\n');
    team.write(
      'codegen.ts',
      "import { codegenConfig } from 'concordat';\nexport default codegenConfig({ openapi: 'openapi.yaml', out: 'generated' });\n",
    );
    expect(concordat('generate').status).to.equal(0);
    for (const command of ['init -q -b main', 'add -A', 'commit -q -m First'])
      expect(git(...command.split(' ')).status, command).to.equal(0);
  });
  beforeEach(() => rmSync(summary, { force: true }));

  const git = (...parameters: readonly string[]) => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    return spawnSync('git', [...who, ...parameters], { cwd: team.directory, encoding: 'utf8' });
  };
  const concordat = (...parameters: readonly string[]) =>
    team.node(join(team.directory, 'node_modules/.bin/concordat'), ...parameters);
  const run = (...parameters: readonly string[]) =>
    spawnSync(join(ACTION, 'check.sh'), parameters, {
      cwd: team.directory,
      encoding: 'utf8',
      env: {
        ...process.env,
        GITHUB_STEP_SUMMARY: summary,
        REPORTS: join(team.directory, 'node_modules/reports'),
      },
    });

  it('runs the script with the base of the pull request', () => {
    const { runs, inputs } = parse(readFileSync(join(ACTION, 'action.yml'), 'utf8')) as {
      readonly inputs: object;
      readonly runs: { readonly using: string; readonly steps: readonly Readonly<Record<string, unknown>>[] };
    };
    expect(runs.using).to.equal('composite');
    expect(inputs).to.have.keys('base', 'folder');
    expect(runs.steps).to.have.length(3);
    expect(runs.steps[0]).to.deep.include({ run: '"$GITHUB_ACTION_PATH/check.sh" "$BASE"', shell: 'bash' });
    // Both steps after it run when it fails.
    const [, upload, link] = runs.steps;
    const { REPORTS } = runs.steps[0]?.['env'] as { readonly REPORTS: string };
    expect(upload?.['with']).to.include({ path: REPORTS, 'if-no-files-found': 'ignore' });
    for (const step of [upload, link]) expect(step?.['if']).to.include('always()');
  });

  it('passes where nothing has changed', () => {
    const { status, stdout, stderr } = run('main');
    expect([status, stdout], stderr).to.deep.equal([0, '']);
    expect(readFileSync(summary, 'utf8')).to.include('## concordat check\n').and.include('→ openapi.yaml');
  });

  it('annotates a break and files that are out of date, and summarises them', () => {
    team.write('openapi.yaml', CONTRACT.replace('maximum: 50', 'maximum: 40'));
    const { status, stdout } = run('main');
    expect(status).to.equal(1);
    expect(stdout).to.match(/^::error file=openapi\.yaml,line=7,title=[\w-]+::.*$/m);
    expect(stdout).to.match(/^::error file=generated\/\w+/m);
    const text = readFileSync(summary, 'utf8');
    const page = (name: string) =>
      readFileSync(join(team.directory, 'node_modules/reports', `${name}.html`), 'utf8');
    expect(page('check')).to.include('stale-file');
    expect(page('diff')).to.match(
      /Proof for clients[^]*main:openapi\.yaml:7|Proof for clients[^]*openapi\.yaml:7/,
    );
    expect(text).to.match(/## concordat check\n[^]*generated[^]*→ openapi\.yaml[^]*maximum 50 → 40/);
  });

  it('says that there is no such base', () => {
    const { status, stdout, stderr } = run('nowhere');
    expect([status, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.match(/There is no branch or revision nowhere\n$/);
    expect(run().stderr).to.include('Name the branch or revision to compare with');
  });
});
