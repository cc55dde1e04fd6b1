/** Tests of the list of operations that are not served yet: `check` compares it with the generated operations and with a revision. */

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../src/codegen/cli/program.js';
import { runInProcess } from '../support/run-program.js';

const operation = (id: string): string =>
  `{ operationId: ${id}, security: [], responses: { '204': { description: Done. } } }`;
const CONTRACT = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes: { get: ${operation('listNotes')}, post: ${operation('addNote')} }
  /notes/all: { delete: ${operation('deleteNotes')} }
`;

describe('the operations that are not served yet', () => {
  const before = process.cwd();
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'concordat-not-served-'));
    process.chdir(cwd);
    await mkdir('api');
    await writeFile('api/notes.yaml', CONTRACT);
    await run('generate', 'listNotes');
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(cwd, { recursive: true });
  });

  const list = (value: unknown): Promise<void> => writeFile('api/concordat.json', JSON.stringify(value));

  async function run(command: string, only: string): Promise<readonly string[]> {
    const { exitCode, stdout, stderr } = await runInProcess(runProgram, [
      ...command.split(' '),
      ...['--openapi', 'api/notes.yaml'],
      ...only.split(' ').flatMap((id) => ['--only', `operation:${id}`]),
    ]);
    return [String(exitCode), ...`${stdout}${stderr}`.trimEnd().split('\n')];
  }
  const WELL = ['0', 'The contract has no problems, and the generated files are up to date.'];
  const WRONG = 'The list of operations that are not served is not right.';

  it('are listed, or generated', async () => {
    expect(await run('check', 'listNotes')).to.deep.equal(WELL);
    await list({ notServed: ['addNote', 'deleteNotes'] });
    expect(await run('check', 'listNotes')).to.deep.equal(WELL);
    await list({ notServed: ['addNote', 'listNotes', 'sendNote'] });
    expect(await run('check', 'listNotes')).to.deep.equal([
      '1',
      'deleteNotes is neither generated nor listed: add it to "only", or to "notServed" of api/concordat.json.',
      'listNotes is generated and listed: remove it from "notServed" of api/concordat.json.',
      'sendNote is listed in "notServed" of api/concordat.json, and the contract has no such operation.',
      WRONG,
    ]);
    const [, json = ''] = await run('check --json', 'listNotes');
    expect((JSON.parse(json) as { list: unknown }).list).to.have.length(3);
  });

  it('are not checked in a project without the list', async () => {
    await list({ deviations: ['addNote response 200 body type'] });
    expect(await run('check', 'listNotes')).to.deep.equal(WELL);
  });

  it('are written by --update, which leaves the deviations', async () => {
    await list({ deviations: ['b', 'a'] });
    expect(await run('check --update', 'listNotes')).to.deep.equal(WELL);
    expect(await readFile('api/concordat.json', 'utf8')).to.equal(
      '{\n  "deviations": [\n    "b",\n    "a"\n  ],\n  "notServed": [\n    "addNote",\n    "deleteNotes"\n  ]\n}\n',
    );
  });

  it('do not become more since a revision', async () => {
    const git = (...parameters: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters]);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'Without a list');
    git('tag', 'before');
    await list({ notServed: ['addNote', 'deleteNotes'], deviations: ['a'] });
    expect(await run('check --against before', 'listNotes')).to.deep.equal(WELL);
    git('add', '.');
    git('commit', '--quiet', '-m', 'With a list');
    expect(await run('check --against HEAD', 'listNotes')).to.deep.equal(WELL);

    await list({ notServed: ['addNote', 'deleteNotes', 'listNotes'], deviations: ['a', 'b'] });
    expect(await run('check --against HEAD', 'listNotes')).to.deep.equal([
      '1',
      'listNotes is generated and listed: remove it from "notServed" of api/concordat.json.',
      'listNotes is listed in "notServed" of api/concordat.json, and was not at HEAD.',
      'b is listed in "deviations" of api/concordat.json, and was not at HEAD.',
      WRONG,
    ]);
    await rm('api/concordat.json');
    expect((await run('check --against HEAD', 'listNotes'))[1]).to.match(/^addNote is neither /);
    const [exitCode, message] = await run('check --against nowhere', 'listNotes');
    expect([exitCode, message]).to.deep.equal(['2', 'Not a valid object name nowhere']);
  });

  it('are in a file whose faults have one sentence', async () => {
    const sentences: readonly (readonly [unknown, string])[] = [
      [[], 'api/concordat.json is no object: it has "notServed", "deviations" and "accepted".'],
      [
        { served: [] },
        'api/concordat.json has the unknown member "served": it has "notServed", "deviations" and "accepted".',
      ],
      [{ notServed: [1] }, '"notServed" of api/concordat.json must be a list of texts.'],
    ];
    for (const [value, sentence] of sentences) {
      await list(value);
      expect(await run('check', 'listNotes')).to.deep.equal(['2', sentence]);
    }
    await writeFile('api/concordat.json', '{');
    expect(await run('check', 'listNotes')).to.deep.equal(['2', 'api/concordat.json is not JSON.']);
    await rm('api/concordat.json');
    await mkdir('api/concordat.json');
    for (const command of ['check', 'check --update']) {
      expect(await run(command, 'listNotes')).to.deep.equal([
        '2',
        'api/concordat.json cannot be read: EISDIR: illegal operation on a directory, read',
      ]);
    }
  });
});
