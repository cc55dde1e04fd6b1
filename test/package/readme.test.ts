/** What the README tells a team to do with a contract of its own, done. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
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
      expect([...FILES.keys()]).to.deep.equal(['openapi.yaml', 'codegen.ts', 'server.ts']);
      for (const [name, text] of FILES) team.write(name, text);
      const { status, stderr } = team.node(
        'node_modules/@graphql-codegen/cli/esm/bin.js',
        ...['--config', 'codegen.ts'],
      );
      expect(status, stderr).to.equal(0);
      expect(team.typeProblems('server.ts')).to.deep.equal([]);

      const port = await freePort();
      team.write('server.ts', (FILES.get('server.ts') ?? '').replace('3000', String(port)));
      team.compile('server.ts', 'dist');
      cpSync(join(team.directory, 'dist'), join(deployed.directory, 'dist'), { recursive: true });
      const validators = 'generated/validators.js';
      cpSync(join(team.directory, validators), join(deployed.directory, 'dist', validators));

      const server = spawn(process.execPath, ['dist/server.js'], { cwd: deployed.directory });
      const exit = once(server, 'exit');
      try {
        const greetings = `http://127.0.0.1:${port}/greetings`;
        const greeting = await answerOf(`${greetings}/Ada`, server);
        expect(await greeting.text()).to.equal('{"text":"Hello, Ada"}');
        const refusal = await answerOf(`${greetings}/Everybody`, server);
        expect(refusal.status).to.equal(400);
        expect(await refusal.text()).to.include('path/name must NOT have more than 5 characters');
      } finally {
        server.kill();
        await exit;
      }
    } finally {
      team.remove();
      deployed.remove();
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
