/** Tests the command `docs` in this process, with the guides of this repository. */

import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { type Run, Sink, runInProcess } from '../../support/run-program.js';

describe('concordat docs', () => {
  const run = (...parameters: string[]): Promise<Run> => runInProcess(runProgram, ['docs', ...parameters]);

  it('lists the guides of the installed packages', async () => {
    const { exitCode, stdout } = await run();
    expect(exitCode).to.equal(0);
    const owners = stdout.split('\n').filter((line) => /^\S/.test(line));
    expect(owners).to.deep.equal([
      '@concordat/runtime',
      'concordat',
      '@concordat/tools',
      '@concordat/core',
      '@concordat/service',
    ]);
    expect(stdout).to.match(/^ {2}streams +lines, events, files/m);
    expect(stdout).to.match(/^ {2}diff +changes that break/m);
  });

  it('prints one by its name, as it is written', async () => {
    const { exitCode, stdout } = await run('streams');
    expect(exitCode).to.equal(0);
    expect(stdout).to.equal(await readFile('src/runtime/guides/streams.md', 'utf8'));
    expect((await run('@concordat/runtime/streams')).stdout).to.equal(stdout);
  });

  it('prints all that have a name, or that of one package', async () => {
    const { stdout } = await run('reference');
    expect(stdout).to.include('# Reference of the generator\n').and.to.include('# Reference of the core\n');
    expect(stdout).not.to.include('<!--');
    const one = await run('@concordat/core/reference');
    expect(one.stdout).to.match(/^# Reference of the core\n/);
    expect(one.stdout).not.to.include('Reference of the generator');
  });

  it('prints an example by the name of its file', async () => {
    const { stdout } = await run('tenants.ts');
    expect(stdout).to.equal(await readFile('src/core/guides/examples/tenants.ts', 'utf8'));
  });

  /** What people want to do, and the guide that helps: it must be among the first two. */
  const TASKS: Readonly<Record<string, string>> = {
    'start a new project': 'start',
    'use express': 'hosts',
    'check a bearer token': 'security',
    'return a 404 error': 'errors',
    'keep my old error format': 'keep-errors',
    'migrate my koa routes': 'existing-app',
    'rate limit': 'hooks',
    'enable CORS': 'hooks',
    'upload a file': 'streams',
    'websocket graphql': 'graphql',
    'typed client for the browser': 'client',
    'test without a server': 'client',
    'support the old api version': 'version-bridge',
    'date instead of string': 'values',
    'generate several APIs': 'generate',
    'migrate from openapi-backend': 'from-validators',
    'mock a server': 'mock',
    'find breaking changes': 'diff',
    'record an openapi document from traffic': 'proxy',
    'test coverage of the contract': 'coverage',
    'add a field to users': 'stored-fields',
    'create my own database table': 'own-table',
    'multi tenant': 'rights',
    'rotate a secret': 'access',
    'restore a backup': 'backup',
    'deploy with docker': 'deploy',
    'roll back a migration': 'upgrades',
    'prometheus metrics': 'observability',
    'page for operators': 'console',
    'unit test with a clock': 'extend',
    'send webhooks': 'outbox',
    pgbouncer: 'failures',
    'install the packed packages': 'own-service',
  };

  for (const [task, name] of Object.entries(TASKS)) {
    it(`finds ${name} for "${task}"`, async () => {
      const { exitCode, stdout } = await run(...task.split(' '));
      const [first, second] = stdout.split('\n').map((line) => line.split(' ')[0]);
      expect(exitCode).to.equal(0);
      expect([first, second], stdout).to.include(name);
    });
  }

  it('has no guide of another name', async () => {
    const { exitCode, stdout, stderr } = await run('nonsense');
    expect([exitCode, stdout, stderr]).to.deep.equal([
      2,
      '',
      'There is no guide nonsense. See concordat docs.\n',
    ]);
  });

  it('serves them on this machine, with links that lead to pages and headings', async () => {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const broken: string[] = [];
    let count = 0;
    const exitCode = await runProgram(['docs', '--serve', '--port', '0'], {
      stdin: Readable.from([]),
      ...{ stdout, stderr, env: {} },
      async untilStopped() {
        const [, url = ''] = /^The guides are on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(stdout.text) ?? [];
        expect((await fetch(`${url}/concordat/nonsense.md`)).status).to.equal(404);
        const pages = new Map([['/', await pageAt(`${url}/`)]]);
        for (const [path, text] of pages) {
          for (const [, link = ''] of text.matchAll(/href="((?!https?:|data:)[^"]+)"/g)) {
            count += 1;
            const { pathname, hash } = new URL(link, url + path);
            if (!pages.has(pathname)) pages.set(pathname, await pageAt(url + pathname));
            const target = pages.get(pathname) ?? '';
            if (target === '' || (hash !== '' && !target.includes(`id="${hash.slice(1)}"`)))
              broken.push(`${path}: ${link}`);
          }
        }
        expect([...pages.keys()]).to.include.members([
          '/@concordat/runtime/streams.md',
          '/@concordat/core/reference.md',
        ]);
      },
    });
    expect([exitCode, stderr.text, broken]).to.deep.equal([0, '', []]);
    expect(count).to.be.above(80);
  });
});

/** The text of a page; empty if there is none. */
async function pageAt(url: string): Promise<string> {
  const response = await fetch(url, { headers: { Accept: 'text/html' } });
  expect(response.headers.get('content-security-policy')).to.include("default-src 'none'");
  const text = await response.text();
  return response.status === 200 ? text : '';
}
