/** The package's own manifest and lock file, as the tests of the package read them. */

import { readFileSync } from 'node:fs';
import { ROOT } from '../architecture/source-tree.js';

type Versions = Readonly<Record<string, string>>;

export interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly overrides: Versions;
  readonly dependencies?: Versions;
  readonly devDependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** The packages that `npm ci` installs, by their place under the root; the root itself is `''`. */
export interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly engines?: { readonly node?: string };
        readonly hasInstallScript?: boolean;
      }
    >
  >;
}

export const manifest = readJson('package.json') as Manifest;
export const lock = readJson('package-lock.json') as Lock;

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(ROOT + file, 'utf8'));
}
