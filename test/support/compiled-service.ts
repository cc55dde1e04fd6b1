/** The four packages as JavaScript: compiled once, so that many starts each take a fraction of the time. */

import { chmod, cp, mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

/** The packages by their folder below `src`, with the place of their compiled files below `dist`. */
const packages = {
  runtime: { name: 'concordat', folders: { 'src/runtime': 'dist' } },
  codegen: { name: '@concordat/codegen', folders: { 'src/codegen': 'dist' } },
  core: { name: '@concordat/core', folders: { 'src/core': 'dist/src/core', generated: 'dist/generated' } },
  service: { name: '@concordat/service', folders: { 'src/service': 'dist' } },
} as const;

/**
 * Compiles what `npm run build` compiles, without its checks, and to a file per source.
 *
 * @returns a new directory with the packages below `src`, which resolve each other like installed packages
 */
export async function compileService(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-compiled-'));
  await linkPackages(directory);
  for (const [folder, { name, folders }] of Object.entries(packages)) {
    const target = join(directory, 'src', folder);
    await mkdir(target, { recursive: true });
    await cp(join(root, 'src', folder, 'package.json'), join(target, 'package.json'));
    await link(target, join(directory, 'node_modules', name));
    for (const [from, to] of Object.entries(folders)) await compileFolder(join(root, from), join(target, to));
  }
  for (const file of ['openapi.yaml', 'schema.graphql']) {
    await cp(join(root, file), join(directory, 'src', 'core', 'dist', file));
  }
  for (const program of ['codegen/bin/concordat.js', 'service/bin/concordat-service.js']) {
    const path = join(directory, 'src', program);
    await cp(join(root, 'src', program), path);
    await chmod(path, 0o755);
  }
  return directory;
}

/** The program of the service within such a directory. */
export function serviceProgram(directory: string): string {
  return join(directory, 'src', 'service', 'bin', 'concordat-service.js');
}

/** The program of the generator within such a directory. */
export function codegenProgram(directory: string): string {
  return join(directory, 'src', 'codegen', 'bin', 'concordat.js');
}

/** All installed packages except our own. */
async function linkPackages(directory: string): Promise<void> {
  const installed = join(root, 'node_modules');
  for (const name of await readdir(installed)) {
    if (!name.startsWith('.') && !name.includes('concordat')) {
      await link(join(installed, name), join(directory, 'node_modules', name));
    }
  }
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path, 'junction');
}

async function compileFolder(from: string, to: string): Promise<void> {
  for (const file of await readdir(from, { recursive: true })) {
    const isTypeScript = file.endsWith('.ts') && !file.endsWith('.d.ts');
    if (/^(?:dist|bin|node_modules)\b/.test(file) || (!isTypeScript && !file.endsWith('.js'))) continue;
    const text = await readFile(join(from, file), 'utf8');
    const path = join(to, file.replace(/\.ts$/, '.js'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, isTypeScript ? ts.transpileModule(text, { compilerOptions }).outputText : text);
  }
}

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
};
