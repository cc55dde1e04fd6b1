/** Starts projects with the packed program where nothing is installed, installs what they list, and runs their scripts. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from '../../../src/codegen/init/manifest.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';
import type { Check } from './checks.js';
import { Project } from './project.js';
import type { Workshop } from './readme-installs.js';
import { quiet } from './tools.js';

const OWN = ['@concordat/runtime', 'concordat', '@concordat/tools'] as const;

/** One check per host; of the first alone when it is to be quick. */
export function newProjectChecks(workshop: Workshop, isQuick: boolean): readonly Check[] {
  return HOSTS.slice(0, isQuick ? 1 : undefined).map((host) => ({
    title: `concordat init starts a project on ${host} that is tested, built and served`,
    run: () => start(workshop, host),
  }));
}

async function start({ place, tool, tarballs }: Workshop, host: string): Promise<void> {
  const project = new Project(place);
  const npm = tool('npm11');
  const packed = OWN.map((name) => tarballs.get(name) ?? name);
  const packages = packed.map((tarball) => `--package=${tarball}`);
  await project.succeeds(npm, ['exec', '--yes', ...packages, '--', 'concordat', 'init', '--host', host]);
  const before = performance.now();
  await project.succeeds(npm, ['install', ...quiet, ...packed]);
  const seconds = (performance.now() - before) / 1000;
  await project.succeeds(npm, ['test']);
  await project.succeeds(npm, ['run', 'build']);
  await answers(project);
  console.log(`       its installation took ${seconds.toFixed(1)} s`);
  // What a change of the contract breaks is found before the tests run.
  const contract = join(project.directory, 'openapi.yaml');
  project.write('openapi.yaml', readFileSync(contract, 'utf8').replace('getGreeting', 'greet'));
  await project.succeeds(npm, ['run', 'generate']);
  const { status, text } = await project.node(npm, ['test']);
  if (status === 0 || !text.includes("'getGreeting' does not exist"))
    throw new Error(`npm test says:\n${text}`);
}

async function answers({ directory }: Project): Promise<void> {
  const port = String(await freePort());
  const server: ChildProcess = spawn(process.execPath, ['dist/src/server.js'], {
    cwd: directory,
    env: { ...process.env, PORT: port, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  server.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  try {
    await until('it listens or ends', () => output.includes('Listening') || server.exitCode !== null);
    const url = `http://127.0.0.1:${port}`;
    const { status } = await fetch(`${url}/greetings/Ada`);
    if (status !== 501) throw new Error(`the operation answers ${String(status)}`);
    const graphql = await fetch(`${url}/graphql?query=%7B__typename%7D`);
    if (graphql.status !== 200) throw new Error(`the schema answers ${String(graphql.status)}`);
    server.kill('SIGTERM');
    const [code] = (await once(server, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`it exits with ${String(code)} on SIGTERM`);
  } finally {
    server.kill();
  }
}
