/** Projects that `concordat init` starts, and what it adds to them when their contracts change. */

import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type HttpHandler, memoryRequest } from '@concordat/runtime';
import { complaints } from '../strict-compiler.js';
import { type NewProject, useProjects } from './new-project.js';

const NOTES = `openapi: 3.1.0
info: { title: Notes, version: '1' }
security: [{ keyAuth: [] }]
paths:
  /notes:
    get:
      operationId: listNotes
      responses:
        '200':
          description: All of them.
          content: { application/json: { schema: { type: array, items: { type: string } } } }
    post:
      operationId: notes/delete-all
      responses: { '204': { description: Gone. } }
components:
  securitySchemes:
    keyAuth: { type: apiKey, in: header, name: X-Key }
`;

const CREATE = `    put:
      operationId: replaceNotes
      responses: { '204': { description: Replaced. } }
`;

const SCHEMA = `type Query { node: Node, notes(first: Int!): [Note!]! }
type Mutation { forget: Boolean! }
type Subscription { noted: Note! }
interface Node { id: ID! }
type Note implements Node { id: ID!, at: Date!, text(length: Int): String! }
scalar Date
`;

describe('concordat init', () => {
  const newProject = useProjects();

  /** What a module of a project exports. */
  async function load<Name extends string>(
    project: NewProject,
    file: string,
  ): Promise<Record<Name, HttpHandler>> {
    return (await import(pathToFileURL(join(project.directory, file)).href)) as Record<Name, HttpHandler>;
  }

  it('tells a project of the earlier packages where their new names are listed', async () => {
    const project = await newProject();
    const devDependencies = { '@concordat/codegen': '^0.3.0' };
    await project.write('package.json', JSON.stringify({ type: 'module', devDependencies }));
    await project.write('api.yaml', NOTES);
    const { notes } = await project.init('api.yaml');
    expect(notes).to.have.length(1);
    expect(notes[0]).to.include('package.json lists @concordat/codegen: the packages have new names');
  });

  it('quotes the names of files and the address of the server for a shell, in the page for assistants', async () => {
    const project = await newProject();
    const file = "team's $(touch pwned).yaml";
    await project.write(file, `${NOTES}servers: [{ url: "/o'clock/$(touch pwned);#" }]\n`);
    await project.write('a b.graphql', SCHEMA);
    await project.write("c'd.graphql", 'extend type Query { more: Int! }\n');
    await project.write(
      'codegen.ts',
      `import { codegenConfig } from 'concordat';
export default codegenConfig({ openapi: "${file}", schema: ['a b.graphql', "c'd.graphql"], out: 'generated' });
`,
    );
    await project.init();
    const page = await project.read('AGENTS.md');
    const commands = [...page.matchAll(/^- `npx concordat (?:verify|diff) (.+)`$/gm)].map(
      ([, words = '']) => {
        const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${words}`], {
          cwd: project.directory,
          encoding: 'utf8',
        });
        return stdout.trimEnd().split('\n');
      },
    );
    expect(commands).to.deep.equal([
      ["http://127.0.0.1:3000/o'clock/$(touch%20pwned);", '--openapi', file],
      [`HEAD:${file}`, file],
      ['http://127.0.0.1:3000', '--schema', 'a b.graphql', '--schema', "c'd.graphql"],
      ['HEAD:a b.graphql', 'a b.graphql'],
    ]);
    expect(Object.keys(await project.files())).not.to.include('pwned');
  });

  describe('in an empty folder', () => {
    let project: NewProject;

    before(async () => {
      project = await newProject();
      expect((await project.init()).notes).to.deep.equal([]);
    });

    it('makes a project that compiles, with generated code that is up to date', async () => {
      expect(project.typeProblems()).to.deep.equal([]);
      expect((await project.concordat('check')).exitCode).to.equal(0);
    });

    it('has handlers and resolvers that are not implemented', async () => {
      const { engine } = await load<'engine'>(project, 'src/rest/engine.ts');
      const { status, body } = await engine(memoryRequest({ path: '/greetings/Ada' }));
      expect([status, body]).to.deep.equal([
        501,
        '{"type":"about:blank","title":"Not Implemented","status":501,"detail":"getGreeting is not implemented"}',
      ]);
      const { endpoint } = await load<'endpoint'>(project, 'src/graphql/endpoint.ts');
      const query = new URLSearchParams({ query: '{ greeting(name: "Ada") { text } }' }).toString();
      const answer = await endpoint(memoryRequest({ path: '/graphql', query }));
      expect(Buffer.from(answer.body as Uint8Array).toString()).to.include('"code":"NOT_IMPLEMENTED"');
    });

    it('has a page for coding assistants that names only what there is', async () => {
      const page = await project.read('AGENTS.md');
      const { scripts } = JSON.parse(await project.read('package.json')) as { readonly scripts: object };
      const files = Object.keys(await project.files());
      expect(page.split('\n')).to.have.length.below(60);
      const named = [...page.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
      for (const text of named) {
        const [, script] = /^npm (?:run )?(\w+)$/.exec(text) ?? [];
        if (script !== undefined) expect(scripts).to.have.property(script);
        const [, command, parameters = ''] = /^npx concordat (\w+)(.*)$/.exec(text) ?? [];
        if (command !== undefined) {
          const { stdout } = await project.concordat('help', command);
          expect(stdout).to.include(`Usage: concordat ${command}`);
          for (const [option] of parameters.matchAll(/--[a-z-]+/g)) expect(stdout).to.include(option);
        }
        if (/^(?:src|test)\//.test(text))
          expect(
            files.some((file) => file.startsWith(text)),
            text,
          ).to.equal(true);
      }
      expect(named).to.include.members([
        'npm run generate',
        'npx concordat init',
        'npx concordat check',
        'npx concordat verify http://127.0.0.1:3000 --openapi openapi.yaml',
        'npx concordat diff HEAD:schema.graphql schema.graphql',
      ]);
    });

    it('is built by the compiler alone, with its checks', async () => {
      const parameters = [
        '-p',
        'tsconfig.build.json',
        '--customConditions',
        '@concordat/source',
        '--rootDir',
        '/',
      ];
      const outDir = join(project.directory, 'built');
      const tsc = join(project.directory, 'node_modules/typescript/bin/tsc');
      const { stdout } = spawnSync(
        process.execPath,
        [tsc, ...parameters, '--listEmittedFiles', '--outDir', outDir],
        {
          cwd: project.directory,
          encoding: 'utf8',
        },
      );
      const emitted = stdout.split('\n').filter((line) => line.includes('/generated/'));
      expect(emitted.map((line) => line.replace(/.*\/generated\//, ''))).to.include.members([
        'routing.js',
        'validators.js',
        'response-validators.js',
        'surplus.js',
      ]);
      await rm(outDir, { recursive: true });
    });

    it('passes its tests without a stack', () => {
      const { stdout, stderr, status } = project.test();
      expect([status, stderr]).to.deep.equal([0, '']);
      expect(stdout)
        .to.match(/# pass 1\n/)
        .and.to.match(/# todo 1\n/);
      expect(stdout).not.to.match(/^#? +at |Error:/m);
    });

    it('changes nothing when it is run again', async () => {
      const before = await project.files();
      const { stdout } = await project.concordat('init');
      expect(stdout).to.equal('The project has everything that its contracts need\n');
      expect(await project.files()).to.deep.equal(before);
    });
  });

  describe('with contracts of a team', () => {
    let project: NewProject;

    before(async () => {
      project = await newProject();
      await project.write('api/notes.yaml', NOTES);
      await project.write('api/notes.graphql', SCHEMA);
      await project.init('api/notes.yaml', 'api/notes.graphql');
    });

    it('has a file for every handler, security handler, resolver and scalar that is needed, and compiles', async () => {
      const files = Object.keys(await project.files()).filter((file) => /^src\/\w+\/\w+\//.test(file));
      expect(files).to.have.members([
        'src/rest/operations/list-notes.ts',
        'src/rest/operations/notes-delete-all.ts',
        'src/rest/security/key-auth.ts',
        'src/graphql/resolvers/date.ts',
        'src/graphql/resolvers/mutation-forget.ts',
        'src/graphql/resolvers/node-resolve-type.ts',
        'src/graphql/resolvers/note-text.ts',
        'src/graphql/resolvers/query-node.ts',
        'src/graphql/resolvers/query-notes.ts',
        'src/graphql/resolvers/subscription-noted.ts',
      ]);
      expect(project.typeProblems()).to.deep.equal([]);
    });

    it('refuses a request without a credential, and cannot say yet whose one is', async () => {
      const { engine } = await load<'engine'>(project, 'src/rest/engine.ts');
      expect((await engine(memoryRequest({ path: '/notes' }))).status).to.equal(401);
      const withKey = memoryRequest({ path: '/notes', headers: { 'x-key': 'k' } });
      expect((await engine(withKey)).status).to.equal(501);
    });

    it('has a schema that starts', async () => {
      const { endpoint } = await load<'endpoint'>(project, 'src/graphql/endpoint.ts');
      const query = new URLSearchParams({ query: '{ node { id } }' }).toString();
      const answer = await endpoint(memoryRequest({ path: '/graphql', query }));
      expect(Buffer.from(answer.body as Uint8Array).toString()).to.include('Query.node is not implemented');
    });

    it('does not compile after a change of the contract until init is run, which touches nothing of a person', async () => {
      const mine = 'src/rest/operations/list-notes.ts';
      await project.edit(mine, `() => {\n  throw`, `() => {\n  // Mine.\n  throw`);
      await project.edit('src/rest/operations.ts', '  listNotes,\n', '  listNotes, // first\n');
      const before = await project.files();
      await project.edit(
        'api/notes.yaml',
        '    post:\n      operationId: notes/delete-all',
        `${CREATE}    post:\n      operationId: clear`,
      );
      await project.write(
        'api/notes.graphql',
        SCHEMA.replace('forget: Boolean!', 'forget: Boolean!, learn: Int!'),
      );
      expect((await project.concordat('generate')).exitCode).to.equal(0);
      const problems = project.typeProblems().join('\n');
      expect(problems).to.include("'notes/delete-all'").and.include("'learn' is missing");

      const { written, notes } = await project.init();
      expect(written).to.have.members([
        'src/rest/operations/clear.ts',
        'src/rest/operations/replace-notes.ts',
        'src/rest/operations.ts',
        'src/graphql/resolvers/mutation-learn.ts',
        'src/graphql/resolvers.ts',
      ]);
      expect(notes).to.deep.equal([
        'src/rest/operations.ts has the operation notes/delete-all, which the contract does not have any more',
      ]);
      const after = await project.files();
      for (const file of [mine, 'src/server.ts', 'src/rest/engine.ts', 'package.json']) {
        expect(after[file]).to.equal(before[file]);
      }
      const lines = (text = '') => text.split('\n');
      expect(lines(after['src/rest/operations.ts'])).to.include.members(
        lines(before['src/rest/operations.ts']),
      );

      await project.edit('src/rest/operations.ts', `  'notes/delete-all': notesDeleteAll,\n`, '');
      await project.edit(
        'src/rest/operations.ts',
        `import { notesDeleteAll } from './operations/notes-delete-all.js';\n`,
        '',
      );
      expect(project.typeProblems()).to.deep.equal([]);
      expect((await project.init()).notes).to.deep.equal([]);
    });

    it('leaves what a list holds in another form to a person, and names it', async () => {
      await project.write(
        'src/rest/operations.ts',
        (await project.read('src/rest/operations.ts')).replace('  clear,\n', '  ...others,\n'),
      );
      await project.write('src/graphql/resolvers.ts', 'export const resolvers = make();\n');
      const { written, notes } = await project.init();
      expect(written).to.deep.equal([]);
      expect(notes).to.deep.equal([
        'src/rest/operations.ts does not name the operation clear, which its spread may hold',
        'src/graphql/resolvers.ts has no "const resolvers = { … }": nothing was added to it',
      ]);
    });
  });

  it('leads an overlay of the core, whose operations have handlers, to the guide, and writes nothing', async () => {
    const project = await newProject();
    const own = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));
    await project.write('core.yaml', await readFile(own, 'utf8'));
    const overlay = `overlay: 1.0.0
info: { title: Stock, version: '1' }
extends: core.yaml
actions: [{ target: $.info, update: { title: Stock } }]
`;
    await project.write('stock.yaml', overlay);
    const before = Object.keys(await project.files());
    const { exitCode, stderr } = await project.concordat('init', 'stock.yaml');
    expect({ exitCode, stderr }).to.deep.equal({
      exitCode: 1,
      stderr:
        'the contract extends that of @concordat/core, which has the handlers of its operations: generate the code with concordat generate, and write yours as the guide shows that concordat docs extend prints\n',
    });
    expect(Object.keys(await project.files())).to.deep.equal(before);
  });

  it('refuses a contract with an unsupported feature, and writes nothing until it is accepted', async () => {
    const project = await newProject();
    await project.write(
      'openapi.yaml',
      NOTES.replace('X-Key }', 'X-Key }\n    tls: { type: mutualTLS }').replace('keyAuth: []', 'tls: []'),
    );
    const before = await project.files();
    const { exitCode, stderr } = await project.concordat('init', 'openapi.yaml');
    expect(exitCode).to.equal(1);
    expect(stderr).to.include('unsupported feature mutual-tls');
    expect(await project.files()).to.deep.equal(before);
    await project.init('openapi.yaml', '--accept', 'mutual-tls');
    expect(await project.read('codegen.ts')).to.include("accept: ['mutual-tls']");
    expect((await project.concordat('check')).exitCode).to.equal(0);
  });

  it('reports the problems of both contracts, and writes nothing', async () => {
    const project = await newProject();
    await project.write('api.yaml', NOTES.replace("'204'", 'nothing'));
    await project.write('api.graphql', 'type Query { now: Nothing }');
    const before = await project.files();
    const { exitCode, stderr } = await project.concordat('init', 'api.yaml', 'api.graphql');
    expect(exitCode).to.equal(1);
    expect(stderr).to.include('api.yaml:').and.include('api.graphql:1:19');
    expect(await project.files()).to.deep.equal(before);
  });

  it('serves a schema alone', async () => {
    const project = await newProject();
    await project.write('schema.graphql', 'type Query { now: Int! }');
    await project.init('--host', 'node');
    expect(Object.keys(await project.files())).not.to.include('src/rest/engine.ts');
    expect(project.typeProblems()).to.deep.equal([]);
  });

  it('serves a contract at the path of its first server, and names a server that does not', async () => {
    const project = await newProject();
    const servers = (url: string) =>
      `${NOTES}servers: [{ url: '${url}', variables: { version: { default: v1 } } }]\n`;
    await project.write('openapi.yaml', servers('https://example.com/api/{version}/'));
    await project.init('--host', 'express');
    expect(await project.read('src/server.ts')).to.include("nodeTransport(engine, { prefix: '/api/v1' })");
    await project.write('openapi.yaml', servers('/v2'));
    expect((await project.init()).notes).to.deep.equal([
      "src/server.ts does not have the prefix /v2 of the contract's servers",
    ]);
  });

  it('gives the values of a format a type of its own, with a module to write it in', async () => {
    const project = await newProject();
    const schema = '{ type: string, format: money }';
    await project.write(
      'openapi.yaml',
      NOTES.replace('items: { type: string }', `items: ${schema}`).replace(
        '    post:',
        `      parameters: [{ in: query, name: most, schema: ${schema} }]\n    post:`,
      ),
    );
    await project.init('--value', 'money=Money', '--value', 'date-time=Date');
    expect(await project.read('codegen.ts')).to.include(
      "money: { type: 'Money', from: '../src/values/money.js', decode: 'readMoney', encode: 'writeMoney' }",
    );
    await project.edit(
      'src/rest/operations/list-notes.ts',
      "() => {\n  throw new Problem(501, 'listNotes is not implemented');\n};",
      "({ query: { most } }) => {\n  if (most === undefined) throw new Problem(404, 'None');\n  return { status: 200, body: [most] };\n};",
    );
    await project.edit(
      'src/rest/security/key-auth.ts',
      "throw new Problem(501, 'keyAuth is not implemented');",
      "return { caller: { id: '1' } };",
    );
    await project.edit('src/rest/security/key-auth.ts', 'import { Problem, type', 'import { type');
    expect(project.typeProblems()).to.deep.equal([]);
    expect((await project.concordat('check')).exitCode).to.equal(0);
    const { engine } = await load<'engine'>(project, 'src/rest/engine.ts');
    const request = { path: '/notes', query: 'most=12.5', headers: { 'x-key': 'k' } };
    expect((await engine(memoryRequest(request))).body).to.equal('["12.5"]');
  });

  it('serves subscriptions over WebSocket too, also those that a schema gains', async () => {
    const project = await newProject();
    await project.write('schema.graphql', 'type Query { now: Int! }');
    await project.init();
    expect(Object.keys(await project.files())).not.to.include('src/graphql/sockets.ts');
    await project.write('schema.graphql', 'type Query { now: Int! } type Subscription { ticks: Int! }');
    const { written, notes } = await project.init();
    expect(written).to.have.members([
      'generated/graphql.ts',
      'generated/schema.ts',
      'src/graphql/resolvers/subscription-ticks.ts',
      'src/graphql/resolvers.ts',
      'src/graphql/sockets.ts',
      'package.json',
    ]);
    expect(notes).to.deep.equal(['src/server.ts does not serve the WebSockets of src/graphql/sockets.ts']);
    expect(complaints(project.directory, [...project.roots(), 'src/graphql/sockets.ts'])).to.deep.equal([]);
  });

  it('takes a schema whose directives of federation are accepted', async () => {
    const project = await newProject();
    await project.write(
      'schema.graphql',
      'type Query { user: User } type User @key(fields: "id") { id: ID! }',
    );
    await project.init('schema.graphql', '--accept', 'federation');
    expect(project.typeProblems()).to.deep.equal([]);
  });

  it('refuses other contracts than those of codegen.ts', async () => {
    const project = await newProject();
    await project.write(
      'codegen.ts',
      "export default { concordat: { openapi: 'mine.yaml', out: 'generated' } };\n",
    );
    await project.write('other.yaml', NOTES);
    const { exitCode, stderr } = await project.concordat('init', 'other.yaml');
    expect([exitCode, stderr]).to.deep.equal([
      1,
      'codegen.ts has the options of the generator: change them there, and run init without options\n',
    ]);
  });
});
