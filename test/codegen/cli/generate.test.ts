/** Tests of `concordat generate` and `concordat check` on a team's own contract, in an otherwise empty folder. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { runInProcess } from '../../support/run-program.js';
import { until } from '../../support/until.js';

const CONTRACT = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes/{id}:
    get:
      operationId: getNote
      security: []
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        '200':
          description: The note.
          content:
            application/json:
              schema: { type: object, required: [id], properties: { id: { type: string } } }
`;
const NOTE = '{ type: object, required: [id], properties: { id: { type: string } } }';
const WITH_SCHEMA = `${CONTRACT.replace(NOTE, "{ $ref: '#/components/schemas/Note' }")}components: { schemas: { Note: ${NOTE} } }\n`;
const WITH_SERVERS = CONTRACT.replace('security: []', 'servers: [{ url: /v9 }]\n      security: []');
const SCHEMA = 'type Query { note(id: ID!): String }\n';
const ABSENT =
  'codegen.ts does not exist: start a project with concordat init, or name a contract with --openapi or --schema';
/** What both contracts are made into. */
const FILES = [
  'graphql.ts',
  'openapi.ts',
  'operations.ts',
  'response-validators.ts',
  'routing.ts',
  'schema.ts',
  'surplus.ts',
  'validators.ts',
];

/** The directory of the package, whose program runs from its sources. */
const PACKAGE = new URL('../../../src/codegen/', import.meta.url);
const PROGRAM = [
  '--conditions=@concordat/source',
  '--import',
  import.meta.resolve('tsx'),
  fileURLToPath(new URL('cli/main.ts', PACKAGE)),
];

