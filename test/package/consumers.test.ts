/** What other teams do with the package: each has installed it and the packages that its subpath asks for, no more. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import ts from 'typescript';
import { Consumer } from './consumer.js';
import { packedFiles } from './packed-files.js';

const KOA = ['koa', '@koa/router'];
const GENERATOR = [
  '@graphql-codegen/cli',
  '@graphql-codegen/plugin-helpers',
  '@graphql-codegen/typescript',
  '@graphql-codegen/typescript-resolvers',
  '@redocly/openapi-core',
  'ajv',
  'ajv-formats',
  'graphql',
  'openapi-typescript',
  'typescript',
];

/** What TypeScript asks for beside them. */
const TYPES = ['@types/better-sqlite3', '@types/koa', '@types/node', '@types/pg'];

/** What the service needs that keeps its data in memory. */
const SERVICE = [...KOA, 'fast-xml-builder', '@node-rs/argon2'];

const CONTRACT = `
openapi: 3.1.0
info: { title: Greetings, version: '1' }
paths:
  /greetings/{name}:
    get:
      operationId: getGreeting
      parameters:
        - { name: name, in: path, required: true, schema: { type: string, maxLength: 5 } }
      responses:
        '200':
          description: A greeting.
          content:
            application/json:
              schema: { type: object, required: [text], properties: { text: { type: string } } }
`;

const SERVER = `
import { restEngine } from 'concordat/engine';
import type { Operations } from './generated/operations.js';
import { contract } from './generated/routing.js';

const operations: Operations<unknown> = {
  getGreeting: ({ path }) => ({ status: 200, body: { text: \`Hello, \${path.name}\` } }),
};
const engine = restEngine({ contract, operations, security: {}, anonymous: undefined, report: console.error });

for (const path of ['/greetings/Ada', '/greetings/Everybody']) {
  const readBody = () => Promise.resolve(new Uint8Array());
  const { status, body } = await engine.handle({ method: 'GET', path, query: '', headers: {}, readBody });
  console.log(status, body);
}
`;

describe('package: a consumer', function () {
  this.timeout(60_000);
  const consumers: Consumer[] = [];
  let packed: readonly string[] = [];

  before(() => {
    packed = packedFiles();
  });

  after(() => {
    for (const consumer of consumers) consumer.remove();
  });

  function consumerWith(packages: readonly string[]): Consumer {
    const consumer = new Consumer(packed, packages);
    consumers.push(consumer);
    return consumer;
  }

  const needs: readonly (readonly [subpath: string, name: string, packages: readonly string[]])[] = [
    ['', 'createServices', []],
    ['/contract', 'contract', []],
    ['/engine', 'restEngine', []],
    ['/conformance', 'storageChecks', []],
    ['/storage/memory', 'memoryStorage', []],
    ['/storage/sqlite', 'sqliteStorage', ['better-sqlite3', 'kysely']],
    ['/storage/postgres', 'postgresStorage', ['kysely', 'pg']],
    ['/identity/argon2', 'argon2Hasher', ['@node-rs/argon2']],
    ['/encoding/xml', 'xmlEncoder', ['fast-xml-builder']],
    ['/koa', 'koaTransport', KOA],
    ['/codegen', 'codegenConfig', GENERATOR],
  ];
  for (const [subpath, name, packages] of needs) {
    it(`imports concordat${subpath} with ${String(packages.length)} other packages installed`, () => {
      const source = `import { ${name} } from 'concordat${subpath}'; console.log(typeof ${name});`;
      const { status, stdout, stderr } = consumerWith(packages).run(source);
      expect(stderr).to.equal('');
      expect(stdout).to.match(/^(function|object)\n$/);
      expect(status).to.equal(0);
    });
  }

  it('finds types behind every subpath', () => {
    const consumer = consumerWith([...new Set(needs.flatMap(([, , packages]) => packages)), ...TYPES]);
    consumer.write(
      'all.ts',
      needs.map(([subpath, name]) => `export { ${name} } from 'concordat${subpath}';`).join('\n'),
    );
    expect(typeProblems(consumer, 'all.ts')).to.deep.equal([]);
    consumer.write('wrong.ts', "export { restEngin } from 'concordat/engine';");
    expect(typeProblems(consumer, 'wrong.ts')).to.have.length(1);
  });

  it('generates from a contract of its own, and runs the result with nothing else installed', () => {
    const team = consumerWith([...GENERATOR, '@types/node']);
    team.write('openapi.yaml', CONTRACT);
    team.write(
      'codegen.ts',
      `import { codegenConfig } from 'concordat/codegen';

export default codegenConfig({ openapi: 'openapi.yaml', out: 'generated' });
`,
    );
    team.write('server.ts', SERVER);
    const generated = team.node('node_modules/@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.ts');
    expect(generated.status, generated.stdout + generated.stderr).to.equal(0);
    expect(typeProblems(team, 'server.ts')).to.deep.equal([]);

    const deployed = consumerWith([]);
    deployed.write('server.js', compiled(SERVER));
    for (const file of readdirSync(join(team.directory, 'generated'))) {
      if (file.endsWith('.d.ts')) continue;
      const text = readFileSync(join(team.directory, 'generated', file), 'utf8');
      deployed.write(
        `generated/${file.replace(/\.ts$/, '.js')}`,
        file.endsWith('.ts') ? compiled(text) : text,
      );
    }
    const { stdout, stderr } = deployed.node('server.js');
    expect(stderr).to.equal('');
    const [greeting, refusal, ...rest] = stdout.split('\n');
    expect(greeting).to.equal('200 {"text":"Hello, Ada"}');
    expect(refusal).to.match(/^400 .*path\/name must NOT have more than 5 characters/);
    expect(rest).to.deep.equal(['']);
  });

  it('runs the service in memory with koa, its router, a writer of XML and a hasher', async () => {
    const consumer = consumerWith(SERVICE);
    const program = join(consumer.directory, 'node_modules/concordat/dist/src/cli/main.js');
    const service = spawn(process.execPath, [program], {
      env: { ...process.env, HOST: '', PORT: '0', DATABASE_URL: 'memory:' },
    });
    const exit = once(service, 'exit');
    try {
      const lines = createInterface({ input: service.stdout });
      const [line] = (await Promise.race([once(lines, 'line'), exit])) as [unknown];
      const url = /http:\S+/.exec(String(line))?.[0] ?? '';
      const response = await fetch(`${url}/api/users`);
      expect(response.status).to.equal(200);
      expect(await response.json()).to.have.keys('data', 'total');
    } finally {
      service.kill();
    }
    expect(await exit).to.deep.equal([0, null]);
  });
});

/** What the compiler says of a file of the project, under this house's settings. */
function typeProblems({ directory }: Consumer, file: string): readonly string[] {
  const program = ts.createProgram([join(directory, file)], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(directory, 'node_modules/@types')],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function compiled(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}
