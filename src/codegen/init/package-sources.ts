/** Where the packages of a project come from: its package manager, with the root of its workspace, and a folder with packed packages. */

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { usageFailure } from '@concordat/runtime/terminal';

export interface PackageManager {
  readonly name: 'npm' | 'pnpm';
  /** The folder that has the lock file: the root of the workspace, or the project itself. */
  readonly root: string;
}

/** The package manager of the working directory: that of the workspace around it, within its repository, or else npm. */
export function packageManager(): PackageManager {
  const here = resolve('.');
  for (let folder = here; ; folder = dirname(folder)) {
    const has = (file: string) => existsSync(join(folder, file));
    const manifest = has('package.json') ? readFileSync(join(folder, 'package.json'), 'utf8') : '';
    if (has('pnpm-workspace.yaml') || has('pnpm-lock.yaml') || /"packageManager"\s*:\s*"pnpm@/.test(manifest))
      return { name: 'pnpm', root: folder };
    if (/"workspaces"\s*:/.test(manifest)) return { name: 'npm', root: folder };
    if (has('.git') || folder === dirname(folder)) return { name: 'npm', root: here };
  }
}

/** The packages of this repository that a project lists. */
const OWN = ['concordat', '@concordat/runtime', '@concordat/tools'];

/**
 * The specifiers of packed packages, by name, for a project in the working directory.
 *
 * @param folder - as `npm run pack` writes it
 * @throws CommandFailure where the folder does not have each package once
 */
export function packedPackages(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw usageFailure(`--packages: ${folder} is not a folder`);
  const files = readdirSync(folder);
  return Object.fromEntries(
    OWN.map((name) => {
      const start = name.replace('@', '').replace('/', '-');
      const [file, ...others] = files.filter((each) => new RegExp(`^${start}-\\d.*\\.tgz$`).test(each));
      if (file === undefined || others.length > 0) {
        throw usageFailure(
          `--packages: ${folder} has ${file === undefined ? 'no' : 'more than one'} ${start}-….tgz: npm run pack, in a clone of concordat, writes the packages to a folder`,
        );
      }
      return [name, `file:${slashed(relative('.', join(folder, file)))}`];
    }),
  );
}

/**
 * What `pnpm-workspace.yaml` lacks, one sentence each. pnpm looks for the packages that packed packages need in a registry, and from its
 * version 11 on it wants a decision on each build script; tsx does without that of esbuild.
 */
export function missingSettings(
  { name, root }: PackageManager,
  packed: Readonly<Record<string, string>> = {},
): readonly string[] {
  if (name === 'npm') return [];
  const file = join(root, 'pnpm-workspace.yaml');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const overrides = Object.entries(packed).map(([each, specifier]) => {
    const tarball = resolve(specifier.slice('file:'.length));
    return [each, `file:${slashed(relative(root, tarball))}`] as const;
  });
  const shown = slashed(relative('.', file));
  return [
    ...(/esbuild/.test(text)
      ? []
      : [`${shown} needs the line "allowBuilds: { esbuild: false }", or pnpm 11 and later do not install`]),
    ...(overrides.every(([, specifier]) => text.includes(specifier))
      ? []
      : [
          `${shown} needs this line, because the packages are on no registry: overrides: ${JSON.stringify(Object.fromEntries(overrides)).replaceAll(/([:,])"/g, '$1 "')}`,
        ]),
  ];
}

/** A path with `/` on every system. */
export function slashed(path: string): string {
  return path.split(sep).join('/');
}
