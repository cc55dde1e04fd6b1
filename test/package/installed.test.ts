/** The program `concordat` in a project that has installed what the README lists for it, and no more. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import semver from 'semver';
import { atTerminal, terminalAbsence } from '../support/pseudo-terminal.js';
import { until } from '../support/until.js';
import { Consumer, GENERATOR } from './consumer.js';
import { installed } from './installed-packages.js';
import { manifest } from './manifest.js';
import { packedFiles } from './packed-files.js';
import { README, block } from './readme-blocks.js';

/** What the pages read from packages that nothing imports, by the page that asks for it. */
const PAGE_PACKAGES: Readonly<Record<string, string>> = {
  '@scalar/fastify-api-reference': '/docs',
  graphiql: '/graphql',
  react: '/graphql',
  'react-dom': '/graphql',
};

/** Is loaded where the log goes to a terminal, which a test's does not. */
const TERMINAL_PACKAGES = ['pino-pretty'];

interface Lacking {
  /** A word of the row in the README's table that says what to install. */
  readonly row: string;
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it is needed only where somebody sits at a terminal. */
  readonly isAtTerminal?: true;
}

const IDP = { IDP_CLIENT_ID: 'a', IDP_CLIENT_SECRET: 'b', PUBLIC_URL: 'http://127.0.0.1:3000' };

/** What lacks a package in a project that has those of the service only. */
const LACKING: readonly Lacking[] = [
  { row: 'DATABASE_URL', env: { DATABASE_URL: 'postgres://127.0.0.1:9/none' } },
  { row: 'EVENTS_URL` of `redis', env: { EVENTS_URL: 'redis://127.0.0.1:9' } },
  { row: 'IDP_ISSUER', env: { IDP_ISSUER: 'http://127.0.0.1:9', ...IDP } },
  { row: 'CORS_ORIGINS', env: { CORS_ORIGINS: '*' } },
  { row: 'users create', command: 'users create --email ada@example.com', isAtTerminal: true },
  { row: 'import', command: 'import users users.csv' },
  { row: 'export', command: 'export users --out out.jsonl', isAtTerminal: true },
  { row: 'mock', command: 'mock openapi.yaml' },
  { row: 'generate', command: 'generate --openapi openapi.yaml' },
];

/** Writes each package that a file of this package loads, from within Node's own loader. */
const WATCH = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  import { writeSync } from 'node:fs';
  export function resolve(specifier, context, next) {
    const isOurs = /[/]node_modules[/]concordat[/]dist[/]/.test(context.parentURL ?? '');
    if (isOurs && !/^([./]|node:|file:)/.test(specifier)) writeSync(2, 'loads ' + specifier + '\\\\n');
    return next(specifier, context);
  }\`));`;