describe("generate and check, on a team's own contract", () => {
  const before = process.cwd();
  let cwd = '';

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'concordat-generate-'));
    await writeFile(join(cwd, 'notes.yaml'), CONTRACT);
    process.chdir(cwd);
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(cwd, { recursive: true, force: true });
  });

  it('checks in the formats of other programs, with the line of each problem', async () => {
    const faulty = CONTRACT.replace('type: string } }\n      responses', 'type: strin } }\n      responses');
    await writeFile('notes.yaml', faulty);
    const github = await run('check --openapi notes.yaml --format github');
    expect(github.exitCode).to.equal(1);
    expect(github.stdout).to.match(
      /^::error file=notes\.yaml,line=9,title=[\w-]+::notes\.yaml: #\/paths\/\S+: .+\n$/,
    );
    expect(github.stderr).to.equal('The contract has problems.\n');
    const junit = await run('check --openapi notes.yaml --format junit');
    expect(junit.stdout).to.include(
      '<testcase classname="concordat check" name="notes.yaml">\n      <failure type="',
    );

    await writeFile('notes.yaml', CONTRACT);
    const stale = await run('check --openapi notes.yaml --format github');
    expect(stale.stdout).to.include(
      '::error file=generated/openapi.ts,title=stale-file::generated/openapi.ts: ',
    );
    await run('generate --openapi notes.yaml');
    expect(await run('check --openapi notes.yaml --format github')).to.deep.equal({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    const sarif = await run('check --openapi notes.yaml --format sarif');
    expect(JSON.parse(sarif.stdout)).to.have.nested.property('runs[0].results').that.deep.equals([]);
    expect((await run('check --openapi notes.yaml --format xml')).exitCode).to.equal(2);
  });

  const run = (command: string) => runInProcess(runProgram, command.split(' '));

  const generated = (name: string): string => {
    try {
      return readFileSync(join(cwd, 'generated', name), 'utf8');
    } catch {
      return '';
    }
  };

  it('writes the files of both contracts once, and says which', async () => {
    await writeFile(join(cwd, 'notes.graphql'), SCHEMA);
    const both = 'generate --openapi notes.yaml --schema notes.graphql --out out';
    const files = FILES.map((file) => join('out', file));
    const first = await run(both);
    const wrote = files.map((file) => `wrote ${file}\n`).join('');
    expect(first).to.deep.equal({ exitCode: 0, stdout: wrote, stderr: '' });
    expect(readdirSync(join(cwd, 'out')).sort()).to.deep.equal(FILES);
    expect(await readFile(join(cwd, 'out', 'operations.ts'), 'utf8')).to.include('getNote');

    const again = await run(`${both} --json`);
    expect(again).to.deep.include({ exitCode: 0, stderr: '' });
    expect(JSON.parse(again.stdout)).to.deep.equal({ files, written: [], notices: [] });
  });

  it('names the files that are out of date, and writes none of them', async () => {
    await run('generate --openapi notes.yaml');
    const well = await run('check --openapi notes.yaml');
    const all = 'The contract has no problems, and the generated files are up to date.\n';
    expect(well).to.deep.equal({ exitCode: 0, stdout: all, stderr: '' });

    await writeFile(join(cwd, 'generated', 'operations.ts'), '// mine\n');
    const stale = join('generated', 'operations.ts');
    const error = 'These files are out of date: generate them again.';
    const [plain, asJson] = await Promise.all([
      run('generate --check --openapi notes.yaml'),
      run('check --openapi notes.yaml --json'),
    ]);
    expect(plain).to.deep.equal({ exitCode: 1, stdout: `stale: ${stale}\n`, stderr: `${error}\n` });
    expect(asJson).to.deep.include({ exitCode: 1, stderr: `${JSON.stringify({ error })}\n` });
    expect(JSON.parse(asJson.stdout)).to.deep.equal({ problems: [], stale: [stale], list: [], notices: [] });
    expect(generated('operations.ts')).to.equal('// mine\n');
  });

  it('stops at a harmless fault, with its place in the document, unless it is lenient', async () => {
    await writeFile(join(cwd, 'notes.yaml'), CONTRACT.replace('info: {', 'info: { unknown: 1,'));
    const { exitCode, stderr } = await run('check --openapi notes.yaml');
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(/^notes\.yaml:2:\d+ harmless fault unexpected-field at #\/info\/unknown: /);
    for (const option of ['--lenient', '--accept unexpected-field'])
      expect((await run(`generate --openapi notes.yaml ${option}`)).exitCode).to.equal(0);
  });

  it('prints the first note of each kind, with the number of the others, and all where they are asked for', async () => {
    const properties = ['a', 'b', 'c'].map((name) => `${name}: { type: string, format: ${name}-code }`);
    await writeFile(
      join(cwd, 'notes.yaml'),
      CONTRACT.replace('version: 1.0.0', 'version: 1').replace('id: { type: string }', properties.join(', ')),
    );
    const lines = (await run('generate --openapi notes.yaml')).stderr.trim().split('\n');
    expect(lines).to.have.lengthOf(2);
    expect(lines[0]).to.match(/^notes\.yaml:2:\d+ note invalid-documentation at #\/info\/version: [^(]+$/);
    expect(lines[1]).to.match(
      / note unknown-format at .+ \(and 2 more: concordat check --verbose lists them\)$/,
    );
    for (const command of ['generate --verbose', 'check --verbose'])
      expect((await run(`${command} --openapi notes.yaml`)).stderr.trim().split('\n')).to.have.lengthOf(4);
    const { notices } = JSON.parse((await run('generate --openapi notes.yaml --json')).stdout) as {
      readonly notices: readonly unknown[];
    };
    expect(notices).to.have.lengthOf(4);
  });

  it('stops at an unsupported feature, with its place in the document, unless that is accepted', async () => {
    await writeFile(join(cwd, 'notes.yaml'), WITH_SERVERS);
    const [{ exitCode, stdout, stderr }, checked] = await Promise.all([
      run('generate --openapi notes.yaml'),
      run('check --openapi notes.yaml --json'),
    ]);
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: '' });
    const pointer = '#/paths/~1notes~1{id}/get/servers';
    const message = 'separate servers of a path or operation are ignored';
    expect(stderr).to.equal(
      `notes.yaml:7:7 unsupported feature servers at ${pointer}: ${message}\n` +
        'Change the contract, or accept unsupported features by name: servers\n',
    );
    expect(readdirSync(cwd)).to.deep.equal(['notes.yaml']);

    expect(checked).to.deep.include({ exitCode: 1, stderr: '{"error":"The contract has problems."}\n' });
    expect(JSON.parse(checked.stdout)).to.deep.equal({
      problems: [{ feature: 'servers', file: 'notes.yaml', line: 7, column: 7, pointer, message }],
      stale: [],
      list: [],
      notices: [],
    });
    expect((await run('generate --openapi notes.yaml --accept servers')).exitCode).to.equal(0);
  });

  it('names the problems of both contracts at once', async () => {
    await writeFile(join(cwd, 'notes.yaml'), WITH_SERVERS);
    await writeFile(join(cwd, 'notes.graphql'), 'type Query {\n  a: Nope\n  b: Neither\n}\n');
    const { exitCode, stderr } = await run('check --openapi notes.yaml --schema notes.graphql');
    expect(exitCode).to.equal(1);
    expect(stderr.split('\n').map((line) => line.split(' ')[0])).to.deep.equal([
      'notes.yaml:7:7',
      'notes.graphql:2:6',
      'notes.graphql:3:6',
      'Change',
      '',
    ]);
  });

  it('names a file that is not a contract or does not exist, in one line', async () => {
    await writeFile(join(cwd, 'broken.yaml'), 'paths: [');
    const [broken, absent, nowhere] = await Promise.all([
      run('generate --openapi broken.yaml'),
      run('generate'),
      run('generate --openapi a.yaml --schema b.graphql'),
    ]);
    expect(broken.exitCode).to.equal(1);
    expect(broken.stderr).to.match(/^broken\.yaml:1:9 invalid-syntax: [^\n]+\n$/);
    expect(absent).to.deep.equal({ exitCode: 2, stdout: '', stderr: `${ABSENT}\n` });
    expect(nowhere.stderr).to.equal(
      'a.yaml missing-file: the file does not exist\nb.graphql missing-file: the file does not exist\n',
    );
  });

  const schemas: readonly (readonly [what: string, schema: string, stderr: string])[] = [
    [
      'the place of a type that is not there',
      'type Query {\n  a: Nope\n}\n',
      'notes.graphql:2:6 invalid-schema: Unknown type "Nope".\n',
    ],
    [
      'the place where it does not parse',
      'type Query {\n  a:\n',
      'notes.graphql:3:1 invalid-syntax: Syntax Error: Expected Name, found <EOF>.\n',
    ],
    ['that it is empty', '\n', 'notes.graphql:1:1 invalid-syntax: it is empty\n'],
    [
      'where a type has more lists inside each other than the compiler reads',
      `type Query { a: ${'['.repeat(60)}Int${']'.repeat(60)} }\n`,
      'notes.graphql:1:46 invalid-syntax: it is nested over 30 levels deep\n',
    ],
    [
      'what it lacks to be run',
      'type Note { id: ID }\n',
      'notes.graphql invalid-schema: Query root type must be provided.\n',
    ],
    [
      'each field that an interface asks for',
      'type Query { a: I }\ninterface I { x: Int, y: Int }\ntype A implements I { z: Int }\n',
      'notes.graphql:2:15 invalid-schema: Interface field I.x expected but A does not provide it.\n' +
        'notes.graphql:2:23 invalid-schema: Interface field I.y expected but A does not provide it.\n',
    ],
  ];
  for (const [what, schema, stderr] of schemas) {
    it(`says of a schema ${what}`, async () => {
      await writeFile(join(cwd, 'notes.graphql'), schema);
      const [written, checked] = await Promise.all([
        run('generate --schema notes.graphql'),
        run('check --schema notes.graphql'),
      ]);
      expect(written).to.deep.equal({ exitCode: 1, stdout: '', stderr });
      expect(checked).to.deep.equal({ exitCode: 1, stdout: '', stderr });
    });
  }

  it('gives the values of a format a type, where that is asked for', async () => {
    await writeFile(
      join(cwd, 'notes.yaml'),
      CONTRACT.replace('{ type: string } }\n      resp', '{ type: string, format: date } }\n      resp'),
    );
    expect(
      (await run('generate --openapi notes.yaml --value date=Date --value int64=bigint')).exitCode,
    ).to.equal(0);
    expect(generated('operations.ts')).to.include(': Date');
    expect(generated('values.ts')).to.include('toFullDate(');
    expect((await run('check --openapi notes.yaml --value date=Date')).exitCode).to.equal(0);
    expect((await run('check --openapi notes.yaml')).exitCode).to.equal(1);
  });

  it('replaces no file that was not generated', async () => {
    const file = join(cwd, 'generated', 'operations.ts');
    await mkdir(join(cwd, 'generated'), { recursive: true });
    await writeFile(file, 'export const mine = 1;\n');
    const { exitCode, stderr } = await run('generate --openapi notes.yaml');
    expect([exitCode, stderr]).to.deep.equal([
      2,
      'generated/operations.ts was not generated: move it, or choose another folder for the generated files\n',
    ]);
    expect(await readFile(file, 'utf8')).to.equal('export const mine = 1;\n');
    await writeFile(file, '');
    expect((await run('generate --openapi notes.yaml')).exitCode).to.equal(0);
  });

  it('removes the JavaScript that earlier versions wrote, and no other file', async () => {
    await run('generate --openapi notes.yaml');
    const old =
      '// Generated by concordat from notes.yaml. Do not edit: change the contract and generate again.\n';
    for (const [name, text] of [
      ['validators.js', old],
      ['validators.d.ts', old],
      ['values.js', old],
      ['response-validators.js', 'mine'],
    ] as const) {
      await writeFile(join(cwd, 'generated', name), text);
    }
    const { exitCode, stdout } = await run('check --openapi notes.yaml');
    expect([exitCode, stdout]).to.deep.equal([
      1,
      'stale: generated/validators.d.ts\nstale: generated/validators.js\n',
    ]);
    await run('generate --openapi notes.yaml');
    expect((await run('check --openapi notes.yaml')).exitCode).to.equal(0);
    expect(
      (await readdir(join(cwd, 'generated'))).filter((name) => /\.(?:js|d\.ts)$/.test(name)),
    ).to.deep.equal(['response-validators.js', 'values.js']);
  });

  it('suggests how a format gets a type of the team', async () => {
    const { exitCode, stderr } = await run('generate --openapi notes.yaml --value decimal=Money');
    expect(exitCode).to.equal(2);
    expect(stderr).to.include('concordat init --value decimal=Money');
    expect(stderr).to.include(
      "{ 'decimal': { type: 'Money', from: '../src/values/money.js', decode: 'readMoney', encode: 'writeMoney' } }",
    );
  });

  it('lets formats only describe values, where that is asked for', async () => {
    const contract = CONTRACT.replace(
      '{ type: string } }\n      resp',
      '{ type: string, format: date } }\n      resp',
    );
    await writeFile(join(cwd, 'notes.yaml'), contract);
    await run('generate --openapi notes.yaml');
    expect(generated('validators.ts')).to.include('"date"');
    await run('generate --openapi notes.yaml --formats annotate');
    expect(generated('validators.ts')).not.to.include('"date"');
  });

  const misuses = [
    'generate --watch --json',
    'generate --watch --check',
    'check --openapi',
    'check --formats no',
    'check --value date-time=moment',
    'check --value Date',
  ];
  for (const misuse of misuses) {
    it(`refuses ${misuse} with 2`, async () => {
      const { exitCode, stdout, stderr } = await run(misuse);
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' });
      expect(stderr).to.match(
        misuse.includes('--json')
          ? /^\{"error":"Option '[^\n]*\. See concordat \w+ --help\."\}\n$/
          : /^Option '[^\n]*\nSee concordat \w+ --help\.\n$/,
      );
    });
  }

  it('refuses with 2 what goes with a document that is not named', async () => {
    const { exitCode, stderr } = await run('generate --schema notes.graphql --formats annotate');
    expect(exitCode).to.equal(2);
    expect(stderr).to.match(/^--[^\n]+ go with an OpenAPI document\n$/);
  });

  describe('with a configuration', () => {
    /** What the configuration imports. */
    beforeEach(async () => {
      await mkdir(join(cwd, 'node_modules/@concordat'), { recursive: true });
      await symlink(fileURLToPath(PACKAGE), join(cwd, 'node_modules/concordat'));
    });

    const configuration = (options: string, rest = ''): Promise<void> =>
      writeFile(
        join(cwd, 'codegen.ts'),
        `import { codegenConfig } from 'concordat';\n` +
          `const options: { readonly out: string; readonly openapi: string } = { openapi: 'notes.yaml', out: 'made'${options} };\n` +
          `export default { ...codegenConfig(options)${rest} };\n`,
      );

    it('generates what codegen.ts says, in TypeScript', async () => {
      await configuration('');
      const { exitCode, stdout, stderr } = await run('generate');
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' });
      expect(stdout).to.include(`wrote ${join('made', 'routing.ts')}\n`);
      expect((await run('check -c codegen.ts')).exitCode).to.equal(0);
    });

    it('says which options bring back what is not written any more, and leaves nothing of it', async () => {
      const read = (name: string) =>
        existsSync(join('made', name)) ? readFileSync(join('made', name), 'utf8') : '';
      await writeFile('notes.yaml', WITH_SCHEMA);
      await configuration(', clientTypes: true, standardSchemas: true');
      expect((await run('generate')).stderr).to.equal('');
      expect(read('openapi.ts')).to.match(/^export interface paths /m);
      expect(read('standard-schemas.ts')).to.include('schemas');

      await configuration('');
      // Node has already loaded codegen.ts.
      await rename('codegen.ts', 'least.codegen.ts');
      const checked = await run('check --config least.codegen.ts');
      expect(checked.stdout)
        .to.include('stale: made/openapi.ts')
        .and.include('stale: made/standard-schemas.ts');
      const { stderr } = await run('generate --config least.codegen.ts');
      expect(stderr.trim().split('\n')).to.deep.equal([
        'made/openapi.ts has no types paths, operations, webhooks and components of other kinds than schemas any more: if you import it, write clientTypes: true to codegen.ts, and generate again',
        'made/standard-schemas.ts is removed: if you import it, write standardSchemas: true to codegen.ts, and generate again',
      ]);
      expect(read('openapi.ts')).to.not.match(/^export interface (?:paths|operations|webhooks) /m);
      expect(read('standard-schemas.ts')).to.equal('');
      expect((await run('generate --config least.codegen.ts')).stderr).to.equal('');
    });

    it('refuses one that generates other files too, rather than leaving them out', async () => {
      await configuration('', `, generates: { 'client.ts': { plugins: ['typescript'] } }`);
      const { exitCode, stderr } = await run('generate');
      expect(exitCode).to.equal(2);
      expect(stderr).to.equal(
        'codegen.ts also generates client.ts: run graphql-codegen --config codegen.ts\n',
      );
    });

    it('refuses one that codegenConfig() did not make', async () => {
      await writeFile(join(cwd, 'codegen.ts'), `export default { generates: {} };\n`);
      const { exitCode, stderr } = await run('generate');
      expect(exitCode).to.equal(2);
      expect(stderr).to.equal('codegen.ts must export default codegenConfig({ … })\n');
    });
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`generates again whenever a file of the contract changes, until ${signal}`, async () => {
      await writeFile(
        join(cwd, 'notes.yaml'),
        CONTRACT.replace('{ type: string } }\n      resp', "{ $ref: 'parts/id.yaml' } }\n      resp"),
      );
      await mkdir(join(cwd, 'parts'));
      await writeFile(join(cwd, 'parts/id.yaml'), 'type: string\nmaxLength: 10\n');
      const child = spawn(process.execPath, [...PROGRAM, 'generate', '--openapi', 'notes.yaml', '--watch'], {
        cwd,
      });
      const exit = once(child, 'close');
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      try {
        await until('it watches', () => stdout.includes('Watching for changes'));
        expect(generated('validators.ts')).to.include('> 10');
        await writeFile(join(cwd, 'parts/id.yaml'), 'type: string\nmaxLength: 20\n');
        await until('it has generated again', () => generated('validators.ts').includes('> 20'));
        await writeFile(join(cwd, 'notes.yaml'), WITH_SERVERS);
        await until('it says what is wrong', () =>
          stderr.includes('notes.yaml:7:7 unsupported feature servers'),
        );
        await writeFile(join(cwd, 'notes.yaml'), CONTRACT.replace('getNote', 'readNote'));
        await until('it has recovered', () => generated('operations.ts').includes('readNote'));
        child.kill(signal);
        expect(await exit).to.deep.equal([0, null]);
      } finally {
        child.kill('SIGKILL');
      }
    });
  }
});
