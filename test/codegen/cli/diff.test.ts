/** The output and the exit codes of `concordat diff`. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { diffText } from '../../../src/tools/diff/diff-text.js';
import type { ContractDiff } from '../../../src/tools/diff/diff.js';
import { runInProcess } from '../../support/run-program.js';

const LIBRARY = 'test/fixtures/contracts/library/openapi.yaml';

/** A contract with one operation, and a line for each member. */
function contractOf(version: string, schema: object, more: object = {}): string {
  const get = {
    operationId: 'find',
    parameters: [{ name: 'limit', in: 'query', schema }],
    responses: { 204: { description: 'None' } },
  };
  const paths = { '/a': { get }, ...more };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'A|B', version }, paths }, undefined, 1);
}

describe('concordat diff', () => {
  let directory = '';
  const run = (...parameters: readonly string[]) =>
    runInProcess(runProgram, [
      'diff',
      ...parameters.map((each) => (/\.(?:json|graphql)$/.test(each) ? join(directory, each) : each)),
    ]);

  const limit = (maximum: number): object => ({ type: 'integer', maximum });
  const added = { '/b': { get: { responses: { 204: { description: 'None' } } } } };
  const files = {
    'old.json': contractOf('1.4.0', limit(100)),
    'same.json': contractOf('1.4.1', { ...limit(100), description: 'At most 100' }),
    'broken.json': contractOf('1.5.0', limit(50)),
    'major.json': contractOf('2.0.0', limit(50)),
    'default.json': contractOf('1.5.0', { ...limit(100), default: 10 }),
    'extended.json': contractOf('1.5.0', limit(100)).replace('"operationId"', '"x-quota": 5, "operationId"'),
    // No text is found that the pattern matches: it looks behind itself.
    'unread.json': contractOf('1.4.0', { type: 'string', pattern: '^(?<=^)[a-f]{3}$' }),
    'unproven.json': contractOf('1.5.0', { type: 'string', pattern: '^(?<=^)[a-f]{3}$', maxLength: 2 }),
    'added.json': contractOf('1.5.0', limit(100), added),
    'unstable-old.json': contractOf('0.3.0', limit(100)),
    'unstable.json': contractOf('0.4.0', limit(50)),
    'unstable-patch.json': contractOf('0.3.1', limit(50)),
    'number.json': contractOf('1.10', limit(100)).replace('"1.10"', '1.10'),
    'number-major.json': contractOf('2.0', limit(50)).replace('"2.0"', '2.0'),
    'number-unstable.json': contractOf('0.9', limit(100)).replace('"0.9"', '0.9'),
    'number-unstable-next.json': contractOf('0.10', limit(50)).replace('"0.10"', '0.10'),
    'unversioned.json': contractOf('', limit(50)).replace(/,\s*"version": ""/, ''),
    'list-version.json': contractOf('', limit(50)).replace('"version": ""', '"version": [1]'),
    'no-info.json': contractOf('', limit(50)).replace(/"info": \{[^}]*\},/, ''),
    'wrong-info.json': contractOf('', limit(50)).replace(/"info": \{[^}]*\}/, '"info": 5'),
    'wrong-texts.json': contractOf('1.5.0', limit(50)).replace(
      '"operationId"',
      '"summary": 5, "description": [], "operationId"',
    ),
    'faulty.json': '{ "openapi": "3.1.0", "info": { "title": "A", "version": "1.0.0" }, "paths": 1 }',
    'old.graphql': 'type Query {\n  a: Int\n  b: Int\n}\n',
    'new.graphql': 'type Query {\n  a: Int\n}\n',
  };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-versions-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  });
  after(() => rm(directory, { recursive: true }));

  const exits: readonly (readonly [number, string, ...string[]])[] = [
    [0, 'no change that counts', 'old.json', 'same.json'],
    [1, 'a breaking change', 'old.json', 'broken.json'],
    [0, 'a breaking change in a new major version', 'old.json', 'major.json'],
    [0, 'a breaking change in a new minor version before 1.0.0', 'unstable-old.json', 'unstable.json'],
    [0, 'a dangerous change', 'old.json', 'default.json'],
    [1, 'a dangerous change, if it fails', 'old.json', 'default.json', '--fail-on', 'dangerous'],
    [0, 'a changed extension', 'old.json', 'extended.json', '--for', 'both', '--fail-on', 'dangerous'],
    [1, 'a breaking change that is not proved', 'unread.json', 'unproven.json'],
    [0, 'the same for servers', 'unread.json', 'unproven.json', '--for', 'server'],
    [0, 'a change that breaks servers', 'old.json', 'added.json'],
    [1, 'a change that breaks servers, if it fails', 'old.json', 'added.json', '--for', 'server'],
    [1, 'a change that breaks either', 'old.json', 'added.json', '--for', 'both'],
    [0, 'a breaking change in a new major version that is a number', 'number.json', 'number-major.json'],
    [0, 'a breaking change in 0.10 after 0.9', 'number-unstable.json', 'number-unstable-next.json'],
    [1, 'a breaking change in a contract without a version', 'number.json', 'unversioned.json'],
    [1, 'a breaking change of a contract without a version', 'default.json', 'unversioned.json'],
    [1, 'a breaking change in a contract whose version is a list', 'old.json', 'list-version.json'],
    [1, 'a breaking change in a contract without info', 'old.json', 'no-info.json'],
    [1, 'a breaking change in a contract whose info is a number', 'old.json', 'wrong-info.json'],
    [1, 'a breaking change in a contract whose texts are none', 'old.json', 'wrong-texts.json'],
    [0, 'the same contract without info', 'no-info.json', 'wrong-info.json'],
    [1, 'a schema of GraphQL among several contracts', 'old.json', 'same.json', 'old.graphql', 'new.graphql'],
    [2, 'a contract with a fault', 'old.json', 'faulty.json'],
    [2, 'a file that is missing', 'old.json', 'nowhere.json'],
    [2, 'a revision that git does not know', 'no-such-revision:openapi.yaml', 'openapi.yaml'],
    [2, 'a revision that looks like an option', '--output=x:openapi.yaml', 'openapi.yaml'],
    [2, 'a version without the other', 'old.json'],
    [2, 'an unknown format', 'old.json', 'same.json', '--format', 'yaml'],
  ];
  for (const [code, title, ...parameters] of exits) {
    it(`exits with ${String(code)} for ${title}`, async () => {
      const { exitCode, stdout, stderr } = await run(...parameters);
      expect(exitCode, stdout + stderr).to.equal(code);
      expect(stderr === '').to.equal(code === 0);
      if (code === 2) expect(stdout).to.equal('');
    });
  }

  it('tells each change with its places, its witness and the rule of versions', async () => {
    const { stdout, stderr } = await run('old.json', 'broken.json');
    const [old, next] = ['old.json', 'broken.json'].map((name) => join(directory, name));
    expect(stdout).to.equal(`${String(old)} → ${String(next)}, version 1.4.0 → 1.5.0

For clients: 1 breaking, 0 dangerous, 0 info, 0 safe.
For servers: 0 breaking, 0 dangerous, 0 info, 1 safe.
Version 1.5.0 must not break clients of 1.4.0: a breaking change needs a new major version in info.version.

  maximum-changed: 1 breaking for clients

Breaks clients of the old version (1)

breaking for clients: GET /a: request query limit: maximum 100 → 50
  ${relativeTo(old)}:17 → ${relativeTo(next)}:17 #/paths/~1a/get/parameters/0/schema/maximum
  the old version takes
    GET /a?limit=100
  the new version refuses it: 400 query/limit must be <= 50
`);
    expect(stderr).to.equal('1 change is breaking.\n');
  });

  it('shows a version that is a number as it is written, and none where there is none', async () => {
    expect((await run('number.json', 'number-major.json')).stdout).to.include(', version 1.10 → 2.0\n');
    expect((await run('unversioned.json', 'number.json')).stdout).to.not.include('version 1.10');
  });

  it('asks for a new minor version before 1.0.0', async () => {
    const { stdout } = await run('unstable-old.json', 'unstable-patch.json');
    expect(stdout).to.include('a breaking change needs a new minor version in info.version.');
  });

  const relativeTo = (file: string | undefined): string => relative(process.cwd(), String(file));

  it('tells the same as JSON', async () => {
    const { stdout } = await run('old.json', 'broken.json', '--json');
    const [diff] = JSON.parse(stdout) as readonly ContractDiff[];
    expect(diff?.version).to.deep.equal({ old: '1.4.0', new: '1.5.0', mayBreak: false });
    const [change] = diff?.changes ?? [];
    expect(change).to.include({ kind: 'maximum-changed' });
    expect(change?.operations).to.deep.equal(['GET /a']);
    expect(change?.client).to.deep.equal({
      severity: 'breaking',
      witness: {
        request: { method: 'GET', path: '/a', query: 'limit=100', headers: {} },
        takenBy: 'old',
        refusedBy: 'new',
        refusal: '400 query/limit must be <= 50',
      },
    });
    expect(change?.server).to.deep.equal({ severity: 'safe' });
  });

  it('tells the same in Markdown, with a row for each change', async () => {
    const { stdout } = await run('old.json', 'broken.json', '--format', 'markdown');
    expect(stdout).to.include(
      '| **error** maximum-changed | GET /a | breaking for clients: request query limit: maximum 100 → 50 |',
    );
    expect(stdout).to.include('<details><summary>GET /a: breaking for clients: request query limit');
    const rows = stdout.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(rows.map((row) => row.split(/(?<!\\)\|/).length))).to.deep.equal(new Set([6]));
    const all = await run('old.json', 'broken.json', '--format', 'markdown', '--all');
    expect(all.stdout).to.include('breaking for clients: request query limit: maximum 100 → 50 |');
  });

  it('tells the same for other programs, at the line of the new version', async () => {
    const next = relativeTo(join(directory, 'broken.json'));
    const { exitCode, stdout } = await run('old.json', 'broken.json', '--format', 'github');
    expect(exitCode).to.equal(1);
    expect(stdout).to.equal(
      `::error file=${next},line=17,title=maximum-changed::GET /a: breaking for clients: request query limit: maximum 100 → 50%0A${[
        'the old version takes',
        '  GET /a?limit=100',
        'the new version refuses it: 400 query/limit must be <= 50',
      ].join('%0A')}\n`,
    );
    const junit = await run('old.json', 'broken.json', '--format', 'junit');
    expect(junit.stdout).to.include('<testsuites tests="2" failures="1" errors="0">');
    const sarif = await run('old.json', 'default.json', '--format', 'sarif');
    expect(sarif.exitCode).to.equal(0);
    expect(JSON.parse(sarif.stdout)).to.have.nested.property('runs[0].results[0].level', 'warning');
    expect((await run('old.json', 'same.json', '--format', 'github')).stdout).to.equal('');
  });

  it('tells that a breaking change is not proved, and why', async () => {
    const files = ['unread.json', 'unproven.json'];
    const { stdout } = await run(...files);
    expect(stdout).to.include(
      'breaking, unproven for clients: GET /a: request query limit: maxLength none → 2',
    );
    expect(stdout).to.include('\n  clients: no example message could be built\n');
    expect(stdout).to.include('For clients: 1 breaking (1 unproven), 0 dangerous, 0 info, 0 safe.');
    const reason = 'no example message could be built';
    expect((await run(...files, '--format', 'markdown')).stdout).to.include(
      '| GET /a | breaking, unproven for clients: request query limit',
    );
    const [diff] = JSON.parse((await run(...files, '--json')).stdout) as readonly ContractDiff[];
    expect(diff?.changes[0]?.client).to.deep.equal({ severity: 'breaking', unproven: true, reason });
  });

  it('reports removals first and one row for a kind in a schema, and counts what breaks nothing', async () => {
    const pet = (properties: object): object => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
    });
    const documentOf = (schema: object, ...paths: readonly string[]): string => {
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } };
      const get = { responses: { 200: { description: 'It', content } } };
      const info = { title: 'Pets', version: '1.0.0' };
      const all = Object.fromEntries(paths.map((path) => [path, { get }]));
      return JSON.stringify({ openapi: '3.1.0', info, paths: all, components: { schemas: { Pet: schema } } });
    };
    const text = { type: 'string' };
    await writeFile(
      join(directory, 'pets-old.json'),
      documentOf(pet({ id: text, name: text, kind: text }), '/a', '/b', '/gone'),
    );
    await writeFile(join(directory, 'pets-new.json'), documentOf(pet({ id: text }), '/a', '/b', '/added'));
    const files = ['pets-old.json', 'pets-new.json'];
    const { stdout } = await run(...files);
    const rows = stdout.split('\n').filter((line) => line.startsWith('breaking for clients'));
    expect(rows).to.deep.equal([
      'breaking for clients: GET /gone: the operation is removed',
      'breaking for clients: GET /a and 1 more: response body/name is removed that was required, and 1 more of this kind in Pet',
    ]);
    expect(stdout).to.include('\n  property-removed: 2 breaking for clients\n');
    expect(stdout).to.include('\n  also in GET /b\n');
    expect(stdout).to.match(/\n\nWhat a server of the new version must do \(1\)\n\nGET \/added/);
    expect(stdout).not.to.include('breaking for servers');
    const github = (await run(...files, '--format', 'github')).stdout;
    expect(github.match(/^::error /gm)).to.have.length(2);
    expect(github).to.match(/^::notice .*a server of the new version must follow/m);
    const markdown = (await run(...files, '--format', 'markdown')).stdout;
    expect(markdown.match(/^\| \*\*error\*\*/gm)).to.have.length(2);
    expect((await run(...files, '--all')).stdout).to.include('breaking for servers: GET /added');
  });

  it('tells a changed extension as information', async () => {
    const { stdout } = await run('old.json', 'extended.json', '--all');
    expect(stdout).to.include('\n\ninfo: GET /a: x-quota is added\n');
    expect(stdout).to.include('For clients: 0 breaking, 0 dangerous, 1 info, 0 safe.');
  });

  it('has colours where they are wanted only', async () => {
    const { stdout } = await run('old.json', 'broken.json', '--json');
    const [diff] = JSON.parse(stdout) as readonly [ContractDiff];
    expect(diffText(diff, { hasColours: true })).to.include('\u001b[31mbreaking for clients\u001b[39m');
    expect(diffText(diff, { hasColours: false })).not.to.include('\u001b');
    expect((await run('old.json', 'broken.json')).stdout).not.to.include('\u001b');
  });

  it('reads a file of a revision, and those that it refers to', async function () {
    try {
      execFileSync('git', ['cat-file', '-e', `HEAD:${LIBRARY}`], { stdio: 'ignore' });
    } catch {
      console.log('      skipped: this is no clone of the repository');
      this.skip();
    }
    const { exitCode, stdout, stderr } = await run(`HEAD:${LIBRARY}`, LIBRARY);
    expect(stderr).to.equal('');
    expect(stdout).to.match(new RegExp(`^HEAD:${LIBRARY} → ${LIBRARY}, version `));
    expect(exitCode).to.equal(0);
    const other = await run(`HEAD:${LIBRARY}`, 'old.json', '--json');
    const [diff] = JSON.parse(other.stdout) as readonly [ContractDiff];
    const places = diff.changes.map((change) => change.old?.file);
    expect(places).to.include('HEAD:test/fixtures/contracts/library/paths/books.yaml');
    expect(places.filter((file) => !file?.startsWith('HEAD:test/fixtures/contracts/library/'))).to.deep.equal(
      [],
    );
  });
});
