/** The service as JavaScript: compiled once for many starts, each of which then takes a fraction of the time. */
import { cp, mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

/**
 * Compiles what `npm run build` compiles, without its checks.
 *
 * @returns a new directory that is laid out as the package is
 */
export async function compileService(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-crash-'));
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  for (const file of ['package.json', 'openapi.yaml', 'schema.graphql']) {
    await cp(join(root, file), join(directory, file));
  }
  for (const folder of ['src', 'generated']) {
    for (const file of await readdir(join(root, folder), { recursive: true })) {
      await compile(join(folder, file), join(directory, 'dist'));
    }
  }
  return directory;
}

async function compile(file: string, target: string): Promise<void> {
  const isTypeScript = file.endsWith('.ts') && !file.endsWith('.d.ts');
  if (!isTypeScript && !file.endsWith('.js')) return;
  const text = await readFile(join(root, file), 'utf8');
  const path = join(target, file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, isTypeScript ? ts.transpileModule(text, { compilerOptions }).outputText : text);
}

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
};
