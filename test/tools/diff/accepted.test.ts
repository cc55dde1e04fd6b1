/** Known breaks that a project accepts for a while, and operations that may break. */

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import type { ContractDiff } from '../../../src/tools/diff/diff.js';
import { type Run, runInProcess } from '../../support/run-program.js';

/** A contract with one operation that has a query parameter for each maximum. */
function contractOf(version: string, maxima: Readonly<Record<string, number>>, marks: object = {}): string {
  const parameters = Object.entries(maxima).map(([name, maximum]) => ({
    name,
    in: 'query',
    schema: { type: 'integer', maximum },
  }));
  const get = { operationId: 'find', parameters, responses: { 204: { description: 'None' } }, ...marks };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version }, paths: { '/a': { get } } });
}

/** Runs each test in a folder with two versions of the contract. */
function useDirectory(): void {
  const home = process.cwd();
  let directory = '';

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-accepted-'));
    process.chdir(directory);
    await writeFile('old.json', contractOf('1.0.0', { limit: 100, offset: 9 }));
    await writeFile('new.json', contractOf('1.1.0', { limit: 50, offset: 9 }));
  });

  afterEach(async () => {
    process.chdir(home);
    await rm(directory, { recursive: true });
  });
}

const run = (...parameters: readonly string[]): Promise<Run> => runInProcess(runProgram, parameters);

const configure = (diff: string, apis = `openapi: 'new.json', out: 'generated',`): Promise<void> =>
  writeFile(
    'codegen.ts',
    `import { codegenConfig } from 'concordat';\nexport default codegenConfig({ ${apis} diff: { ${diff} } });\n`,
  );

const DAY_MS = 24 * 3_600_000;
const dayFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

