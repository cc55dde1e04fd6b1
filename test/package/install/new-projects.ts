/** Starts projects with the packed program where nothing is installed, installs what they list, and runs their scripts. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { HOSTS } from '../../../src/codegen/init/manifest.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/until.js';
import type { Check } from './checks.js';
import { Project } from './project.js';
import type { Workshop } from './readme-installs.js';
import { succeeds } from './run.js';
import { type Tool, quiet } from './tools.js';

/** One check per host, of the first alone when it is to be quick; and of projects and places of other kinds. */
export function newProjectChecks(workshop: Workshop, isQuick: boolean): readonly Check[] {
  return [
    ...HOSTS.slice(0, isQuick ? 1 : undefined).map((host) => ({
      title: `concordat init starts a project on ${host} that is tested, built and served`,
      run: () => start(workshop, { type: 'module' }, host),
    })),
    {
      title: 'concordat init starts a project of CommonJS modules, beside TypeScript 7',
      run: () => start(workshop, { devDependencies: { typescript: '^7.0.2' } }, 'node'),
    },
    ...(['npm11', 'pnpm10', 'pnpm12'] as const).slice(isQuick ? 2 : 0).map((tool) => ({
      title: `concordat init starts a project in a workspace of ${tool}, with an image`,
      run: () => startInWorkspace(workshop, tool),
    })),
  ];
}

/** Runs the packed program where nothing is installed. @returns what it wrote */
async function init(
  { tool, tarballs }: Workshop,
  directory: string,
  parameters: readonly string[],
): Promise<string> {
  const packages = [...tarballs.values()].map((tarball) => `--package=${tarball}`);
  const command = ['exec', '--yes', ...packages, '--', 'concordat', 'init', ...parameters];
  return await succeeds(process.execPath, [tool('npm11'), ...command], directory);
}

async function start(workshop: Workshop, manifest: object, host: string): Promise<void> {
  const { place, tool } = workshop;
  const project = new Project(place);
  project.write('package.json', JSON.stringify({ name: 'project', private: true, ...manifest }));
  const npm = tool('npm11');
  await init(workshop, project.directory, [
    '--host',
    host,
    '--packages',
    dirname([...workshop.tarballs.values()][0] ?? ''),
  ]);
  const before = performance.now();
  const text = await project.succeeds(npm, ['install', ...quiet]);
  if (/ERESOLVE|conflicting peer/i.test(text)) throw new Error(text);
  const seconds = (performance.now() - before) / 1000;
  await project.succeeds(npm, ['test']);
  await project.succeeds(npm, ['run', 'build']);
  await answers(project.directory);
  console.log(`       its installation took ${seconds.toFixed(1)} s`);
  // What a change of the contract breaks is found before the tests run.
  const contract = join(project.directory, 'openapi.yaml');
  project.write('openapi.yaml', readFileSync(contract, 'utf8').replace('getGreeting', 'greet'));
  await project.succeeds(npm, ['run', 'generate']);
  const found = await project.node(npm, ['test']);
  if (found.status === 0 || !found.text.includes("'getGreeting' does not exist"))
    throw new Error(`npm test says:\n${found.text}`);
}

/** Starts a project in a folder of a workspace, and builds its image as its Containerfile says. */
async function startInWorkspace(workshop: Workshop, tool: Tool): Promise<void> {
  const isPnpm = tool.startsWith('pnpm');
  const root = new Project(workshop.place);
  root.write(
    'package.json',
    JSON.stringify({ private: true, workspaces: isPnpm ? undefined : ['services/*'] }),
  );
  if (isPnpm) root.write('pnpm-workspace.yaml', 'packages: [services/*]\n');
  // In the image, only what is in the workspace can be installed.
  const packed = join(root.directory, 'packages');
  for (const tarball of workshop.tarballs.values()) cpSync(tarball, join(packed, basename(tarball)));
  const folder = join(root.directory, 'services/orders');
  mkdirSync(folder, { recursive: true });
  const text = await init(workshop, folder, ['--host', 'node', '--packages', packed]);
  if (isPnpm) {
    const lines = [/the line "(.+)"/, /registry: (.+)/].map((note) => note.exec(text)?.[1] ?? '');
    root.write('pnpm-workspace.yaml', ['packages: [services/*]', ...lines, ''].join('\n'));
  }
  const program = workshop.tool(tool);
  await succeeds(process.execPath, [program, 'install', ...(isPnpm ? [] : quiet)], folder);
  await succeeds(process.execPath, [program, 'test'], folder);
  await answers(await builtImage(workshop, root.directory, program));
}

/** Runs the steps of the Containerfile on a copy of what it copies. @returns the folder in which its server starts */
async function builtImage({ place }: Workshop, root: string, manager: string): Promise<string> {
  const ignored = ['node_modules', 'dist', '.git'];
  const image = mkdtempSync(join(place, 'image-'));
  cpSync(root, image, { recursive: true, filter: (file) => !ignored.includes(basename(file)) });
  const programs = new Project(place);
  const name = basename(manager).startsWith('pnpm') ? 'pnpm' : 'npm';
  programs.write(name, `#!/bin/sh\nexec '${process.execPath}' '${manager}' "$@"\n`);
  chmodSync(join(programs.directory, name), 0o755);
  const PATH = [programs.directory, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const text = readFileSync(join(image, 'services/orders/Containerfile'), 'utf8');
  for (const [, step = ''] of text.matchAll(/^RUN (?!npm install --global)(.+)$/gm))
    await succeeds('/bin/sh', ['-euc', step], image, { PATH });
  const [, folder = ''] = /^WORKDIR \/srv\/project\/(.+)$/m.exec(text) ?? [];
  return join(image, folder);
}

/** Starts the server of a built project, sends it a request of each protocol, and stops it. */
export async function answers(directory: string, node = process.execPath): Promise<void> {
  const port = String(await freePort());
  const server: ChildProcess = spawn(node, ['dist/src/server.js'], {
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
