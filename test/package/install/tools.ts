/** The programs that the checks of the packed packages run, and the packages themselves, packed as `npm publish` packs them. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../architecture/source-tree.js';
import { packages } from '../packages.js';
import { Project } from './project.js';
import { succeeds } from './run.js';

/** The npm that runs this, or the one that came with this Node. */
export const npm =
  process.env['npm_execpath'] ?? join(process.execPath, '../../lib/node_modules/npm/bin/npm-cli.js');

/** Each tool by the name under which it is installed, with its version; the newest TypeScript is the one of the day. */
const TOOLS = {
  npm10: 'npm@10.9.9',
  npm11: 'npm@11.21.2',
  pnpm10: 'pnpm@10.34.9',
  pnpm12: 'pnpm@12.21.0',
  'typescript-5.5': 'typescript@5.5.4',
  'typescript-5.9': 'typescript@5.9.3',
  'typescript-newest': 'typescript@latest',
  publint: 'publint@0.3.25',
  attw: '@arethetypeswrong/cli@0.18.5',
} as const;

/** The files that Node runs, by the tool's name. */
const PROGRAMS: Readonly<Record<keyof typeof TOOLS, string>> = {
  npm10: 'bin/npm-cli.js',
  npm11: 'bin/npm-cli.js',
  pnpm10: 'bin/pnpm.cjs',
  pnpm12: 'bin/pnpm.mjs',
  'typescript-5.5': 'bin/tsc',
  'typescript-5.9': 'bin/tsc',
  'typescript-newest': 'bin/tsc',
  publint: 'src/cli.js',
  attw: 'dist/index.js',
};

export type Tool = keyof typeof TOOLS;

export const compilers = ['typescript-5.5', 'typescript-5.9', 'typescript-newest'] as const;

/** Installs the tools from npm's registry. @returns the file of each */
export async function installTools(place: string): Promise<(tool: Tool) => string> {
  const project = new Project(place);
  const specs = Object.entries(TOOLS).map(([name, spec]) => `${name}@npm:${spec}`);
  await project.succeeds(npm, ['install', ...quiet, ...specs]);
  return (tool) => join(project.directory, 'node_modules', tool, PROGRAMS[tool]);
}

/** What every `npm install` of the checks has beside its packages. No script of a package runs, and none is needed. */
export const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress'];

/** The folder where `.ci/run` has packed the packages, once for all of its steps. */
const PACKED = process.env['PACKED_PACKAGES'];

/** Packs the five packages, as `npm run pack` does. @returns the tarball of each, by the name of its package */
export async function packPackages(place: string): Promise<ReadonlyMap<string, string>> {
  const directory = PACKED ?? new Project(place).directory;
  if (PACKED === undefined)
    await succeeds(process.execPath, [join(ROOT, '.ci/pack.js'), directory], directory);
  return new Map(
    packages.map(({ manifest: { name, version } }) => {
      const file = join(directory, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
      if (!existsSync(file)) throw new Error(`npm wrote no ${file}`);
      return [name, file];
    }),
  );
}
