/** `concordat generate` and `concordat check` on a contract of somebody's own, in a folder that has nothing else in it. */

import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../../support/until.js';
import { type Started, useProgram } from '../../service/program-process.js';

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
const GAP = CONTRACT.replace('security: []', 'callbacks: {}\n      security: []');
const SCHEMA = 'type Query { note(id: ID!): String }\n';
const ABSENT = 'codegen.ts is not there: write one, or name a contract with --openapi or --schema';
/** What both contracts are made into. */
const FILES = [
  'graphql.ts',
  'openapi.ts',
  'operations.ts',
  'response-validators.d.ts',
  'response-validators.js',
  'routing.ts',
  'schema.ts',
  'validators.d.ts',
  'validators.js',
];

describe("generate and check, on somebody's own contract", function () {
  this.timeout(30_000);
  const program = useProgram();
  let cwd = '';

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'concordat-generate-'));
    await writeFile(join(cwd, 'notes.yaml'), CONTRACT);
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  const start = (command: string): Started => program(command.split(' '), { cwd });

  async function run(command: string) {
    const { exit, stdout, stderr } = start(command);
    return { exitCode: await exit, stdout: stdout(), stderr: stderr() };
  }

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
    expect(JSON.parse(again.stdout)).to.deep.equal({ files, written: [] });
  });

  it('names the files that are not what the contract says, and writes none of them', async () => {
    await run('generate --openapi notes.yaml');
    const well = await run('check --openapi notes.yaml');
    const all = 'The contract has no problems, and the generated files are what it says.\n';
    expect(well).to.deep.equal({ exitCode: 0, stdout: all, stderr: '' });

    await writeFile(join(cwd, 'generated', 'operations.ts'), '// mine\n');
    const stale = join('generated', 'operations.ts');
    const stderr = 'These files are not what the contract says: generate them again.\n';
    const [plain, asJson] = await Promise.all([
      run('generate --check --openapi notes.yaml'),
      run('check --openapi notes.yaml --json'),
    ]);
    expect(plain).to.deep.equal({ exitCode: 1, stdout: `stale: ${stale}\n`, stderr });
    expect(asJson).to.deep.include({ exitCode: 1, stderr });
    expect(JSON.parse(asJson.stdout)).to.deep.equal({ problems: [], stale: [stale] });
    expect(generated('operations.ts')).to.equal('// mine\n');
  });

  it('stops at what it cannot honour, with the place in the document, unless that is accepted', async () => {
    await writeFile(join(cwd, 'notes.yaml'), GAP);
    const [{ exitCode, stdout, stderr }, checked] = await Promise.all([
      run('generate --openapi notes.yaml'),
      run('check --openapi notes.yaml --json'),
    ]);
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: '' });
    expect(stderr).to.match(/^ {2}#\/paths\/~1notes~1\{id\}\/get\/callbacks: .*\(callbacks\)$/m);
    expect(stderr).not.to.match(/^ +at /m);
    expect(readdirSync(cwd)).to.deep.equal(['notes.yaml']);

    const { problems } = JSON.parse(checked.stdout) as {
      problems: readonly string[];
    };
    expect(problems.join('\n')).to.equal(stderr.trimEnd());
    expect((await run('generate --openapi notes.yaml --accept callbacks')).exitCode).to.equal(0);
  });

  it('says in a line or two what is no contract, and what is not there', async () => {
    await writeFile(join(cwd, 'broken.yaml'), 'paths: [');
    const [broken, absent] = await Promise.all([run('generate --openapi broken.yaml'), run('generate')]);
    expect(broken.exitCode).to.equal(1);
    expect(broken.stderr).to.match(/^broken\.yaml is not a valid contract:\n {2}[^\n]+ \(\d+:\d+\)\n$/);
    expect(absent).to.deep.equal({ exitCode: 1, stdout: '', stderr: `${ABSENT}\n` });
  });

  const schemas: readonly (readonly [what: string, schema: string, stderr: string])[] = [
    [
      'the place of a type that is not there',
      'type Query {\n  a: Nope\n}\n',
      'notes.graphql is not a valid schema:\n  notes.graphql:2:6: there is no type Nope\n',
    ],
    [
      'the place where it does not parse',
      'type Query {\n  a:\n',
      'notes.graphql is not a valid schema:\n  notes.graphql:3:1: Syntax Error: Expected Name, found <EOF>.\n',
    ],
    ['that it is empty', '\n', 'notes.graphql is not a valid schema:\n  notes.graphql:1:1: it is empty\n'],
    [
      'what it lacks to be run',
      'type Note { id: ID }\n',
      'The schema is not valid:\n  Query root type must be provided.\n',
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

  const misuses = ['generate --watch --json', 'generate --watch --check', 'check --openapi'];
  for (const misuse of misuses) {
    it(`refuses ${misuse} with 2`, async () => {
      const { exitCode, stdout, stderr } = await run(misuse);
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' });
      expect(stderr).to.match(/^Option '[^\n]*\nSee concordat help\.\n$/);
    });
  }

  it('generates again whenever the contract changes, until it is told to stop', async () => {
    const { child, exit, stdout, stderr } = start('generate --openapi notes.yaml --watch');
    await until('it watches', () => stdout().includes('Watching for changes'));
    expect(generated('operations.ts')).to.include('getNote');
    const isTold = (): boolean => `${stdout()}${stderr()}`.includes('(callbacks)');
    await change(GAP, 'it says what is wrong', isTold);
    const renamed = CONTRACT.replace('getNote', 'readNote');
    await change(renamed, 'it has generated again', () => generated('operations.ts').includes('readNote'));
    child.kill('SIGINT');
    expect(await exit).to.equal(0);
  });

  /** Again and again, because the watcher says that it watches before it does. */
  async function change(contract: string, what: string, holds: () => boolean): Promise<void> {
    let written = -Infinity;
    await until(what, async () => {
      if (performance.now() > written + 2000) {
        await writeFile(join(cwd, 'notes.yaml'), contract);
        written = performance.now();
      }
      return holds();
    });
  }
});