/** The packages in a cell of a table, without their versions. */
function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`(@?[^@`]+)(@.+?)?`/g)].map(([, name = '']) => name);
}

describe('README: the program in a project', function () {
  this.timeout(60_000);
  const [service] = installed(block('install the service'));
  const listed = (service?.names ?? []).filter((name) => name !== 'concordat');
  const [, table = ''] = /^\| For +\| Install beside them.*\n.*\n([^]*?)\n\n/m.exec(README) ?? [];
  const rows = table.split('\n').map((row) => row.split(' | '));
  const packagesOf = (row: string) => rows.find(([what = '']) => what.includes(row))?.[1] ?? '';
  let project: Consumer;
  let generating: Consumer;
  let mocking: Consumer;
  const started: ChildProcess[] = [];

  before(() => {
    const packed = packedFiles();
    project = new Consumer(packed, listed);
    generating = new Consumer(packed, ['commander', ...GENERATOR]);
    mocking = new Consumer(packed, ['commander', 'koa', ...namesIn(packagesOf('mock'))]);
    for (const each of [project, generating, mocking]) {
      each.write('openapi.yaml', block('openapi.yaml'));
      each.write('watch.mjs', WATCH);
      // As npm does it.
      const program = join(each.directory, 'node_modules/concordat', manifest.bin['concordat'] ?? '');
      chmodSync(program, 0o755);
      mkdirSync(join(each.directory, 'node_modules/.bin'));
      symlinkSync(program, join(each.directory, 'node_modules/.bin/concordat'));
    }
    project.write('users.csv', 'name,email\nAda,ada@example.com\n');
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      const exit = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill();
      await exit;
    }
  });
  after(() => {
    project.remove();
    generating.remove();
    mocking.remove();
  });

  function npx({ directory }: Consumer, command: string, env: Readonly<Record<string, string>> = {}) {
    const run = { cwd: directory, env: { ...process.env, PORT: '0', ...env }, encoding: 'utf8' } as const;
    // Offline: a program that were not there would otherwise be looked for elsewhere.
    const parameters = ['--offline', 'concordat', ...command.split(' ')];
    const { status, stdout, stderr } = spawnSync('npx', parameters, run);
    return { status, stdout, text: stdout + stderr };
  }

  function npxAtTerminal({ directory }: Consumer, command: string) {
    const program = join(directory, 'node_modules/.bin/concordat');
    const [file = '', ...parameters] = atTerminal([process.execPath, program, ...command.split(' ')]);
    const { status, stdout } = spawnSync(file, parameters, { cwd: directory, encoding: 'utf8' });
    return { status, stdout, text: stdout };
  }

  /** Starts the service, and waits until it listens. */
  async function serve(
    env: Readonly<Record<string, string>>,
    { directory } = project,
    ...parameters: readonly string[]
  ) {
    const program = join(directory, 'node_modules/.bin/concordat');
    const child = spawn(process.execPath, ['--import', './watch.mjs', program, ...parameters], {
      cwd: directory,
      env: { ...process.env, HOST: '', PORT: '0', LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    }
    await until('it listens or ends', () => /http:\S+\n/.test(text) || child.exitCode !== null);
    const url = /http:\S+/.exec(text)?.[0] ?? expect.fail(text);
    return { url, output: () => text };
  }

  const page = (url: string) => fetch(url, { headers: { accept: 'text/html,*/*;q=0.8' } });

  it('is installed from what npm pack writes, in versions that this package is made for', () => {
    expect(block('install the service')).to.include(`concordat-${manifest.version}.tgz`);
    expect(manifest.peerDependencies).to.include.all.keys(listed);
    for (const [name, wanted] of service?.versions ?? []) {
      const version = manifest.devDependencies[name] ?? expect.fail(name);
      expect(semver.satisfies(version, wanted), `${name}@${wanted}`).to.equal(true);
    }
  });

  it('tells its commands, all of which are in the README', () => {
    expect(block('install the service')).to.match(/\nnpx concordat\n$/);
    const { status, stdout } = npx(project, '--help');
    expect(status).to.equal(0);
    const [, list = ''] = /Commands:\n([^]*?)\n\n/.exec(stdout) ?? [];
    const commands = [...list.matchAll(/^ {2}(\w+)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help');
    const [, table = ''] = /^\| Command +\| Does .*\n.*\n([^]*?)\n\n/m.exec(README) ?? [];
    const cells = table.split('\n').flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)/g)]);
    expect([...new Set(cells.map(([, name]) => name))].sort()).to.deep.equal(commands.sort());
  });

  it('serves, with all its pages, and loads each package that the README lists for it', async () => {
    const { url, output } = await serve({});
    for (const path of ['/', '/docs', '/graphql', '/openapi.json', '/api/users', '/metrics']) {
      expect((await page(url + path)).status, path).to.equal(200);
    }
    const loaded = [...output().matchAll(/^loads (\S+)$/gm)].map(([, name]) => name);
    const used = new Set([...loaded, ...Object.keys(PAGE_PACKAGES), ...TERMINAL_PACKAGES]);
    expect([...used].sort()).to.deep.equal([...listed].sort());
  });

  for (const [name, path] of Object.entries(PAGE_PACKAGES)) {
    it(`says that ${path} needs ${name}`, async () => {
      const link = join(project.directory, 'node_modules', name);
      renameSync(link, `${link}-away`);
      try {
        const { url } = await serve({ DATABASE_URL: 'memory:', DEMO_DATA: 'off' });
        const answer = await page(url + path);
        expect(answer.status).to.equal(503);
        expect(await answer.text()).to.include(`needs the package ${name}, which is not installed`);
      } finally {
        renameSync(`${link}-away`, link);
      }
    });
  }

  it('has a row in the README for everything that needs more', () => {
    const tried = rows.filter(([what = '']) => LACKING.some(({ row }) => what.includes(row)));
    expect(tried).to.deep.equal(rows);
  });

  for (const { row, command = 'serve', env = {}, isAtTerminal } of LACKING) {
    const absence = isAtTerminal && terminalAbsence;
    const title = `says what more ${row}${isAtTerminal ? ' at a terminal' : ''} needs, which is in the README`;
    if (absence !== undefined) {
      it.skip(`${title} (skipped: ${absence})`);
      continue;
    }
    it(title, () => {
      const said = isAtTerminal ? npxAtTerminal(project, command) : npx(project, command, env);
      const [, name] = /^This needs the package (\S+), which is not installed/m.exec(said.text) ?? [];
      // The generator has a list of its own, further down.
      const names = row === 'generate' ? GENERATOR : namesIn(packagesOf(row));
      expect(names, said.text).to.include(name);
      expect(said.status).to.equal(1);
    });
  }

  it('serves the examples of a contract, with the packages of the mock', async () => {
    const { url } = await serve({}, mocking, 'mock', '--port', '0');
    const greeting = await fetch(`${url}/greetings/Ada`);
    expect([greeting.status, await greeting.json()]).to.deep.equal([200, { text: 'string' }]);
  });

  it('generates and checks, with the packages of the generator', () => {
    const options = '--openapi openapi.yaml --out generated';
    const written = npx(generating, `generate ${options}`);
    expect(written.status, written.text).to.equal(0);
    expect(written.stdout).to.include('wrote generated/operations.ts');
    const checked = npx(generating, `check ${options}`);
    expect(checked.status, checked.text).to.equal(0);
    generating.write('openapi.yaml', block('openapi.yaml').replace('maxLength: 5', 'maxLength: 6'));
    expect(npx(generating, `check ${options}`).status).to.equal(1);
  });
});
