/** Starts the programs of the packed packages through npx, also beside other versions of what they use. */

import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './checks.js';
import { type Workshop, projectWith } from './readme-installs.js';
import { quiet } from './tools.js';

const CONTRACT = `openapi: 3.1.0
info: { title: Greetings, version: '1' }
paths:
  /greetings/{name}:
    get:
      operationId: getGreeting
      parameters: [{ name: name, in: path, required: true, schema: { type: string, maxLength: 5 } }]
      responses: { '204': { description: No greeting. } }
`;

/** What an installation of the service has: 310 and 222 when it brought the packages of its pages. */
const MOST = { packages: 150, megabytes: 90 };

/** The programs alone, and beside neighbours of which they have other versions themselves. */
export function programChecks(workshop: Workshop): readonly Check[] {
  return [
    { title: 'npx concordat generates', run: () => generates(workshop, []) },
    {
      title: 'npx concordat generates beside TypeScript 7 and commander 13',
      run: () => generates(workshop, ['typescript@7', 'commander@13']),
    },
    { title: 'npx concordat-service serves', run: () => serves(workshop, []) },
    {
      title: 'npx concordat-service serves beside koa 2 and pino 9',
      run: () => serves(workshop, ['koa@2', 'pino@9']),
    },
    {
      title: `an installation of the service has at most ${String(MOST.packages)} packages and ${String(MOST.megabytes)} MB`,
      run: () => isSmall(workshop),
    },
  ];
}

async function generates(workshop: Workshop, neighbours: readonly string[]): Promise<void> {
  const project = await projectFor('concordat', workshop, neighbours);
  project.write('openapi.yaml', CONTRACT);
  const npx = npxOf(workshop);
  const help = await project.succeeds(npx, ['--offline', 'concordat']);
  if (!help.includes('Usage: concordat')) throw new Error(`npx concordat says:\n${help}`);
  await project.succeeds(npx, [
    '--offline',
    'concordat',
    'generate',
    '--openapi',
    'openapi.yaml',
    '--out',
    'generated',
  ]);
  await project.succeeds(npx, [
    '--offline',
    'concordat',
    'check',
    '--openapi',
    'openapi.yaml',
    '--out',
    'generated',
  ]);
}

async function serves(workshop: Workshop, neighbours: readonly string[]): Promise<void> {
  const project = await projectFor('@concordat/service', workshop, neighbours);
  await project.serves(npxOf(workshop), ['--offline', 'concordat-service']);
}

async function isSmall(workshop: Workshop): Promise<void> {
  const { directory } = await projectFor('@concordat/service', workshop, []);
  const place = join(directory, 'node_modules');
  const lock = JSON.parse(readFileSync(join(place, '.package-lock.json'), 'utf8')) as {
    readonly packages: object;
  };
  const packages = Object.keys(lock.packages).length;
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  // As a disk has them, in blocks.
  const bytes = files.reduce(
    (sum, { parentPath, name }) => sum + 512 * lstatSync(join(parentPath, name)).blocks,
    0,
  );
  const megabytes = Math.ceil(bytes / 1024 ** 2);
  if (packages > MOST.packages || megabytes > MOST.megabytes) {
    throw new Error(`it has ${String(packages)} packages and ${String(megabytes)} MB`);
  }
}

async function projectFor(name: string, workshop: Workshop, neighbours: readonly string[]) {
  const project = projectWith(workshop, [name]);
  const npm = workshop.tool('npm11');
  if (neighbours.length > 0) await project.succeeds(npm, ['install', ...quiet, ...neighbours]);
  await project.succeeds(npm, ['install', ...quiet, workshop.tarballs.get(name) ?? name]);
  return project;
}

function npxOf({ tool }: Workshop): string {
  return join(tool('npm11'), '../npx-cli.js');
}