describe('concordat diff --accept', () => {
  useDirectory();

  const diff = (...parameters: readonly string[]): Promise<Run> =>
    run('diff', 'old.json', 'new.json', ...parameters);
  const accept = (until: string): Promise<Run> =>
    diff('--accept', '--reason', 'The only caller is told', '--until', until);
  const written = async (): Promise<{ accepted: Record<string, unknown>[] }> =>
    JSON.parse(await readFile('concordat.json', 'utf8')) as { accepted: Record<string, unknown>[] };
  const rewrite = async (members: object): Promise<void> => {
    const { accepted } = await written();
    await writeFile('concordat.json', JSON.stringify({ accepted: [{ ...accepted[0], ...members }] }));
  };

  it('writes what fails into concordat.json, and the next run reports it as accepted and succeeds', async () => {
    const until = dayFromNow(9);
    expect((await diff()).exitCode).to.equal(1);
    expect(await accept(until)).to.deep.equal({
      exitCode: 0,
      stdout: `Accepted 1 change until ${until}, in concordat.json\n`,
      stderr: '',
    });
    const [entry] = (await written()).accepted;
    expect(entry).to.deep.include({
      rule: 'maximum-changed',
      operations: ['GET /a'],
      change: 'request query limit: maximum 100 → 50',
      reason: 'The only caller is told',
      until,
    });
    const { exitCode, stdout, stderr } = await diff();
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include(`breaking for clients, accepted until ${until}: GET /a: request query limit`);
    expect(stdout).to.include('\n  accepted because: The only caller is told\n');
    const [told] = JSON.parse((await diff('--json')).stdout) as readonly ContractDiff[];
    expect(told?.changes[0]?.accepted).to.deep.equal({
      reason: 'The only caller is told',
      end: `until ${until}`,
      isOver: false,
    });
    expect((await diff('--format', 'markdown')).stdout).to.include(
      `breaking for clients, accepted until ${until}: request query limit: maximum 100 → 50 |`,
    );
  });

  it('accepts one change, and neither a further one of the same place nor another', async () => {
    await accept(dayFromNow(9));
    await writeFile('new.json', contractOf('1.1.0', { limit: 40, offset: 9 }));
    expect((await diff()).exitCode).to.equal(1);
    await writeFile('new.json', contractOf('1.1.0', { limit: 50, offset: 8 }));
    const { exitCode, stderr } = await diff();
    expect([exitCode, stderr]).to.deep.equal([1, '1 change is breaking.\n']);
  });

  it('keeps to a change whose place in the list of parameters has moved', async () => {
    await accept(dayFromNow(9));
    await writeFile('new.json', contractOf('1.1.0', { offset: 9, limit: 50 }));
    expect((await diff()).exitCode).to.equal(0);
  });

  it('fails again after its last day, and says so', async () => {
    await accept(dayFromNow(9));
    await rewrite({ until: dayFromNow(-1) });
    const { exitCode, stdout, stderr } = await diff();
    expect([exitCode, stderr]).to.deep.equal([
      1,
      '1 change is breaking. 1 of them was accepted for a time that is over.\n',
    ]);
    expect(stdout).to.include(`, accepted until ${dayFromNow(-1)}, which has come: GET /a`);
    await rewrite({ until: dayFromNow(0) });
    expect((await diff()).exitCode).to.equal(0);
  });

  it('fails again in the version in which it ends', async () => {
    await accept('1.2.0');
    expect((await written()).accepted[0]).to.include({ 'until-version': '1.2.0' });
    expect((await diff()).exitCode).to.equal(0);
    await writeFile('new.json', contractOf('1.10.0', { limit: 50, offset: 9 }));
    expect((await diff()).exitCode).to.equal(1);
  });

  it('leaves the other members of the file, and check leaves those of it', async () => {
    await writeFile('concordat.json', JSON.stringify({ notServed: ['find'], deviations: ['d'] }));
    await accept(dayFromNow(9));
    const project = await written();
    expect(project).to.have.all.keys('notServed', 'deviations', 'accepted');
    const options = ['--openapi', 'new.json', '--only', 'tag:none', '--update'];
    await runInProcess(runProgram, ['check', ...options]);
    expect(await written()).to.deep.equal(project);
  });

  it('takes the place of an earlier entry for the same change', async () => {
    await accept(dayFromNow(9));
    await rewrite({ until: dayFromNow(-1) });
    await accept('3.0.0');
    expect((await written()).accepted).to.have.length(1);
    expect((await diff()).exitCode).to.equal(0);
  });

  it('tells an entry that matches no change any more', async () => {
    await accept(dayFromNow(9));
    await writeFile('new.json', contractOf('1.1.0', { limit: 100, offset: 9 }));
    const { exitCode, stderr } = await diff();
    expect([exitCode, stderr]).to.deep.equal([
      0,
      'concordat.json accepts a change that is not there: GET /a: request query limit: maximum 100 → 50\n',
    ]);
  });

  const misuses: readonly (readonly [sentence: string, ...parameters: string[]])[] = [
    ['--accept needs --reason and --until', '--accept'],
    ['--accept needs --reason and --until', '--accept', '--reason', ' ', '--until', '2.0.0'],
    ['--accept needs --reason and --until', '--until', '2.0.0'],
    ['--until 2020-01-01 is over', '--accept', '--reason', 'x', '--until', '2020-01-01'],
    ['2027-02-30 is no day of the calendar', '--accept', '--reason', 'x', '--until', '2027-02-30'],
    [
      '--until 1.1.0 has come: new.json has the version 1.1.0',
      '--accept',
      '--reason',
      'x',
      '--until',
      '1.1.0',
    ],
    ['--base goes with the contracts of codegen.ts', '--base', 'main'],
    ['a day or a version, such as', '--accept', '--reason', 'x', '--until', 'soon'],
  ];
  for (const [sentence, ...parameters] of misuses) {
    it(`${parameters.join(' ')} is refused, and nothing is written`, async () => {
      const { exitCode, stdout, stderr } = await diff(...parameters);
      expect([exitCode, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.include(sentence);
      expect(existsSync('concordat.json')).to.equal(false);
    });
  }

  const entry = {
    fingerprint: 'f',
    rule: 'r',
    operations: [],
    change: 'c',
    reason: 'because',
    until: '2099-01-01',
  };
  const faults: readonly (readonly [sentence: string, content: unknown])[] = [
    ['concordat.json is not JSON', '{'],
    ['concordat.json is no object', []],
    ['"accepted" of concordat.json must be a list', { accepted: {} }],
    ['accepted[0] of concordat.json must be an object', { accepted: ['f'] }],
    ['accepted[0] of concordat.json has no "reason"', { accepted: [{ ...entry, reason: '' }] }],
    [
      'accepted[1] of concordat.json has an unknown member "untill"',
      { accepted: [entry, { ...entry, untill: '2099-01-01' }] },
    ],
    [
      'accepted[0] of concordat.json must have either "until" or "until-version"',
      { accepted: [{ ...entry, 'until-version': '2.0.0' }] },
    ],
    [
      'accepted[0] of concordat.json has an "until" that is no day',
      { accepted: [{ ...entry, until: '2099-13-01' }] },
    ],
  ];
  for (const [sentence, content] of faults) {
    it(`a file is refused: ${sentence}`, async () => {
      await writeFile('concordat.json', typeof content === 'string' ? content : JSON.stringify(content));
      const { exitCode, stderr } = await diff();
      expect(exitCode).to.equal(2);
      expect(stderr).to.include(sentence);
    });
  }

  const deprecated = (date: string): object => ({
    deprecated: true,
    'x-deprecation': { date, sunset: '2099-01-01' },
  });
  const stabilities: readonly (readonly [exitCode: number, title: string, marks: object])[] = [
    [0, 'an operation that is draft', { 'x-stability': 'draft' }],
    [0, 'an operation that is alpha', { 'x-stability': 'alpha' }],
    [1, 'an operation that is beta', { 'x-stability': 'beta' }],
    [
      1,
      'one that is beta, and deprecated since yesterday',
      { 'x-stability': 'beta', ...deprecated(dayFromNow(-1)) },
    ],
    [
      0,
      'one that is beta, and deprecated thirty days ago',
      { 'x-stability': 'beta', ...deprecated(dayFromNow(-31)) },
    ],
    [1, 'one that is stable, and deprecated thirty days ago', deprecated(dayFromNow(-31))],
  ];
  for (const [code, title, marks] of stabilities) {
    it(`exits with ${String(code)} for a break of ${title}`, async () => {
      await writeFile('old.json', contractOf('1.0.0', { limit: 100 }, marks));
      await writeFile('new.json', contractOf('1.1.0', { limit: 50 }));
      const { exitCode, stdout } = await diff();
      expect(exitCode).to.equal(code);
      if (code === 0) expect(stdout).to.match(/dangerous for clients: .*\n.*\n {2}clients: the operation is/);
    });
  }

  const levels: readonly (readonly [exitCode: number, title: string, marks: object, stability: string])[] = [
    [1, 'draft, which may not break', { 'x-stability': 'draft' }, `draft: 'never'`],
    [0, 'beta, which may break at any time', { 'x-stability': 'beta' }, 'beta: 0'],
    [1, 'beta, deprecated too lately', { 'x-stability': 'beta', ...deprecated(dayFromNow(-31)) }, 'beta: 60'],
    [0, 'stable, deprecated for long enough', deprecated(dayFromNow(-31)), 'stable: 30'],
  ];
  for (const [code, title, marks, stability] of levels) {
    it(`exits with ${String(code)} for an operation that codegen.ts makes ${title}`, async () => {
      await writeFile('old.json', contractOf('1.0.0', { limit: 100 }, marks));
      await writeFile('new.json', contractOf('1.1.0', { limit: 50 }));
      await configure(`stability: { ${stability} }`);
      expect((await diff()).exitCode).to.equal(code);
    });
  }

  it('has no other levels in codegen.ts, and no other values', async () => {
    for (const [stability, sentence] of [
      ['betta: 0', 'there is no key diff.stability.betta: do you mean beta?'],
      [`beta: 'always'`, `diff.stability.beta must be a number of days, or 'never'`],
      ['beta: -1', `diff.stability.beta must be a number of days, or 'never'`],
    ]) {
      await configure(`stability: { ${String(stability)} }`);
      expect(await diff()).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: `codegen.ts: ${String(sentence)}\n`,
      });
    }
  });
});

