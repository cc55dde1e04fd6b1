/** The service and its packages as JavaScript, so that many starts each take a fraction of the time. */

import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The packages by their folder. */
const packages = {
  'src/runtime': '@concordat/runtime',
  'src/core': '@concordat/core',
  'src/service': '@concordat/service',
} as const;

let compiled: Promise<string> | undefined;

/**
 * Bundles what `npm run build` bundles, without its checks. All callers in this process share the work.
 *
 * @returns a new directory with the packages below `src`, which resolve each other like installed packages
 */
export async function compileService(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-compiled-'));
  await cp(await (compiled ??= compile()), directory, { recursive: true });
  // Our own packages are nearer than those that are installed.
  await link(join(root, 'node_modules'), join(directory, 'node_modules'));
  for (const [folder, name] of Object.entries(packages)) {
    await link(join(directory, folder), join(directory, 'src', 'node_modules', name));
  }
  return directory;
}

/** Removes a directory when this process ends. */
function untilExit(directory: string): string {
  process.once('exit', () => {
    rmSync(directory, { recursive: true });
  });
  return directory;
}

async function compile(): Promise<string> {
  const directory = untilExit(await mkdtemp(join(tmpdir(), 'concordat-bundled-')));
  const folders = Object.keys(packages);
  for (const folder of folders) {
    await cp(join(root, folder, 'package.json'), join(directory, folder, 'package.json'));
  }
  await run(process.execPath, [join(root, '.ci/bundle.js'), '--into', directory, ...folders]);
  for (const file of ['openapi.yaml', 'schema.graphql']) {
    await cp(join(root, file), join(directory, 'src', 'core', 'dist', file));
  }
  await cp(join(root, 'src/service/bin/concordat-service.js'), serviceProgram(directory));
  return directory;
}

let shared: Promise<string> | undefined;

/** The program of the service, for callers that write nothing beside it. It goes with this process. */
export async function sharedProgram(): Promise<string> {
  shared ??= compileService().then(untilExit);
  return serviceProgram(await shared);
}

/** The program of the service within such a directory. */
export function serviceProgram(directory: string): string {
  return join(directory, 'src', 'service', 'bin', 'concordat-service.js');
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path, 'junction');
}
