/** What the README tells a team to do with a contract of its own, done. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
import { freePort } from '../support/free-port.js';
import { Consumer, GENERATOR, KOA } from './consumer.js';
import { manifest } from './manifest.js';
import { packedFiles } from './packed-files.js';

const README = readFileSync(`${ROOT}README.md`, 'utf8');

/** The files that the README shows: blocks that open with a comment of their name. */
const FILES = new Map(
  [...README.matchAll(/^```\w+\n(?:#|\/\/) (\S+)\n([^]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name,
    text.trimStart(),
  ]),
);

describe('README', function () {
  this.timeout(60_000);

  it('names every subpath of the package', () => {
    const names = Object.keys(manifest.exports).filter((subpath) => subpath !== './package.json');
    for (const name of names) expect(README).to.include(`\`concordat${name.slice(1)}\``);
  });

  it('names only scripts that there are', () => {
    const named = [...README.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named).to.include('bench');
    expect(manifest.scripts).to.include.all.keys(named);
  });

  it('leads from a contract to a server that runs', async () => {
    const packed = packedFiles();
    const team = new Consumer(packed, [...GENERATOR, ...KOA, '@types/koa', '@types/node']);
    const deployed = new Consumer(packed, KOA);
    try {
      for (const name of ['openapi.yaml', 'codegen.ts', 'server.ts']) team.write(name, FILES.get(name) ?? '');
      const { status, stderr } = team.node(
        'node_modules/@graphql-codegen/cli/esm/bin.js',
        ...['--config', 'codegen.ts'],
      );
      expect(status, stderr).to.equal(0);
      expect(team.typeProblems('server.ts')).to.deep.equal([]);

      team.compile('server.ts', 'dist');
      cpSync(join(team.directory, 'dist'), join(deployed.directory, 'dist'), { recursive: true });
      const validators = 'generated/validators.js';
      cpSync(join(team.directory, validators), join(deployed.directory, 'dist', validators));
      await serving(deployed, 'dist/server.js', async (url, server) => {
        const greeting = await answerOf(`${url}/greetings/Ada`, server);
        expect(await greeting.text()).to.equal('{"text":"Hello, Ada"}');
        const refusal = await answerOf(`${url}/greetings/Everybody`, server);
        expect(refusal.status).to.equal(400);
        expect(await refusal.text()).to.include('path/name must NOT have more than 5 characters');
      });
    } finally {
      team.remove();
      deployed.remove();
    }
  });

  it('puts the core into a Koa application', async () => {
    const needed = [...KOA, 'fast-xml-builder'];
    const team = new Consumer(packedFiles(), [...needed, 'typescript', '@types/koa', '@types/node']);
    try {
      team.write('app.ts', FILES.get('app.ts') ?? '');
      expect(team.typeProblems('app.ts')).to.deep.equal([]);
      team.compile('app.ts', 'dist');
      await serving(team, 'dist/app.js', async (url, server) => {
        const users = await answerOf(`${url}/api/users`, server);
        expect([users.status, await users.json()]).to.deep.equal([200, { data: [], total: 0 }]);
      });
    } finally {
      team.remove();
    }
  });
});

/** Runs a compiled server of the README on a port of its own, and stops it whatever comes of the test. */
async function serving(
  { directory }: Consumer,
  file: string,
  test: (url: string, server: ChildProcess) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const path = join(directory, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace('listen(3000)', `listen(${String(port)})`));
  const server = spawn(process.execPath, [file], { cwd: directory });
  const exit = once(server, 'exit');
  try {
    await test(`http://127.0.0.1:${String(port)}`, server);
  } finally {
    server.kill();
    await exit;
  }
}

/** The README's server does not say when it listens, so it is asked until it answers, or is gone. */
async function answerOf(url: string, server: { readonly exitCode: number | null }): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url);
    } catch (error) {
      if (server.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