describe('concordat check, with the base of diff in codegen.ts', () => {
  useDirectory();

  const NEEDLESS =
    'concordat.json accepts a change that is not there: GET /a: request query limit: maximum 100 → 50\n';

  beforeEach(async () => {
    await configure(`base: 'old.json'`);
    await run('diff', '--accept', '--reason', 'The only caller is told', '--until', '3.0.0');
    await run('generate');
  });

  it('fails for an accepted change that is not there any more', async () => {
    expect((await run('check')).exitCode).to.equal(0);
    await writeFile('new.json', contractOf('1.1.0', { limit: 100, offset: 9 }));
    await run('generate');
    expect(await run('check')).to.deep.equal({
      exitCode: 1,
      stdout: NEEDLESS,
      stderr: 'Remove the accepted changes that are not there from concordat.json.\n',
    });
    expect((JSON.parse((await run('check', '--json')).stdout) as { list: unknown }).list).to.deep.equal([
      NEEDLESS.trimEnd(),
    ]);
    expect((await run('check', '--format', 'github')).stdout).to.match(
      /^::error title=needless-acceptance::/,
    );
    expect((await run('diff')).stderr).to.equal(NEEDLESS);
    await writeFile('concordat.json', '{ "accepted": [] }');
    expect((await run('check')).exitCode).to.equal(0);
  });

  it('counts the changes of all contracts in a folder', async () => {
    await writeFile('other.json', contractOf('1.0.0', { limit: 100 }));
    const apis = `a: { openapi: 'other.json', out: 'made' }, b: { openapi: 'new.json', out: 'generated', diff: { base: 'old.json' } }`;
    await configure(`base: 'other.json'`, `apis: { ${apis} },`);
    await run('generate');
    expect((await run('check')).exitCode).to.equal(0);
    expect((await run('check', '--api', 'a')).exitCode).to.equal(0);
    await writeFile('new.json', contractOf('1.1.0', { limit: 100, offset: 9 }));
    await run('generate');
    expect((await run('check')).stdout).to.include(NEEDLESS);
  });

  it('refuses a base that cannot be read, if a change is accepted', async () => {
    await configure(`base: 'nowhere'`);
    const { exitCode, stdout, stderr } = await run('check');
    expect([exitCode, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.match(/^[^\n]+\n$/);
  });
});
